import { expect, test } from 'vitest';
import { purchase } from '../../../server/test/fixtures.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';

const { open, service, keys } = useDashboard({ mayFail: true });

const send = (json: unknown, query = '') =>
  service().call('POST', `/v1/attributions/transactions${query}`, { key: keys().backend, json });

test.skipIf(!hasBrowser)(
  'shows requests as they arrive, and leads from a count to the rejected requests behind it',
  async () => {
    const page = await open('developer', '/p/aurora/developers');
    await page.getByRole('tab', { name: 'Activity' }).click();
    await page.getByText('No requests').waitFor();
    await send(purchase());
    const table = page.getByRole('table', { name: 'Requests by operation' });
    const creates = table.getByRole('row', { name: /POST \/v1\/attributions\/transactions backend 1 0/ });
    await creates.waitFor();

    await page.getByRole('button', { name: 'Pause' }).click();
    for (const code of ['NOBODY', 'NOBODY', 'NO-ONE']) await send(purchase({ code }));
    await send(purchase(), '?groupId=nowhere');
    await service().call('GET', '/v1/attributions/transactions/no-such', { key: keys().backend });
    await page.waitForTimeout(4_000);
    expect(await creates.count(), 'paused').toBe(1);
    await page.getByRole('button', { name: 'Resume' }).click();
    const failing = table.getByRole('row', {
      name: /POST \/v1\/attributions\/transactions backend 1 4 rejected 400 InvalidInput 3× 400 InvalidGroup 1×/,
    });
    await failing.waitFor();
    await expectAccessible(page, 'the activity');

    await page.getByText('7 days').click();
    await page.waitForURL(/hours=168/);
    await failing.getByRole('link', { name: '4 rejected' }).click();
    await page.getByRole('tab', { name: 'Rejected requests', selected: true }).waitFor();
    const refused = page.getByRole('table', { name: 'Rejected requests' });
    await refused.getByRole('row', { name: /NOBODY/ }).waitFor();
    await refused.getByRole('row', { name: /NO-ONE/ }).waitFor();
    expect(await refused.getByText('NotFound').count(), 'another operation').toBe(0);
    expect(await page.getByRole('textbox', { name: 'Operation' }).inputValue()).toBe(
      'POST /v1/attributions/transactions',
    );

    await page.goBack();
    await table.getByRole('link', { name: 'NotFound' }).click();
    await refused.getByText('NotFound').waitFor();
    expect(await refused.getByText('NOBODY').count()).toBe(0);
  },
);

test.skipIf(!hasBrowser)('shows a rejected request while somebody looks at the list', async () => {
  await send(purchase({ code: 'BEFORE' }));
  const page = await open('developer', '/p/aurora/developers?tab=requests');
  const refused = page.getByRole('table', { name: 'Rejected requests' });
  await refused.getByRole('row', { name: /BEFORE/ }).waitFor();
  await send(purchase({ code: 'JUST-NOW' }));
  await refused.getByRole('row', { name: /JUST-NOW/ }).waitFor();
});

test.skipIf(!hasBrowser)(
  'keeps the last sums, and offers a retry, while they can’t be reloaded',
  async () => {
    await service().call('GET', '/v1/attributions/ping', { key: keys().client });
    const page = await open('developer', '/p/aurora/developers?tab=activity');
    const row = page.getByRole('row', { name: /GET \/v1\/attributions\/ping client/ });
    await row.waitFor();
    await page.route(/\/requests\/sums/, (route) =>
      route.fulfill({ status: 429, json: { code: 'RateLimited', message: 'Not now.' } }),
    );
    const alert = page.getByRole('main').getByRole('alert');
    await alert.getByText('Couldn’t reload').waitFor();
    expect(await row.count()).toBe(1);
    await page.unroute(/\/requests\/sums/);
    await alert.waitFor({ state: 'detached' });
  },
);

test.skipIf(!hasBrowser)('says in two lines on a phone which rejected requests are listed', async () => {
  const page = await open('developer', '/p/aurora/developers?tab=requests', {
    size: { width: 360, height: 740 },
  });
  const intro = page.getByText('Most rejected requests from the last 7 days.');
  await intro.waitFor();
  // A line is about 20 pixels high.
  expect((await intro.boundingBox())?.height).toBeLessThan(52);
});
