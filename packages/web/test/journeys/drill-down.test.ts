import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type Asking, asRole } from '../../../server/test/admin.ts';
import { purchase } from '../../../server/test/fixtures.ts';
import { settleAll } from '../../../server/test/money.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { filterField } from '../filters.ts';
import { payingOf } from '../paying.ts';
import { tooWideBy } from '../screens.ts';

const dashboard = useDashboard();
const { open, service, keys } = dashboard;
let owner: Asking;

beforeAll(async () => {
  if (!hasBrowser) return;
  owner = await asRole(service(), 'owner');
  const record = async (transactionId: string, changes: Record<string, unknown>) => {
    const json = purchase({ transactionId, transactionDate: new Date().toISOString(), ...changes });
    const answer = await service().call('POST', '/v1/attributions/transactions', {
      key: keys().backend,
      json,
    });
    expect(answer.status).toBe(200);
  };
  await record('normal-1', { subtotal: 1_000 });
  await record('normal-2', { subtotal: 2_345 });
  await record('of-bob', { subtotal: 700, code: 'BOB' });
  await record('refunded', { subtotal: 5_000 });
  await record('tried', { subtotal: 9_000, status: 'Test' });
  await record('euros', { subtotal: 4_444, currency: 'EUR' });
  const db = service().testDatabase.database.db;
  await settleAll(db);
  const { status } = await owner('POST', '/transactions/refunded/reverse', { action: 'Refund' });
  expect(status).toBe(200);
  const paying = payingOf(dashboard);
  await paying.makeGroup('paid');
  await paying.earn('paid', 'A', 900);
  await paying.earn('paid', 'B', 400);
  const { asOf } = (await owner('GET', '/payouts/preview?group=paid')).body;
  expect((await owner('POST', '/payouts', { groupId: 'paid', currency: 'USD', asOf })).status).toBe(200);
  await paying.earn('paid', 'A', 55);
});

/** Reads an amount or a count as its digits: "29.97 USD" is 2997. */
const figureOf = async (link: Locator): Promise<number> =>
  Number(((await link.textContent()) ?? '').replaceAll(/\D/g, ''));
const sumOf = (rows: readonly Record<string, string>[], name: string): number =>
  rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0);

/** Returns the rows that a figure's link lists, read with the link's own filters. */
async function rowsOf(link: Locator, list: string): Promise<Record<string, string>[]> {
  const href = await link.getAttribute('href');
  const { searchParams } = new URL(String(href), service().url);
  const { status, body } = await owner('GET', `/${list}?${searchParams}&limit=250`);
  expect(status, String(href)).toBe(200);
  return body.rows;
}

/** Links of figures; the one to clawbacks isn't one of them. */
const figuresIn = (part: Locator) => part.getByRole('link').filter({ hasNotText: 'View clawbacks' });
const card = (page: Page) => page.getByRole('region', { name: 'Totals in USD' });
const linkIn = (part: Locator, text: string | RegExp) => part.getByRole('link', { name: text });

test.skipIf(!hasBrowser)('figures of Overview list exactly their purchases', async () => {
  const page = await open('owner', '/p/aurora/overview?group=main&days=7&currency=USD');
  const figures = figuresIn(card(page));
  await figures.first().waitFor();
  const checks = [
    ['subtotalMinor', 9_045],
    ['shareMinor', null],
    ['shareMinor', null],
    ['', 4],
  ] as const;
  expect(await figures.count()).toBe(checks.length);
  for (const [at, [name, expected]] of checks.entries()) {
    const link = figures.nth(at);
    const rows = await rowsOf(link, 'transactions');
    const sum = name === '' ? rows.length : sumOf(rows, name);
    expect(await figureOf(link), `figure ${at}`).toBe(sum);
    if (expected !== null) expect(sum).toBe(expected);
    expect(sum).toBeGreaterThan(0);
  }
  await expectAccessible(page);
  // Top creators are ranked by earnings that were not reversed.
  const top = page
    .getByRole('table', { name: 'Top creators' })
    .getByRole('row')
    .nth(1)
    .getByRole('link')
    .nth(1);
  expect(await figureOf(top)).toBe(sumOf(await rowsOf(top, 'transactions'), 'shareMinor'));
  await figures.nth(3).click();
  await page.getByRole('heading', { name: 'Transactions' }).waitFor();
  await page.getByText(/^4 transactions\./).waitFor();
  expect(await filterField(page, 'Status').inputValue()).toBe('normal,refund,fraud,chargeback');
});

