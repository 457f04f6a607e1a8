import { expect, test } from 'vitest';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { payingOf } from '../paying.ts';

const dashboard = useDashboard();
const { open, service } = dashboard;
const { makeGroup, earn } = payingOf(dashboard);

test.skipIf(!hasBrowser)('says before a payout who has no payout method, and lists them', async () => {
  await makeGroup('unpaid', 'holdDays: 0,');
  await earn('unpaid', 'A', 90_000);
  await earn('unpaid', 'A', 70_000, { currency: 'EUR' });
  const page = await open('finance', '/p/aurora/payouts?group=unpaid');
  await page.getByText('1 creator who is due a payment has no payout method').waitFor();
  expect(await page.getByText(/^No minimum payout/).count(), 'no small amount').toBe(0);
  await earn('unpaid', 'B', 499);
  await page.getByRole('button', { name: 'Refresh preview' }).click();
  await page.getByText('2 creators who are due a payment have no payout method').waitFor();
  await page.getByText('No minimum payout is set in USD. Smallest amounts due: 4.99 USD.').waitFor();
  await page.getByRole('link', { name: 'List them' }).click();
  await page.getByText('Only creators without a payout method are listed.').waitFor();
  const list = page.getByRole('table', { name: 'Creators in this payout' });
  await expect.poll(() => list.locator('tbody').getByText('no payout method').count()).toBe(3);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'List all creators' }).click();
  await page.getByText('Only creators without a payout method are listed.').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Create 2 payouts' }).click();
  await page
    .getByRole('dialog')
    .getByText('None of these 3 payments can go into a payment file, because no creator has a payout method.')
    .waitFor();
});

test.skipIf(!hasBrowser)(
  'names the currencies without a minimum payout, and links to their group',
  async () => {
    await makeGroup('floor', 'holdDays: 0, payoutMinimums: { USD: 1000 },');
    await earn('floor', 'A', 90_000);
    await earn('floor', 'A', 80_000, { currency: 'GBP' });
    await earn('floor', 'B', 75, { currency: 'JPY' });
    const page = await open('owner', '/p/aurora/payouts?group=floor');
    await page
      .getByText('No minimum payout is set in GBP and JPY. Smallest amounts due: 800.00 GBP, 75 JPY.')
      .waitFor();
    await page.getByRole('link', { name: 'Set minimums' }).click();
    await page.getByRole('dialog').getByRole('group', { name: 'Minimum payout' }).waitFor();

    await page.goto(`${service().url}/p/aurora/payouts`);
    await page.getByRole('link', { name: 'floor: GBP and JPY' }).waitFor();
    await page.getByRole('link', { name: 'floor: 2' }).click();
    await page.getByText('Only creators without a payout method are listed.').waitFor();

    const support = await open('support', '/p/aurora/payouts?group=floor');
    await support.getByText('No minimum payout is set in GBP and JPY').waitFor();
    expect(await support.getByRole('link', { name: 'Set minimums' }).count()).toBe(0);
  },
);

test.skipIf(!hasBrowser)('says why a payout is overdue, and since when', async () => {
  const page = await open('finance', '/p/aurora/ledger');
  await page.route('**/admin/v1/publishers/aurora/attention*', async (route) => {
    const response = await route.fetch();
    const overdue = [
      {
        groupId: 'floor',
        plannedFor: '2026-03-15T00:00:00.000Z',
        withinDays: 3,
        overdueSince: '2026-03-19T00:00:00.000Z',
      },
    ];
    await route.fulfill({ response, json: { ...(await response.json()), overdue } });
  });
  await page.goto(`${service().url}/p/aurora/overview`);
  const item = page.getByRole('listitem').filter({ hasText: 'The payout of floor is overdue' });
  await item.getByText('since 19 Mar 2026').waitFor();
  await item
    .getByText(
      'Planned for 15 Mar 2026, promised within 3 days. Creators were due a payment that day, but no payout has been created since.',
    )
    .waitFor();
});
