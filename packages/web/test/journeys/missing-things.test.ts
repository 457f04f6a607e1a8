import { expect, test } from 'vitest';
import { hasBrowser, useDashboard } from '../browser.ts';

const { open } = useDashboard();
const unknown = '01900000-0000-7000-8000-000000000000';

test.skipIf(!hasBrowser).each([
  ['Payout', `payouts/${unknown}`],
  ['Pay run', `payouts/runs/${unknown}`],
  ['Purchase', 'payouts/taken-back?transaction=order-0'],
  ['Purchase', 'transactions?open=order-0'],
  ['Creator', 'creators?group=main&open=nobody'],
  ['Change', `audit?open=${unknown}`],
  ['Bounty', `bounties?open=${unknown}`],
  ['Request', `developers?tab=requests&open=${unknown}`],
])('says that there is no such thing, without a retry: %s, %s', async (thing, path) => {
  const page = await open('owner', `/p/aurora/${path}`);
  const notice = page.getByRole('alert').filter({ hasText: `${thing} not found` });
  await notice.waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  expect(await notice.textContent()).not.toMatch(/NotFound|Request ID|0190/);
});
