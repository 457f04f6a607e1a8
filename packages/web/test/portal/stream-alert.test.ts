import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { purchase } from '../../../server/test/fixtures.ts';
import { hasBrowser } from '../browser.ts';
import { usePortalPages } from '../portal.ts';
import { expectFits } from './expect-fits.ts';

const portal = await usePortalPages({ mayFail: true }); // a replaced address makes the overlay's request fail
const { service, creator, visit, visitAs, makeMember } = portal;

/** Part of the browser's global object. */
interface Styles {
  getComputedStyle(element: unknown): { animationName: string };
}

let streamers = 0;
async function streamer() {
  streamers += 1;
  const code = `STREAM${streamers}`;
  const person = await creator(`stream${streamers}@example.com`, await makeMember('moba', code));
  return {
    code,
    person,
    async sell(description: string): Promise<void> {
      const sold = purchase({ code, description, transactionDate: new Date().toISOString() });
      expect(await portal.record(sold, { query: '?groupId=moba' })).toMatchObject({ status: 200 });
    },
  };
}

/** Creates an address on the page. @returns the path of the overlay in the portal */
async function createAddress(page: Page, name = 'Create address'): Promise<string> {
  await page.getByRole('button', { name, exact: true }).click();
  const address = page.getByText(`${service().url}/creators/alert#`);
  await address.waitFor();
  return ((await address.textContent()) ?? '').replace(`${service().url}/creators`, '');
}

const overlayAt = async (path: string): Promise<Page> => {
  const overlay = await visit(path, { size: { width: 1_280, height: 720 } });
  await overlay.getByText('Connected.').waitFor();
  return overlay;
};

describe.skipIf(!hasBrowser)('a stream alert', () => {
  test('is created, tried and changed on a phone, and shows purchases on the stream', async () => {
    const { code, person, sell } = await streamer();
    const page = await visitAs(person, '/you');
    await page.getByRole('link', { name: 'Open stream alert' }).click();
    await page.getByRole('heading', { name: 'Stream alert', level: 1 }).waitFor();
    const path = await createAddress(page);
    await expectFits(page);
    const overlay = await overlayAt(path);
    expect(await overlay.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
      'rgba(0, 0, 0, 0)',
    );

    await page.getByRole('button', { name: 'Show a test' }).click();
    await overlay.getByText('New purchase with code TEST: Test').waitFor();
    await page.getByText('Connected', { exact: true }).waitFor();

    await page.getByLabel('Text').fill('{code} brought {product}');
    await page.getByLabel('Position').selectOption('Bottom');
    await page.getByLabel('Duration').selectOption('3 seconds');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor({ state: 'attached' });
    await sell('<img src=x onerror=alert(1)> pass');
    await overlay.getByText(`${code} brought <img src=x onerror=alert(1)> pass`).waitFor();
    expect(await overlay.locator('body').getAttribute('data-placement')).toBe('bottom');
    await overlay.locator('.message').waitFor({ state: 'detached' });

    await page.reload();
    await page.getByText('Create a new address').waitFor();
    expect(await page.getByText('creators/alert#').count(), 'shown only once').toBe(0);
    await createAddress(page, 'Create a new address');
    await overlay.getByText('This address doesn’t work anymore.').waitFor({ state: 'attached' });
    await overlay.mouse.move(100, 100);
    await overlay.getByText('This address doesn’t work anymore.').waitFor();
  });

  test('shows one purchase after the other, and returns after the connection was lost', async () => {
    const { person, sell } = await streamer();
    const { address } = (await person.post('/stream-alert/address?publisher=aurora', {})).body;
    const settings = { text: '{product}', placement: 'top', showSeconds: 3 };
    await person.send('PUT', '/stream-alert?publisher=aurora', settings);
    const overlay = await overlayAt(address.replace(`${service().url}/creators`, ''));
    await overlay.emulateMedia({ reducedMotion: 'reduce' });
    const first = overlay.getByText('First', { exact: true }).waitFor();
    const second = overlay.getByText('Second', { exact: true }).waitFor({ timeout: 60_000 });
    // Of the one that appears first.
    const animation = overlay
      .locator('.message')
      .evaluate((element) => (globalThis as unknown as Styles).getComputedStyle(element).animationName);
    await sell('First');
    await sell('Second');
    await first;
    expect(await animation).toBe('none');
    await second;
    // The request that is waiting still gets its purchase. The ones after it fail.
    await overlay.route('**/stream-alert/purchases**', (route) => route.abort());
    await sell('Third');
    await overlay.getByText('Can’t connect.').waitFor({ state: 'attached' });
    await sell('Missed');
    await overlay.unroute('**/stream-alert/purchases**');
    // After the purchases that are still waiting to be shown.
    await overlay.getByText('Missed', { exact: true }).waitFor({ timeout: 40_000 });
  });

  test('says nothing on a stream, whatever is wrong', async () => {
    const inBrowser = await visit('/alert');
    await inBrowser.getByText('The address is incomplete.').waitFor();
    const onStream = await visit('/enter');
    await onStream.addInitScript('window.obsstudio = {}');
    await onStream.goto(`${service().url}/creators/alert#${'x'.repeat(32)}`);
    await onStream.getByText('This address doesn’t work anymore.').waitFor({ state: 'attached' });
    expect(await onStream.getByText('This address doesn’t work anymore.').isVisible()).toBe(false);
  });
});
