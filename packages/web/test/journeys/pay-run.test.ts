import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { purchase } from '../../../server/test/fixtures.ts';
import { settleAll } from '../../../server/test/money.ts';
import { transactionsPath } from '../../../server/test/transactions.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { countClicks } from '../clicks.ts';
import { payingOf } from '../paying.ts';

const soon = { timeout: 20_000 };
const dashboard = useDashboard();
const { open, service, keys } = dashboard;
const { makeGroup, earn } = payingOf(dashboard);

/**
 * Number of clicks from the landing screen until everything is paid, for any number of groups and currencies.
 * Documented in docs/dashboard.md.
 */
const maxClicks = 6;
const groups = ['north', 'south', 'east', 'west'];
const currencies = ['USD', 'EUR', 'JPY'];

beforeAll(async () => {
  if (!hasBrowser) return;
  for (const group of groups) await makeGroup(group, 'holdDays: 0, payoutMinimums: { EUR: 500 },');
});

/** Makes 1,000 minor units due to A in every group and currency. */
async function makeDue(): Promise<void> {
  const transactionDate = '2024-05-01T12:00:00.000Z';
  for (const group of groups) {
    const json = currencies.map((currency) =>
      purchase({ code: 'M-A', subtotal: 1_000, memberSharePercent: 100, transactionDate, currency }),
    );
    const path = `${transactionsPath}?groupId=${group}`;
    for (const { status } of await Promise.all(
      json.map((each) => service().call('POST', path, { key: keys().backend, json: each })),
    ))
      expect(status).toBe(200);
  }
  await settleAll(service().testDatabase.database.db);
}

const settled = (text: string | null) => text?.replaceAll(/\s+/g, ' ') ?? '';
/** Returns the rows of a confirmation's table: currency, amount and number of payouts. */
const totalsIn = async (dialog: Locator) =>
  (await dialog.getByRole('table', { name: 'Totals to confirm' }).locator('tbody tr').allInnerTexts()).map(
    (row) => settled(row).trim(),
  );
const statuses = async (page: Page) =>
  (await page.getByRole('table', { name: 'Payouts of this run' }).locator('tbody tr').allInnerTexts()).map(
    (row) => settled(row).trim(),
  );

test.skipIf(!hasBrowser)('pays every group and currency in six clicks from the landing screen', async () => {
  await makeDue();
  await earn('north', 'B', 20, { currency: 'EUR' });
  const page = await open('finance', '/p/aurora/overview');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const clicks = await countClicks(page);
  const dialog = page.getByRole('dialog');

  await page.getByRole('link', { name: 'Payouts', exact: true }).click();
  const sums = page.getByRole('table', { name: 'Totals by currency' });
  await expect.poll(async () => settled(await sums.textContent()), soon).toContain('40.00 USD');
  expect(settled(await sums.textContent())).toMatch(/EUR ?40\.00 EUR.*0\.20 EUR/);
  await page.getByRole('button', { name: /^Create \d+ payouts$/ }).click();
  await dialog.getByText('Create 12 payouts?').waitFor();
  expect(await totalsIn(dialog)).toEqual(['EUR 40.00 40.00 4', 'JPY 4,000 4,000 4', 'USD 40.00 40.00 4']);
  await dialog.getByRole('button', { name: /^Create \d+ payouts$/ }).click();
  await expect.poll(() => statuses(page), soon).toHaveLength(12);
  await expect
    .poll(async () => (await statuses(page)).filter((row) => row.includes('To be paid')).length, soon)
    .toBe(12);

  // The file is the main action until it is downloaded.
  const variants = () =>
    Promise.all(
      [
        page.getByRole('link', { name: 'Export CSV for the bank' }),
        page.getByRole('button', { name: 'Mark as paid', exact: true }),
      ].map((each) => each.getAttribute('data-variant')),
    );
  await expect.poll(variants, soon).toEqual(['filled', 'default']);
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV for the bank' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^pay-run-.*\.csv$/);
  await expect.poll(variants, soon).toEqual(['default', 'filled']);
  await page.getByRole('button', { name: 'Mark as paid', exact: true }).click();
  await dialog
    .getByLabel(/^Type /)
    .first()
    .and(page.locator(':focus'))
    .waitFor();
  // With several currencies, the number of payouts is typed instead of each total.
  await page.keyboard.type('12');
  await dialog.getByRole('button', { name: 'Mark as paid', exact: true }).click();
  await expect
    .poll(async () => (await statuses(page)).filter((row) => / Paid /.test(row)).length, soon)
    .toBe(12);
  expect(await clicks(), 'clicks from the landing screen until everything is paid').toBe(maxClicks);
});

