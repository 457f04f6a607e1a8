import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { hasBrowser, useDashboard } from '../browser.ts';
import { payingOf } from '../paying.ts';

/** Same timeout as the browser's actions. */
const soon = { timeout: 10_000 };
const dashboard = useDashboard();
const { open } = dashboard;
const { makeGroup, earn } = payingOf(dashboard);

test.skipIf(!hasBrowser)('pays exactly the previewed amounts, regardless of new purchases', async () => {
  await makeGroup('cent', 'holdDays: 0, payoutMinimums: { USD: 500 },');
  await earn('cent', 'A', 123_456);
  await earn('cent', 'B', 499);
  const page = await open('finance', '/p/aurora/ledger?group=cent');
  await page.getByRole('link', { name: 'Payouts' }).click();
  const totals = page.getByRole('table', { name: 'Totals by currency' });
  await expect.poll(() => totals.textContent(), soon).toContain('1,234.56 USD');
  await page.getByText('below 5.00 USD').waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('asOf'), soon).toMatch(/^20/);

  await earn('cent', 'A', 99_999);
  await page.reload();
  await expect.poll(() => totals.textContent(), soon).toContain('1,234.56 USD');

  await page.getByRole('button', { name: 'Create payout' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('row', { name: 'USD 1,234.56 1,234.56 1 1', exact: true }).waitFor();
  await dialog.getByText('These purchases can’t be refunded until').waitFor();
  await dialog.getByRole('button', { name: 'About “Payouts and refunds”' }).click();
  await page.getByText('Canceling a payout makes its amounts due again and allows refunds.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Create payout' }).click();
  await page.getByText('To be paid').waitFor();
  await page
    .getByRole('table', { name: 'Payments in this payout' })
    .getByText('1,234.56 USD')
    .last()
    .waitFor();

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download payment file' }).click();
  await page.getByRole('menuitem', { name: 'CSV without accounts' }).click();
  const file = await text(await (await downloading).createReadStream());
  expect(file.split('\r\n')[1]).toMatch(/,Created,"acc_cent_A","p-A",Creator A,USD,1234\.56,123456,1,/);

  await page.getByRole('link', { name: 'All payouts' }).click();
  await page.getByRole('table', { name: 'Payouts', exact: true }).getByText('1,234.56').waitFor();
  await page.getByRole('link', { name: 'Due now' }).click();
  await expect.poll(() => totals.textContent(), soon).toContain('999.99 USD');
});

test.skipIf(!hasBrowser)('reports a preview that was already paid, and refreshes it', async () => {
  await makeGroup('over', 'holdDays: 0,');
  await earn('over', 'A', 700);
  const page = await open('finance', '/p/aurora/payouts?group=over');
  await expect.poll(() => new URL(page.url()).searchParams.get('asOf'), soon).not.toBeNull();
  const old = page.url();
  await page.getByRole('button', { name: 'Create payout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create payout' }).click();
  await page.getByText('To be paid').waitFor();
  await page.goto(old);
  await page.getByRole('alert').getByText('This preview has expired').waitFor();
  await page.getByRole('button', { name: 'Refresh preview' }).click();
  await page.getByText('No amounts due').waitFor();
});

test.skipIf(!hasBrowser)('shows the amounts due without a pay button to a viewer', async () => {
  await makeGroup('watch', 'holdDays: 0,');
  await earn('watch', 'A', 700);
  const page = await open('viewer', '/p/aurora/payouts?group=watch');
  await page.getByRole('table', { name: 'Creators in this payout' }).getByText('Creator A').waitFor();
  expect(await page.getByRole('button', { name: 'Create payout' }).count()).toBe(0);
});
