import { beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { usePortalPages } from '../portal.ts';
import { isSettled } from '../screens.ts';
import { type Furnished, furnish } from './furnish.ts';

const portal = await usePortalPages({ mayFail: true }); // the browser logs each request that fails offline
let furnished: Furnished;

beforeAll(async () => {
  if (hasBrowser) furnished = await furnish(portal);
});

describe.skipIf(!hasBrowser)('the portal', () => {
  test('works while the phone is offline, says so, and loads the page once the phone is online again', async () => {
    const page = await portal.visitAs(furnished.nova, '?publisher=aurora');
    await isSettled(page);
    await page.getByRole('link', { name: 'Codes' }).click();
    await page.getByText('NOVA-LIVE').waitFor();
    await page.context().setOffline(true);
    await page.getByText('You’re offline. Amounts may be out of date.').waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByText('Next payout').first().waitFor();
    await page.getByRole('link', { name: 'You', exact: true }).click();
    await page.getByText('Check your internet connection, then try again.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Check your internet connection, then try again.').waitFor();
    await page.context().setOffline(false);
    await page.getByText('nova@example.com').waitFor();
    expect(await page.getByText('You’re offline').count()).toBe(0);
  });
});