test.skipIf(!hasBrowser)('a figure is plain text if no filter lists exactly its rows', async () => {
  const page = await open('owner', '/p/aurora/overview?group=main&days=28&currency=USD');
  await card(page).getByText('Sales').first().waitFor();
  expect(await figuresIn(card(page)).count()).toBe(0);
});

test.skipIf(!hasBrowser)(
  'figures of a creator, balances, payouts and the ledger list exactly their rows',
  async () => {
    const page = await open('owner', '/p/aurora/creators?group=paid&open=acc_paid_A');
    const money = page.getByRole('table', { name: 'Money by currency' });
    await money.waitFor();
    expect(await money.getByRole('link').count(), 'no purchases in the last 30 days').toBe(0);

    await page.goto(`${service().url}/p/aurora/payouts/owed?group=paid`);
    const owed = page.getByRole('table', { name: 'Totals by currency' }).getByRole('link');
    await owed.waitFor();
    expect(await figureOf(owed)).toBe(sumOf(await rowsOf(owed, 'balances'), 'balanceMinor'));

    await page.goto(`${service().url}/p/aurora/payouts?group=paid`);
    await page.getByRole('button', { name: 'Refresh preview' }).waitFor();
    const due = page.getByRole('table', { name: 'Totals by currency' }).getByRole('link').first();
    expect(await figureOf(due)).toBe(sumOf(await rowsOf(due, 'payouts/preview'), 'amountMinor'));

    await page.goto(`${service().url}/p/aurora/ledger`);
    const ledger = page
      .getByRole('table', { name: 'Totals by currency' })
      .getByRole('row')
      .filter({ hasText: 'USD' });
    const [paid, balance] = [ledger.getByRole('link').nth(0), ledger.getByRole('link').nth(1)];
    await balance.waitFor();
    expect(await figureOf(paid)).toBe(sumOf(await rowsOf(paid, 'payouts'), 'totalMinor'));
    expect(await figureOf(paid)).toBe(1_300);
    expect(await figureOf(balance)).toBe(sumOf(await rowsOf(balance, 'balances'), 'balanceMinor'));

    await page.goto(`${service().url}/p/aurora/overview`);
    const unpaid = linkIn(page.getByRole('region', { name: 'Needs attention' }), /^1 payout isn’t marked/);
    await unpaid.waitFor();
    expect(await rowsOf(unpaid, 'payouts')).toHaveLength(1);
  },
);

