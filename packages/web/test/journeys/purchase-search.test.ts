import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { purchase } from '../../../server/test/fixtures.ts';
import { settleAll } from '../../../server/test/money.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { tooWideBy } from '../screens.ts';
import { smallTargets } from '../touch.ts';

const { open, service, keys } = useDashboard();
const path = '/p/aurora/transactions';

beforeAll(async () => {
  if (!hasBrowser) return;
  const record = async (key: string, sent: unknown): Promise<void> => {
    const { status } = await service().call('POST', '/v1/attributions/transactions', { key, json: sent });
    expect(status).toBe(200);
  };
  await record(keys().backend, purchase({ transactionId: 'order-1001' }));
  await record(keys().backend, purchase({ transactionId: 'order-1002', code: 'BOB' }));
  await record(keys().moba, purchase({ transactionId: 'arena-7', code: 'DORA' }));
  await settleAll(service().testDatabase.database.db);
});

const field = (page: Page): Locator => page.getByRole('combobox', { name: 'Purchase ID, code, or creator' });
/** Suggestions, not the choices of native lists. */
const options = (page: Page): Locator => page.locator('[role=option]');
const table = (page: Page): Locator => page.getByRole('table', { name: 'Transactions' });
const opened = (page: Page): Locator => table(page).getByRole('button', { name: /^Open / });
const queryOf = (page: Page): object => Object.fromEntries(new URL(page.url()).searchParams);

/** Text of the option that the field names as its active one, as a screen reader finds it. */
const active = async (page: Page): Promise<string | null> => {
  const id = await field(page).getAttribute('aria-activedescendant');
  return id === null ? null : page.locator(`[id="${id}"][aria-selected="true"]`).textContent();
};

/** Types key by key, as a person does. */
async function type(page: Page, text: string): Promise<void> {
  await field(page).focus();
  await page.keyboard.type(text, { delay: 20 });
}

