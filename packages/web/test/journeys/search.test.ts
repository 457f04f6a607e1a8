import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { purchase } from '../../../server/test/fixtures.ts';
import { hasBrowser, useDashboard } from '../browser.ts';

const { open, service, keys } = useDashboard();

const field = (page: Page) => page.getByRole('textbox', { name: 'Search' });

/** Types as fast as keys can come: the next goes down before the one before was looked at. */
const typeAtOnce = (page: Page, text: string): Promise<unknown> =>
  Promise.all([
    page.keyboard.down('Control'),
    page.keyboard.down('k'),
    page.keyboard.up('Control'),
    page.keyboard.up('k'),
    ...[...text].map((letter) => page.keyboard.press(letter)),
  ]);

test.skipIf(!hasBrowser)(
  'no letter is lost that is typed from the moment of the key press',
  async () => {
    const page = await open('owner', '/p/aurora/creators');
    await page.getByRole('button', { name: 'Search' }).waitFor();
    const text = 'order-1234567890-abcdefgh';
    const lost: string[] = [];
    for (let round = 0; round < 40; round += 1) {
      // From a field, a button and nothing; opened for the first time, and again while it fades out.
      if (round % 3 === 1) await page.getByLabel('Name, code or id').focus();
      if (round % 3 === 2) await page.getByRole('button', { name: 'Search' }).focus();
      await typeAtOnce(page, text);
      const shown = await field(page)
        .inputValue({ timeout: 5_000 })
        .catch((error: unknown) => String(error));
      if (shown !== text) lost.push(`round ${round}: ${shown}`);
      await page.keyboard.press('Escape');
      if (round % 2 === 0) await field(page).waitFor({ state: 'detached' });
    }
    expect(lost).toEqual([]);
    expect(await page.getByLabel('Name, code or id').inputValue()).toBe('');
  },
  120_000,
);

test.skipIf(!hasBrowser)(
  'letters wait for a dialog whose code comes late, are corrected meanwhile, and are nobody else’s',
  async () => {
    const page = await open('owner', '/p/aurora/creators');
    await page.getByRole('button', { name: 'Search' }).waitFor();
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/search-dialog/, async (route) => {
      await held;
      await route.continue();
    });
    // Behind a fresh document, so that nothing of it is loaded yet.
    await page.reload();
    await page.getByLabel('Name, code or id').focus();
    await typeAtOnce(page, 'alicX');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('e');
    release();
    await expect.poll(() => field(page).inputValue()).toBe('alice');
    await page.keyboard.type('!');
    expect(await field(page).inputValue()).toBe('alice!');
    expect(await page.getByLabel('Name, code or id').inputValue()).toBe('');
  },
);

test.skipIf(!hasBrowser)(
  'a code that nobody has leads to its check and to what was refused with it',
  async () => {
    await service().call('POST', '/v1/attributions/transactions', {
      key: keys().backend,
      json: purchase({ code: 'NEVERHEARD' }),
    });
    const page = await open('owner', '/p/aurora/overview');
    await page.getByRole('button', { name: 'Search' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('NEVERHEARD');
    await page.getByRole('button', { name: 'Rejected requests with NEVERHEARD' }).waitFor();
    await page.getByRole('button', { name: 'Check code NEVERHEARD' }).waitFor();
    // It is the first, so Enter takes it.
    await page.keyboard.press('Enter');
    await page.getByText('NEVERHEARD is refused in').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('NEVERHEARD');
    await page.getByRole('button', { name: 'Rejected requests with NEVERHEARD' }).click();
    await page.getByRole('heading', { name: 'Developers' }).waitFor();
    expect(new URL(page.url()).searchParams.get('sentCode')).toBe('NEVERHEARD');
    const viewer = await open('viewer', '/p/aurora/overview');
    await viewer.getByRole('button', { name: 'Search' }).waitFor();
    await viewer.keyboard.press('Control+k');
    await viewer.keyboard.type('NEVERHEARD');
    await viewer.getByRole('button', { name: 'Check code NEVERHEARD' }).waitFor();
    expect(await viewer.getByRole('button', { name: 'Rejected requests' }).count()).toBe(0);
  },
);

test.skipIf(!hasBrowser)('what can be done is found by its name, by who may do it', async () => {
  const page = await open('owner', '/p/aurora/overview');
  await page.getByRole('button', { name: 'Search' }).waitFor();
  const choose = async (typed: string, name: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(typed);
    await page.getByRole('button', { name, exact: true }).click();
  };
  await choose('invite col', 'Invite colleague');
  await page.getByRole('dialog', { name: 'Invite somebody' }).waitFor();
  expect(new URL(page.url()).searchParams.get('do')).toBeNull();
  await page.keyboard.press('Escape');
  await choose('make key', 'Make API key');
  await page.getByRole('dialog', { name: 'Make a key' }).waitFor();
  await page.keyboard.press('Escape');
  await choose('new creator', 'Add creator');
  await page.getByRole('dialog', { name: 'Add a creator' }).waitFor();
  await page.keyboard.press('Escape');
  await choose('endpoint', 'Add webhook endpoint');
  await page.getByRole('dialog').getByRole('heading').first().waitFor();
  await page.keyboard.press('Escape');
  await choose('new schedule', 'New schedule');
  await page.getByRole('dialog', { name: 'New schedule' }).waitFor();
  await page.keyboard.press('Escape');
  await choose('create payout', 'Create payout');
  // A payout is of one group, which is chosen first.
  await page.getByRole('table', { name: 'Due by group and currency' }).getByRole('link').first().click();
  await page.getByRole('button', { name: 'Create payout' }).waitFor();
  const viewer = await open('viewer', '/p/aurora/overview');
  await viewer.getByRole('button', { name: 'Search' }).waitFor();
  await viewer.keyboard.press('Control+k');
  await viewer.keyboard.type('create payout');
  await viewer.getByRole('button', { name: 'Check code create payout' }).waitFor();
  expect(await viewer.getByRole('button', { name: 'Create payout', exact: true }).count()).toBe(0);
});

test.skipIf(!hasBrowser)('what is chosen stands out, and has room around it', async () => {
  const page = await open('owner', '/p/aurora/overview');
  await page.getByRole('button', { name: 'Search' }).click();
  await field(page).fill('create payout');
  await page.locator('[data-action][data-selected]').waitFor();
  const style = `getComputedStyle(document.querySelector('[data-action][data-selected]'))`;
  expect(await page.evaluate(`${style}.paddingLeft`)).not.toBe('0px');
  expect(await page.evaluate(`${style}.backgroundColor`)).not.toBe('rgba(0, 0, 0, 0)');
});
