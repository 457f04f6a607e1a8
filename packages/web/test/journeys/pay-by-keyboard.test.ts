import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hasBrowser, useDashboard } from '../browser.ts';
import { payingOf } from '../paying.ts';

const dashboard = useDashboard();
const { open } = dashboard;
const { makeGroup, earn } = payingOf(dashboard);

/** Presses Tab until an element with this name has focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    if ((await focused.count()) === 0) continue;
    const label = (await focused.getAttribute('aria-label')) ?? (await focused.textContent());
    if (label?.trim() === name) return;
  }
  throw new Error(`no focusable element is named ${name}`);
}

test.skipIf(!hasBrowser)('creates a payout and marks it as paid with only the keyboard', async () => {
  await makeGroup('keys', 'holdDays: 0,');
  await earn('keys', 'A', 4_200);
  const page = await open('finance', '/p/aurora/ledger?group=keys');
  await page.getByRole('heading', { name: 'Ledger', exact: true, level: 1 }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await page.getByRole('table', { name: 'Creators in this payout' }).waitFor();
  await tabTo(page, 'Create payout');
  await page.keyboard.press('Enter');
  await page
    .getByRole('table', { name: 'Totals to confirm' })
    .getByText('42.00', { exact: true })
    .first()
    .waitFor();
  const create = page.getByRole('dialog').getByRole('button', { name: 'Create payout' });
  await create.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('To be paid').waitFor();
  await tabTo(page, 'Mark as paid');
  await page.keyboard.press('Enter');
  const total = page.getByLabel('Type 42.00 to confirm');
  await total.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('42.00');
  await page.keyboard.press('Enter');
  await page.getByText('by The finance').nth(1).waitFor();
  expect(await page.getByRole('button', { name: 'Mark as paid' }).count()).toBe(0);
});