test.skipIf(!hasBrowser)(
  'names what changed since the preview, pays the rest, and previews the remaining amounts',
  async () => {
    await makeDue();
    const sold = await earn('south', 'B', 700);
    const page = await open('finance', '/p/aurora/payouts');
    const all = page.getByRole('table', { name: 'Due by group and currency' });
    await all.getByRole('button', { name: 'Show west by currency' }).click();
    await all.getByRole('checkbox', { name: 'Pay west in JPY' }).uncheck();
    await all.getByRole('checkbox', { name: 'Pay east', exact: true }).uncheck();
    await service().call('PATCH', `${transactionsPath}/${sold}`, {
      key: keys().backend,
      form: { action: 'Refund' },
    });
    await page.getByRole('button', { name: /^Create \d+ payouts$/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('4 payouts are left out and stay due.').waitFor();
    expect(await totalsIn(dialog)).toEqual(['EUR 30.00 30.00 3', 'JPY 2,000 2,000 2', 'USD 37.00 37.00 3']);
    await dialog.getByRole('button', { name: /^Create \d+ payouts$/ }).click();
    const failures = page.getByRole('alert').filter({ hasText: 'Couldn’t create 1 payout' });
    await expect.poll(async () => settled(await failures.textContent()), soon).toContain('south, 17.00 USD');
    expect(settled(await failures.textContent())).toContain('The amount due is now 10.00 USD.');
    await expect
      .poll(async () => (await statuses(page)).filter((row) => row.includes('To be paid')), soon)
      .toHaveLength(7);
    await expectAccessible(page);
    await failures.getByRole('link', { name: 'Preview the remaining amounts' }).click();
    const sums = page.getByRole('table', { name: 'Totals by currency' });
    await expect.poll(async () => settled(await sums.textContent()), soon).toContain('20.00 USD');

    // Selected payouts can be marked together in the list, using only the keyboard after the selection.
    await page.getByRole('link', { name: 'All payouts' }).click();
    for (const name of ['north, 10.00 USD', 'south, 10.00 EUR'])
      await page
        .getByRole('checkbox', { name: `Select ${name}` })
        .first()
        .check();
    const bar = page.getByRole('region', { name: 'Selected payouts' });
    await bar.getByText('2 payouts selected').waitFor();
    await bar.getByRole('button', { name: 'Mark as paid' }).focus();
    await page.keyboard.press('Enter');
    const typed = page.getByLabel('Type “2 payouts” to confirm');
    await typed.and(page.locator(':focus')).waitFor();
    await expect.poll(() => totalsIn(dialog), soon).toEqual(['EUR 10.00 10.00 1', 'USD 10.00 10.00 1']);
    await page.keyboard.type('3');
    await page.keyboard.press('Enter');
    expect(await dialog.getByRole('button', { name: 'Mark as paid' }).isDisabled()).toBe(true);
    const warning = await dialog.getByText('This can’t be undone.').boundingBox();
    expect(warning?.y, 'below the field').toBeGreaterThan((await typed.boundingBox())?.y ?? 10_000);
    await page.keyboard.press('Backspace');
    await page.keyboard.type('2 payouts');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('region', { name: 'Selected payouts' }).count()).toBe(0);
  },
);

test.skipIf(!hasBrowser)(
  'a second person marks the whole run as paid, where the publisher requires one',
  async () => {
    await makeDue();
    await service()
      .testDatabase.database.db.insertInto('staff_rules')
      .values({ publisher_id: 'aurora', four_eyes_payouts: true })
      .execute();
    const page = await open('finance', '/p/aurora/payouts');
    await page.getByRole('button', { name: /^Create \d+ payouts$/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Create \d+ payouts$/ })
      .click();
    await page.getByText('A second person must mark these payouts as paid').waitFor();
    expect(await page.getByRole('button', { name: 'Mark as paid' }).isDisabled()).toBe(true);

    const other = await open('owner', '/p/aurora/overview');
    const clicks = await countClicks(other);
    const dialog = other.getByRole('dialog');
    await other.getByRole('link', { name: 'Payouts', exact: true }).click();
    await other.getByRole('link', { name: 'Pay runs', exact: true }).click();
    const newest = other.getByRole('table', { name: 'Pay runs' }).getByRole('row').nth(1);
    const started = (await newest.getByRole('link').first().textContent()) ?? '';
    await newest.getByRole('link', { name: started.trim(), exact: true }).click();
    await other.getByRole('button', { name: 'Mark as paid', exact: true }).click();
    await dialog.getByLabel('Type “12 payouts” to confirm').fill('12');
    await dialog.getByRole('button', { name: 'Mark as paid', exact: true }).click();
    await expect
      .poll(async () => (await statuses(other)).filter((row) => / Paid /.test(row)).length, soon)
      .toBe(12);
    expect(await clicks()).toBe(5);
  },
);