describe.skipIf(!hasBrowser)('search for purchases', () => {
  test('suggests creators, codes and purchases, and sets one filter by keyboard', async () => {
    const page = await open('support', path);
    await expect.poll(() => opened(page).count()).toBe(3);
    expect(await field(page).getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('/');
    await page.keyboard.type('ali', { delay: 20 });
    await options(page)
      .filter({ hasText: /^Alice · creator$/ })
      .waitFor();
    expect(await field(page).getAttribute('aria-expanded')).toBe('true');
    expect(await active(page)).toBe('Alice · creator');
    await expectAccessible(page, 'suggestions');
    await page.keyboard.type('ce', { delay: 20 });
    await options(page)
      .filter({ hasText: /^ALICE · code$/ })
      .waitFor();
    expect(await options(page).allInnerTexts()).toEqual([
      'ALICE · code',
      'Alice · creator',
      'Purchase ID “alice” exactly',
      'Creator ID “alice” exactly',
    ]);
    await page.keyboard.press('ArrowDown');
    expect(await active(page)).toBe('Alice · creator');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await active(page), 'from the first to the last').toBe('Creator ID “alice” exactly');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/creator=acc_alice/);
    await page.getByRole('status').filter({ hasText: 'Filter added: Alice, creator' }).waitFor();
    expect(await field(page).inputValue()).toBe('');
    await expect.poll(() => opened(page).count()).toBe(1);
    const remove = page.getByRole('button', { name: 'Remove filter Creator' });
    const filters = page.getByRole('group', { name: 'Filters' });
    await filters.getByText('Alice', { exact: true }).waitFor();
    await expectAccessible(page, 'a filter that the search has set');

    // A second search adds another filter, and each can be removed.
    await type(page, 'ALICE');
    await options(page).filter({ hasText: /code$/ }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => queryOf(page)).toEqual({ creator: 'acc_alice', code: 'ALICE' });
    await remove.press('Enter');
    await expect.poll(() => queryOf(page)).toEqual({ code: 'ALICE' });
    await page.reload();
    await page.getByRole('button', { name: 'Remove filter Code' }).waitFor();
    expect(await page.getByRole('button', { name: 'Add filter' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('menuitem', { name: 'Status' }).waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
      'Status',
      'Origin',
      expect.stringContaining('Currency'),
    ]);
  });

  test('finds a purchase by the start of its ID, also with the mouse, and Back removes the filter', async () => {
    const page = await open('viewer', path);
    await type(page, 'order-');
    await options(page).filter({ hasText: 'order-1002 · purchase' }).click();
    await page.waitForURL(/id=order-1002/);
    await expect.poll(() => opened(page).count()).toBe(1);
    await page.goBack();
    await expect.poll(() => opened(page).count()).toBe(3);
    expect(await page.getByRole('button', { name: /^Remove filter/ }).count()).toBe(0);
  });

  test('sets what was typed if nothing is found: first the purchase ID, or a code that no longer exists', async () => {
    const page = await open('viewer', path);
    await type(page, 'gone-1');
    await options(page).first().waitFor();
    expect(await options(page).allInnerTexts()).toEqual([
      'Purchase ID “gone-1” exactly',
      'Code “gone-1” exactly',
      'Creator ID “gone-1” exactly',
    ]);
    await page.keyboard.press('Enter');
    await expect.poll(() => queryOf(page)).toEqual({ id: 'gone-1' });
    await page.getByRole('heading', { name: 'No matching purchases' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await type(page, 'LOST');
    await options(page).filter({ hasText: 'Code “LOST” exactly' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => queryOf(page)).toEqual({ code: 'LOST' });
  });

  test('waits for a slow answer after Enter, and drops the answer to an earlier text', async () => {
    const page = await open('support', path);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const asked: string[] = [];
    await page.route('**/search?*', async (route) => {
      asked.push(new URL(route.request().url()).searchParams.get('q') ?? '');
      await held;
      await route.continue().catch(() => undefined);
    });
    await type(page, 'order-1001');
    await page.getByText('Searching…').waitFor();
    await expect.poll(() => asked).toContain('order-1001');
    expect(await options(page).count(), 'nothing to choose yet').toBe(0);
    // The text becomes another one before the first answer arrives.
    for (let count = 0; count < 'order-1001'.length; count += 1) await page.keyboard.press('Backspace');
    await page.keyboard.type('bob', { delay: 20 });
    await expect.poll(() => asked).toContain('bob');
    await page.keyboard.press('Enter');
    expect(queryOf(page)).toEqual({});
    release();
    await expect.poll(() => queryOf(page)).toEqual({ code: 'BOB' });
    expect(await field(page).inputValue()).toBe('');
    expect(await options(page).count()).toBe(0);
  });

  test('Escape closes the suggestions, and then clears the text; a failure leaves the exact text', async () => {
    const page = await open('support', path);
    await type(page, 'ali');
    await options(page).first().waitFor();
    await page.keyboard.press('Escape');
    await options(page).first().waitFor({ state: 'hidden' });
    expect(await field(page).inputValue()).toBe('ali');
    await page.keyboard.press('Escape');
    expect(await field(page).inputValue()).toBe('');
    await page.route('**/search?*', (route) => route.fulfill({ status: 429, json: {} }));
    await type(page, 'order-1001');
    await page.getByText('Couldn’t search.').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => queryOf(page)).toEqual({ id: 'order-1001' });
  });

  test('finds what is in another group, and then shows all groups', async () => {
    const page = await open('support', `${path}?group=main`);
    await expect.poll(() => opened(page).count()).toBe(2);
    await type(page, 'arena');
    await options(page).filter({ hasText: 'arena-7 · purchase in another group' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => queryOf(page)).toEqual({ id: 'arena-7' });
    await table(page).getByText('arena-7').waitFor();
    await page.goto(`${service().url}${path}?group=main`);
    await type(page, 'dor');
    await options(page).filter({ hasText: 'Dora · creator in another group' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await type(page, 'acc_al');
    await page.keyboard.type('ice');
    await options(page)
      .filter({ hasText: /^Alice · creator$/ })
      .waitFor();
    await page.keyboard.press('Enter');
    // She is also in this group, which stays chosen.
    await expect.poll(() => queryOf(page)).toEqual({ group: 'main', creator: 'acc_alice' });
  });

  test('a phone shows the filters below the search, with a large button to remove each', async () => {
    const page = await open('support', path, { size: { width: 360, height: 740 }, hasTouch: true });
    await expect.poll(() => opened(page).count()).toBe(3);
    await type(page, 'bob');
    await options(page).filter({ hasText: 'Bob · creator' }).waitFor();
    expect(await tooWideBy(page)).toBeLessThanOrEqual(0);
    await expectAccessible(page, 'suggestions on a phone');
    await options(page).filter({ hasText: 'Bob · creator' }).tap();
    const remove = page.getByRole('button', { name: 'Remove filter Creator Bob' });
    await remove.waitFor();
    expect(await page.getByRole('button', { name: 'Filters', exact: true }).count()).toBe(1);
    expect(await smallTargets(page)).toEqual([]);
    expect(await tooWideBy(page)).toBeLessThanOrEqual(0);
    await remove.tap();
    await expect.poll(() => opened(page).count()).toBe(3);
  });
});
