import { expect, test } from 'vitest';
import { runVerification } from '../../../server/src/settlement/verify/jobs/run-verification.ts';
import { transactionsPath } from '../../../server/test/transactions.ts';
import { hasBrowser, useDashboard } from '../browser.ts';
import { payingOf } from '../paying.ts';

/** Same timeout as the browser's actions. */
const soon = { timeout: 10_000 };
const dashboard = useDashboard();
const { open, service } = dashboard;
const { makeGroup, earn } = payingOf(dashboard);
const work = () =>
  runVerification(service().testDatabase.database.db, 'aurora', new AbortController().signal);

test.skipIf(!hasBrowser)('verifies the ledger in two clicks, and lists the verification', async () => {
  const page = await open('finance', '/p/aurora');
  await page.getByRole('link', { name: 'Ledger' }).click();
  await page.getByText('No earnings yet').waitFor();
  await page.getByText('Nothing to verify yet').waitFor();
  expect(await page.getByText(/Never verified|No verifications yet/).count(), 'without earnings').toBe(0);
  await makeGroup('proof');
  await earn('proof', 'A', 12_345);
  await page.reload();
  const sums = page.getByRole('table', { name: 'Totals by currency' });
  await expect.poll(() => sums.textContent(), soon).toContain('123.45 USD');
  // There is nothing yet that changes could be counted from.
  expect(await page.getByRole('button', { name: 'Verify recent changes' }).count()).toBe(0);
  await page.getByText('The first one checks all of them').waitFor();
  await page.getByText('Never verified', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Verify the ledger', exact: true }).click();
  await page.getByText('Verification of all balances queued').waitFor();
  const verifications = page.getByRole('table', { name: 'Ledger verifications' });
  await verifications.getByText('Queued').waitFor();
  expect(await page.getByText('Queued', { exact: true }).count(), 'at the top and in the list').toBe(2);
  expect(await page.getByText('Never verified').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Verify the ledger', exact: true }).isDisabled()).toBe(true);
  await verifications.getByText('All balances').waitFor();
  await work();
  await verifications.getByText('Passed').waitFor();
  await expect.poll(() => page.getByText('Passed').count(), { timeout: 3_000 }).toBe(2); // before the next poll
  await page.getByRole('button', { name: 'Verify recent changes' }).waitFor();
  await page.getByRole('button', { name: /Open the verification/ }).click();
  await page.getByRole('dialog').getByText('1 of 1 days', { exact: false }).waitFor();
});

test.skipIf(!hasBrowser)('names the discrepancy that a verification finds', async () => {
  const { db } = service().testDatabase.database;
  const corrupt = (by: string) =>
    db
      .updateTable('member_balance')
      .set(({ eb }) => ({ balance_minor: eb('balance_minor', '+', by) }))
      .where('publisher_id', '=', 'aurora')
      .execute();
  const page = await open('owner', '/p/aurora/ledger');
  await corrupt('1');
  await page.getByRole('button', { name: 'Verify all balances' }).click();
  await page.getByRole('table', { name: 'Ledger verifications' }).getByText('Queued').waitFor();
  await work();
  await page.getByText('Discrepancy found').waitFor();
  await page.reload();
  await page.getByRole('alert').getByText('The ledger doesn’t balance').waitFor();
  await page.getByText('−0.01').waitFor();
  await page
    .getByRole('button', { name: /Open the verification/ })
    .first()
    .click();
  await page.getByText('a balance is the sum of its ledger entries', { exact: false }).waitFor();
  await corrupt('-1');
});

test.skipIf(!hasBrowser)('shows the totals to a role that cannot verify', async () => {
  const page = await open('support', '/p/aurora/ledger');
  await page.getByRole('table', { name: 'Totals by currency' }).waitFor();
  expect(await page.getByRole('button', { name: /Verify/ }).count()).toBe(0);
});

test.skipIf(!hasBrowser)(
  'shows what was reversed as a negative amount, as Month and Overview do',
  async () => {
    await makeGroup('signs');
    await earn('signs', 'A', 10_000, { currency: 'SEK' });
    const transactionDate = new Date().toISOString();
    const id = await earn('signs', 'A', 2_500, { currency: 'SEK', transactionDate });
    const { status } = await service().call('PATCH', `${transactionsPath}/${id}?groupId=signs`, {
      key: dashboard.keys().backend,
      json: { action: 'Refund' },
    });
    expect(status).toBe(200);
    const page = await open('finance', '/p/aurora/ledger');
    const sums = page.getByRole('table', { name: 'Totals by currency' });
    const row = sums.getByRole('row', { name: /^SEK/ });
    await expect
      .poll(async () => (await row.textContent())?.replaceAll('\u00a0', ' '), soon)
      .toContain('−25.00 SEK');
    const isRed = '[data-negative]';
    expect(await row.locator(isRed).allTextContents()).toEqual(['minus −25.00 SEK']);
    await page.getByText('net must equal paid + to be paid + net owed').waitFor();
    await page.goto(`${service().url}/p/aurora/payouts/month?month=${transactionDate.slice(0, 7)}`);
    await page.locator(isRed, { hasText: '−25.00' }).first().waitFor();
    await page.goto(`${service().url}/p/aurora/overview?currency=SEK`);
    await page.getByRole('region', { name: 'Totals in SEK' }).locator(isRed, { hasText: '−25.00' }).waitFor();
  },
);

test.skipIf(!hasBrowser)(
  'shows the difference without scrolling where only the row names the currency',
  async () => {
    const page = await open('finance', '/p/aurora/ledger', { size: { width: 768, height: 800 } });
    const sums = page.getByRole('table', { name: 'Totals by currency' });
    const cells = sums.getByRole('row', { name: /^SEK/ }).getByRole('cell');
    // The script is a string, because the tests lack the DOM types.
    const isCodeDrawn = `[...document.querySelectorAll('table[aria-label="Totals by currency"] td span')]
    .filter((span) => span.childElementCount === 0 && /^[A-Z]{3}$/.test(span.textContent))
    .map((span) => span.getBoundingClientRect().width > 1)`;
    await expect.poll(() => cells.count(), soon).toBe(8);
    const drawn = await page.evaluate<boolean[]>(isCodeDrawn);
    expect(drawn.length).toBeGreaterThan(7);
    expect(drawn.filter(Boolean), 'currency codes in cells').toEqual([]);
    const difference = await cells.last().boundingBox();
    expect((difference?.x ?? 768) + (difference?.width ?? 0)).toBeLessThanOrEqual(768);
  },
);

test.skipIf(!hasBrowser)('shows no button that is replaced once the ledger has loaded', async () => {
  const page = await open('finance', '/p/aurora/overview');
  const answered = Promise.withResolvers<void>();
  await page.route('**/admin/v1/publishers/aurora/ledger', async (route) => {
    await answered.promise;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Ledger', exact: true }).click();
  await page.getByRole('heading', { name: 'Ledger', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /^Verify/ }).count()).toBe(0);
  answered.resolve();
  await page
    .getByRole('button', { name: /^Verify/ })
    .first()
    .waitFor();
});