test.skipIf(!hasBrowser)('sums of the filtered purchases, and of the listed payouts', async () => {
  const page = await open('finance', '/p/aurora/transactions?group=main&code=BOB');
  const sums = page.getByRole('region', { name: 'Totals for the listed purchases' });
  const text = async (): Promise<string> => ((await sums.textContent()) ?? '').replaceAll('\u00a0', ' ');
  await expect.poll(text).toMatch(/^Sales 7\.00 USDEarned \d+\.\d\d USD1 transaction$/);
  await page.goto(`${service().url}/p/aurora/transactions?group=main&status=refund`);
  await expect
    .poll(text)
    .toMatch(/^Sales 50\.00 USDEarned (\d+\.\d\d) USDReversed minus −\1 USD1 transaction$/);
  await page.goto(`${service().url}/p/aurora/transactions?group=main&status=normal`);
  const table = page.getByRole('table', { name: 'Totals by currency' });
  await table.getByRole('row', { name: /^EUR 1 44\.44 EUR/ }).waitFor();
  await table.getByRole('row', { name: /^USD 3 40\.45 USD/ }).waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  await table.getByRole('row', { name: /^EUR 1 transaction .* Sales 44\.44$/ }).waitFor();
  const usd = table.getByRole('row', { name: /^USD 3 transactions .* Sales 40\.45$/ });
  const ends = await Promise.all(
    [table.getByRole('row', { name: /^EUR/ }), usd].map(async (row) => {
      const cell = await row.getByRole('cell').first().locator('span').first().boundingBox();
      return Math.round((cell?.x ?? 0) + (cell?.width ?? 0));
    }),
  );
  expect(ends[0], 'amounts end at the same place').toBe(ends[1]);
  expect(await tooWideBy(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.goto(`${service().url}/p/aurora/transactions?group=main`);
  await page.getByText(/^6 transactions\./).waitFor();
  expect(await sums.count(), 'without a filter').toBe(0);
  await page.route('**/transaction-sums*', (route) =>
    route.fulfill({
      json: {
        isExact: false,
        maxRows: 20_000,
        currencies: [
          { currency: 'USD', rowCount: 20_001, grossMinor: '500', shareMinor: '50', reversedShareMinor: '0' },
        ],
      },
    }),
  );
  await page.goto(`${service().url}/p/aurora/transactions?group=main&code=BOB`);
  await sums
    .getByText('Totals are shown for up to 20,000 transactions. Filter further to see them.')
    .waitFor();
  expect(await sums.getByText('USD').count(), 'sums of a part of the rows').toBe(0);

  const list = (changes: object) => ({
    payoutId: '0190a000-0000-7000-8000-000000000000',
    ...{ groupId: 'paid', status: 'Paid', currency: 'USD', memberCount: 1, rowCount: 1, number: 1001 },
    ...{ createdAt: '2026-05-01T00:00:00.000Z', paidAt: null, createdBy: null, totalMinor: '1000' },
    ...changes,
  });
  await page.route('**/aurora/payouts?*', (route) =>
    route.fulfill({
      json: {
        rows: [
          list({ payoutId: 'a' }),
          list({ payoutId: 'b', status: 'Created', totalMinor: '250' }),
          list({ payoutId: 'c', status: 'Cancelled', totalMinor: '9000' }),
          list({ payoutId: 'd', totalMinor: '5', currency: 'JPY' }),
        ],
        nextCursor: null,
      },
    }),
  );
  await page.goto(`${service().url}/p/aurora/payouts/made?group=paid`);
  const foot = page.getByRole('table', { name: 'Totals for these payouts' });
  await foot.waitFor();
  const rows = await foot.locator('tbody tr').allTextContents();
  expect(rows.map((text) => text.replaceAll('\u00a0', ' '))).toEqual([
    'JPY 1 payout–5 JPY',
    'USD 2 payouts2.50 USD10.00 USD',
  ]);
});

test.skipIf(!hasBrowser)('an export says what it contains, and chosen rows are exported alone', async () => {
  const page = await open('finance', '/p/aurora/transactions?group=main&status=normal');
  await page.getByText(/^4 transactions\./).waitFor();
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export CSV' });
  await dialog.getByText('4 transactions', { exact: true }).waitFor();
  await dialog.getByText('Group: main · Status: Completed').waitFor();
  await dialog.getByText(/^All columns: purchase and row IDs/).waitFor();
  // The button moves beside the screen's tools, but what is open stays.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: /^Filters/, includeHidden: true }).waitFor({ state: 'attached' });
  await dialog.getByText('4 transactions', { exact: true }).waitFor();
  await page.setViewportSize({ width: 1_440, height: 900 });
  await expectAccessible(page);
  const download = async (press: () => Promise<void>): Promise<string[]> => {
    const [file] = await Promise.all([page.waitForEvent('download'), press()]);
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString().trimEnd().split('\r\n').slice(1);
    return lines.map((line) => line.split(',')[0]?.replaceAll('"', '') ?? '').sort();
  };
  const all = await download(() => dialog.getByRole('button', { name: 'Download' }).click());
  expect(all).toEqual(['euros', 'normal-1', 'normal-2', 'of-bob']);
  await dialog.getByText(/^Saved as transactions-aurora\.csv \(1 kB\)/).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'hidden' });
  for (const name of ['euros', 'of-bob'])
    await page.getByRole('checkbox', { name: new RegExp(`^Select ${name}`) }).check();
  const bar = page.getByRole('region', { name: 'Selected rows' });
  await bar.getByText('2 rows selected').waitFor();
  // Alice earns 20% of 44.44 EUR, Bob 10% of 7.00 USD.
  await bar.getByText('Net 8.89 EUR + 0.70 USD', { exact: true }).waitFor();
  await expectAccessible(page);
  expect(await download(() => bar.getByRole('link', { name: 'Export selected' }).click())).toEqual([
    'euros',
    'of-bob',
  ]);
});
