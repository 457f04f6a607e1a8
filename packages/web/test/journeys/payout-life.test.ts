import { buffer } from 'node:stream/consumers';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { readZip } from '../../../server/test/read-zip.ts';
import { hasBrowser, useDashboard } from '../browser.ts';
import { payingOf } from '../paying.ts';

/** Same timeout as the browser's actions. */
const soon = { timeout: 10_000 };
const dashboard = useDashboard();
const { open } = dashboard;
const { makeGroup, earn } = payingOf(dashboard);

test.skipIf(!hasBrowser)(
  'cancels, recreates and pays a payout, and carries a clawback as a negative balance',
  async () => {
    await makeGroup('life', 'holdDays: 0,');
    const bought = await earn('life', 'A', 90_000);
    const page = await open('finance', '/p/aurora/payouts?group=life');
    const dialog = page.getByRole('dialog');
    const create = async () => {
      await page.getByRole('button', { name: /^Create( \d+)? payouts?$/ }).click();
      await dialog.getByRole('button', { name: /^Create( \d+)? payouts?$/ }).click();
      await page.getByText('To be paid').waitFor();
    };
    await create();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel payout' }).click();
    await dialog.getByLabel('Reason').fill('wrong month');
    await dialog.getByRole('button', { name: 'Cancel payout' }).click();
    await page.getByText('Canceled').first().waitFor();
    await page.getByRole('link', { name: 'All payouts' }).click();
    await page.getByRole('link', { name: 'Due now' }).click();
    await create();

    await page.getByRole('button', { name: 'Mark as paid' }).click();
    const pay = dialog.getByRole('button', { name: 'Mark as paid' });
    await dialog.getByLabel('Type 900.00 to confirm').fill('900.01');
    expect(await pay.isDisabled()).toBe(true);
    await dialog.getByLabel('Type 900.00 to confirm').fill('900.00');
    await pay.click();
    await page.getByText('by The finance').nth(1).waitFor();
    const paid = page.getByRole('table', { name: 'Payments in this payout' }).getByRole('link');
    expect(await paid.first().getAttribute('href')).toBe('/p/aurora/creators?group=life&open=acc_life_A');
    // The number of purchases leads to exactly those that the payment pays.
    await earn('life', 'A', 500);
    const ofPayout = page.url();
    await paid.filter({ hasText: /^1$/ }).click();
    await page.getByRole('button', { name: /^Remove filter Payout/ }).waitFor();
    const listed = page.getByRole('table', { name: 'Transactions' }).getByRole('button', { name: /^Open / });
    await expect.poll(() => listed.count(), soon).toBe(1);
    expect(await listed.getAttribute('aria-label')).toContain(bought);
    await page.getByRole('button', { name: 'Remove filter Payout' }).click();
    await expect.poll(() => listed.count(), soon).toBe(2);
    await page.goto(ofPayout);
    await paid.first().waitFor();

    await earn('life', 'A', 31_500);
    await page.goto(`${dashboard.service().url}/p/aurora/payouts/taken-back?group=life`);
    await page.getByLabel('Purchase').fill(bought);
    await page.getByRole('button', { name: 'Claw back' }).click();
    await dialog.getByLabel('Chargeback').check();
    await dialog.getByLabel('Type 900.00 to confirm').fill('900');
    await dialog.getByRole('button', { name: 'Claw back 900.00 USD' }).click();
    await page.getByRole('table', { name: 'Clawbacks' }).getByText('next payout').waitFor();

    await page.getByRole('link', { name: 'Balances' }).click();
    const balances = page.getByRole('table', { name: 'Balances' });
    await expect.poll(() => balances.textContent(), soon).toContain('−580.00 USD');
    await balances.getByText('Owes you').waitFor();
    await page.getByRole('link', { name: 'Due now' }).click();
    await page.getByText('repaying 580.00 USD').waitFor();
    expect(await page.getByRole('button', { name: /^Create( \d+)? payouts?$/ }).isDisabled()).toBe(true);
    await page.getByText('No creator is due a payout').waitFor();
  },
);

