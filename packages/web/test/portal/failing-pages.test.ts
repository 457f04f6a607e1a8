import { describe, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { usePortalPages } from '../portal.ts';
import { expectFits } from './expect-fits.ts';

const { creator, visitAs, makeGroup, earn, settle } = await usePortalPages({ mayFail: true });

const unknownId = '01900000-0000-7000-8000-000000000000';

describe.skipIf(!hasBrowser)('a page whose request fails', () => {
  test('says so, and shows its content after “Try again”', async () => {
    await makeGroup('fails', 'holdDays: 0,');
    await earn('fails', 'A', 500);
    await settle();
    const person = await creator('fails@example.com', 'acc_fails_A');
    for (const [path, failure, content] of [
      ['/earnings', 'Couldn’t load your earnings', 'Battle pass'],
      ['/rates', 'Couldn’t load your rates', 'Upcoming'],
      ['/bounties', 'Couldn’t load the bounties', 'No bounties are open right now.'],
      ['/payouts', 'Couldn’t load your payouts', 'No payouts yet'],
      ['/statements', 'Couldn’t load your statements', 'No statements yet'],
    ] as const) {
      const page = await visitAs(person, '/you');
      await page.getByRole('heading', { name: 'You', exact: true }).waitFor();
      await page.route(`**/portal/v1${path}?**`, (route) =>
        route.fulfill({ status: 500, json: { code: 'UnknownError', message: 'Something failed.' } }),
      );
      await page.goto(new URL(`/creators${path}`, page.url()).href);
      await page.getByText(failure).waitFor();
      await expectFits(page);
      await page.unroute(`**/portal/v1${path}?**`);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText(content).first().waitFor();
    }
  });

  test('says that a purchase, payout or statement of another creator does not exist', async () => {
    const person = await creator('fails-too@example.com', 'acc_fails_B');
    for (const [path, message] of [
      [`/earnings/${unknownId}`, 'None of your earnings at this publisher has this id.'],
      [`/payouts/${unknownId}`, 'None of your payouts at this publisher has this id.'],
      [`/statements/${unknownId}`, 'None of your statements has this id.'],
    ] as const) {
      const page = await visitAs(person, path);
      await page.getByText(message).waitFor();
      await expectFits(page);
    }
  });
});
