import { expect, test } from 'vitest';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { payingOf } from '../paying.ts';

const dashboard = useDashboard();
const { open, service } = dashboard;
const { makeGroup, earn, markPaid } = payingOf(dashboard);
const thisMonth = new Date().toISOString().slice(0, 7);

test.skipIf(!hasBrowser)('compares a month with its files, to the cent', async () => {
  await makeGroup('late', 'holdDays: 0,');
  await makeGroup('other');
  await earn('late', 'A', 12_345, { transactionDate: '2024-05-31T23:59:59.000Z' });
  await earn('late', 'B', 5_000, { transactionDate: `${thisMonth}-01T00:00:00.000Z` });
  await earn('other', 'A', 700, { currency: 'EUR', transactionDate: `${thisMonth}-01T00:00:00.000Z` });
  const page = await open('finance', '/p/aurora/payouts/month?month=2024-05');
  const comparison = page.getByRole('region', { name: 'Reconciliation with the month-end files' });
  const rows = comparison.getByRole('table').getByRole('row');
  const texts = async () =>
    (await rows.allInnerTexts()).map((text) => text.replaceAll('\u2060', '').replaceAll(/\s+/g, ' '));
  await page.getByText(/^The month-end files for May 2024 don’t contain these purchases/).waitFor();
  const files = page.getByRole('link', { name: 'Download month-end files' });
  expect(await files.getAttribute('data-variant'), 'files that contain nothing').toBe('default');
  expect(await rows.count(), 'rows of files that contain nothing').toBe(0);
  await comparison.getByRole('button', { name: 'Show reconciliation' }).click();
  await expect
    .poll(texts)
    .toEqual([
      'Amount This page + Only in the files − Only on this page = Month-end files',
      'Earned USD 123.45 USD – 123.45 USD booked in other months 0.00 USD',
    ]);
  await expectAccessible(page);

  await page.goto(`${service().url}/p/aurora/payouts?group=late`);
  await page.getByRole('button', { name: 'Create payout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create payout' }).click();
  await page.getByText('To be paid').waitFor();
  await new Promise((resolve) => setTimeout(resolve, 1_100)); // the files of this month end a second ago
  await page.goto(`${service().url}/p/aurora/payouts/month?month=${thisMonth}`);
  await expect
    .poll(texts)
    .toEqual([
      'Amount This page + Only in the files − Only on this page = Month-end files',
      'Earned USD 50.00 USD 123.45 USD of other months’ purchases – 173.45 USD',
      'Added to payouts USD marked as paid: 0.00 USD 173.45 USD not marked as paid in the month – 173.45 USD',
    ]);
  await comparison.getByText('The month isn’t over. The files end at').waitFor();
  await comparison.getByText('The amounts in EUR match.').waitFor();
  expect(await files.getAttribute('data-variant'), 'files of a month that isn’t over').toBe('default');
  await comparison.getByRole('button', { name: 'About “Added to payouts”' }).click();
  await page.getByRole('dialog').getByText('This page counts payouts marked as paid').waitFor();
  await page.keyboard.press('Escape');

  const { rows: payouts } = (await (
    await page.request.get(`${service().url}/admin/v1/publishers/aurora/payouts`)
  ).json()) as { rows: { payoutId: string }[] };
  await markPaid(payouts[0]?.payoutId ?? '');
  await page.reload();
  await expect.poll(texts).toContain('Added to payouts USD marked as paid: 173.45 USD – – 173.45 USD');
  await page.goto(`${service().url}/p/aurora/payouts/month?month=${thisMonth}&group=other`);
  await comparison.getByText('All amounts match.').waitFor();

  await page.goto(`${service().url}/p/aurora/payouts/month?month=2020-01`);
  await page.getByText('No activity in this month').waitFor();
  await expect.poll(() => files.getAttribute('data-variant')).toBe('default');

  const phone = await open('finance', `/p/aurora/payouts/month?month=${thisMonth}`, {
    size: { width: 360, height: 780 },
  });
  const compare = phone.getByRole('button', { name: 'Reconcile with month-end files' });
  await compare.waitFor();
  expect(await phone.getByText('− Only on this page').count(), 'amounts before they are asked for').toBe(0);
  const payoutsAt = await phone.getByRole('heading', { name: 'Payouts in this month' }).boundingBox();
  expect(payoutsAt?.y).toBeLessThan((await compare.boundingBox())?.y ?? 0);
  await compare.click();
  const small = phone.getByRole('table', { name: 'Reconciliation in USD' });
  await small.getByText('− Only on this page').first().waitFor();

  await phone.goto(`${service().url}/p/aurora/payouts/month?month=2024-05`);
  await expect
    .poll(() => phone.getByRole('link', { name: 'Download month-end files' }).getAttribute('data-variant'))
    .toBe('filled'); // the month is over, and isn't compared until that is asked for
});