test.skipIf(!hasBrowser)(
  'requires a sign-in within the last five minutes to mark a payout as paid',
  async () => {
    await makeGroup('fresh', 'holdDays: 0,');
    await earn('fresh', 'A', 700);
    const page = await open('finance', '/p/aurora/payouts?group=fresh', { confirmedMsAgo: 301_000 });
    await page.getByRole('button', { name: /^Create( \d+)? payouts?$/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Create( \d+)? payouts?$/ })
      .click();
    await page.getByRole('button', { name: 'Mark as paid' }).click();
    const typed = page.getByLabel('Type 7.00 to confirm');
    await typed.pressSequentially('70');
    await typed.blur();
    await page.getByText('This isn’t 7.00.').waitFor();
    await typed.fill('');
    await typed.pressSequentially('7.00');
    expect(await page.getByText('This isn’t').count()).toBe(0);
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as paid' }).click();
    await page.getByRole('dialog', { name: 'Confirm it’s you' }).waitFor();
    expect(await page.getByLabel('Type 7.00 to confirm').inputValue()).toBe('7.00');
  },
);

test.skipIf(!hasBrowser)('downloads the files of a month in one click', async () => {
  const page = await open('finance', '/p/aurora/payouts/month');
  const now = new Date();
  const lastEnded = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)).toISOString().slice(0, 7);
  await page.getByText('No activity in this month').waitFor();
  expect(await page.getByRole('region', { name: 'Reconciliation with the month-end files' }).count()).toBe(0);
  expect(await page.getByLabel('Month (UTC)').inputValue()).toBe(lastEnded);
  expect(await page.getByText('In progress: totals will change').count()).toBe(0);
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download month-end files' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe(`month-end-aurora-${lastEnded}.zip`);
  const files = readZip(await buffer(await file.createReadStream()));
  expect([...files.keys()].sort()).toEqual([
    'README.txt',
    'balances.csv',
    'clawbacks.csv',
    'ledger-proof.txt',
    'payouts.csv',
    'statements.csv',
    'summary.csv',
  ]);
  const year = lastEnded.slice(0, 4);
  const downloadingYear = page.waitForEvent('download');
  await page.getByRole('link', { name: `Export ${year} payments` }).click();
  const yearFile = await downloadingYear;
  expect(yearFile.suggestedFilename()).toBe(`paid-aurora-${year}.csv`);
  expect((await buffer(await yearFile.createReadStream())).toString()).toContain(
    'year,memberId,name,country,',
  );
  await page.getByLabel('Month (UTC)').selectOption(now.toISOString().slice(0, 7));
  await page.getByText('In progress: totals will change').waitFor();
  expect(await page.getByRole('button', { name: 'Next month' }).isDisabled()).toBe(true);
  const manager = await open('manager', '/p/aurora/payouts/month');
  await manager.getByRole('link', { name: 'Export month' }).waitFor();
  expect(await manager.getByRole('link', { name: 'Download month-end files' }).count()).toBe(0);
  expect(await manager.getByRole('link', { name: /^Export \d+ payments/ }).count()).toBe(0);
});

test.skipIf(!hasBrowser)('exports a month in three clicks', async () => {
  await makeGroup('books', 'holdDays: 0,');
  await earn('books', 'B', 1_500);
  const page = await open('finance', '/p/aurora/payouts/month?group=books&month=2024-05');
  const sums = page.getByRole('table', { name: 'Totals by group and currency' });
  await sums.getByText('15.00').waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export month' }).click();
  expect((await downloading).suggestedFilename()).toBe('payouts-2024-05.csv');
  await makeGroup('films', 'holdDays: 0,');
  await earn('films', 'A', 250);
  await page.goto(page.url().replace('group=books&', ''));
  await sums.getByText('2.50').first().waitFor();
  const ofCurrency = sums.locator('tbody').filter({ hasText: '2.50' });
  const earned = await ofCurrency.locator('td:nth-of-type(1)').allTextContents();
  const minorOf = (amount: string): number =>
    Math.round(Number.parseFloat(amount.replaceAll(',', '').replace('minus ', '').replace('−', '-')) * 100) ||
    0;
  const [total, ...groups] = earned.map(minorOf);
  expect(total).toBe(groups.reduce((sum, minor) => sum + minor));
  const netOf = async (row: Locator): Promise<[number, number]> => {
    const [first = '', reversed = '', net = ''] = await row.locator('td').allTextContents();
    return [minorOf(net), minorOf(first) + minorOf(reversed)];
  };
  const reversedRows = sums.locator('tbody tr').filter({ hasText: '−' });
  expect(await reversedRows.count()).toBeGreaterThan(0);
  for (const row of await reversedRows.all()) {
    const [net, difference] = await netOf(row);
    expect(net, 'earned minus reversed').toBe(difference);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await expect
    .poll(() => sums.evaluate((table) => table.getBoundingClientRect().right))
    .toBeLessThanOrEqual(360);
  expect(await sums.getByRole('columnheader').allInnerTexts()).toEqual(['Group', 'Net']);
});
