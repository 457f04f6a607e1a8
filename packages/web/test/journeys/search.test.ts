import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { purchase } from '../../../server/test/fixtures.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';

const { open, service, keys } = useDashboard();

const field = (page: Page) => page.getByRole('textbox', { name: 'Search' });

/** Types as fast as possible: each key goes down before the previous one is handled. */
const typeAtOnce = (page: Page, text: string): Promise<unknown> =>
  Promise.all([
    page.keyboard.down('Control'),
    page.keyboard.down('k'),
    page.keyboard.up('Control'),
    page.keyboard.up('k'),
    ...[...text].map((letter) => page.keyboard.press(letter)),
  ]);

test.skipIf(!hasBrowser)(
  'never loses a letter typed after the shortcut',
  async () => {
    const page = await open('owner', '/p/aurora/creators');
    await page.getByRole('button', { name: 'Search' }).waitFor();
    const text = 'order-1234567890-abcdefgh';
    const lost: string[] = [];
    for (let round = 0; round < 40; round += 1) {
      // Tests with nothing, a field or a button focused, on first use and again while the dialog fades out.
      if (round % 3 === 1) await page.getByLabel('Name, code, or ID').focus();
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
    expect(await page.getByLabel('Name, code, or ID').inputValue()).toBe('');
  },
  120_000,
);

test.skipIf(!hasBrowser)(
  'keeps and edits letters typed before the dialog loads, away from the focused field',
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
    // Tests a new document, where the dialog isn't loaded yet.
    await page.reload();
    await page.getByLabel('Name, code, or ID').focus();
    await typeAtOnce(page, 'alicX');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('e');
    release();
    await expect.poll(() => field(page).inputValue()).toBe('alice');
    await page.keyboard.type('!');
    expect(await field(page).inputValue()).toBe('alice!');
    expect(await page.getByLabel('Name, code, or ID').inputValue()).toBe('');
  },
);

test.skipIf(!hasBrowser)('offers the check and the rejected requests of an unknown code', async () => {
  await service().call('POST', '/v1/attributions/transactions', {
    key: keys().backend,
    json: purchase({ code: 'NEVERHEARD' }),
  });
  const page = await open('owner', '/p/aurora/overview');
  await page.getByRole('button', { name: 'Search' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('NEVERHEARD');
  await page.getByRole('button', { name: 'Rejected requests with “NEVERHEARD”' }).waitFor();
  await page.getByRole('button', { name: 'Check code “NEVERHEARD”' }).waitFor();
  await page.getByText('No results for “NEVERHEARD”').waitFor();
  // This is the first entry, so Enter opens it.
  await page.keyboard.press('Enter');
  await page.getByText('NEVERHEARD is rejected in').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('NEVERHEARD');
  await page.getByRole('button', { name: 'Rejected requests with “NEVERHEARD”' }).click();
  await page.getByRole('heading', { name: 'Developers' }).waitFor();
  expect(new URL(page.url()).searchParams.get('sentCode')).toBe('NEVERHEARD');
  const viewer = await open('viewer', '/p/aurora/overview');
  await viewer.getByRole('button', { name: 'Search' }).waitFor();
  await viewer.keyboard.press('Control+k');
  await viewer.keyboard.type('NEVERHEARD');
  await viewer.getByRole('button', { name: 'Check code “NEVERHEARD”' }).waitFor();
  expect(await viewer.getByRole('button', { name: 'Rejected requests' }).count()).toBe(0);
});

test.skipIf(!hasBrowser)('finds actions by name, if the role allows them', async () => {
  const page = await open('owner', '/p/aurora/overview');
  await page.getByRole('button', { name: 'Search' }).waitFor();
  const choose = async (typed: string, name: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(typed);
    await page.getByRole('button', { name, exact: true }).click();
  };
  await choose('invite col', 'Invite colleague');
  await page.getByRole('dialog', { name: 'Invite colleague' }).waitFor();
  expect(new URL(page.url()).searchParams.get('do')).toBeNull();
  await page.keyboard.press('Escape');
  await choose('make key', 'Create API key');
  await page.getByRole('dialog', { name: 'Create API key' }).waitFor();
  await page.keyboard.press('Escape');
  await choose('new creator', 'Add creator');
  await page.getByRole('dialog', { name: 'Add creator' }).waitFor();
  await page.keyboard.press('Escape');
  await choose('endpoint', 'Add webhook endpoint');
  await page.getByRole('dialog').getByRole('heading').first().waitFor();
  await page.keyboard.press('Escape');
  await choose('new schedule', 'Create schedule');
  await page.getByRole('dialog', { name: 'Create schedule' }).waitFor();
  await page.keyboard.press('Escape');
  await choose('create payout', 'Create payout');
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Create( \d+)? payouts?$/ })
    .waitFor();
  const viewer = await open('viewer', '/p/aurora/overview');
  await viewer.getByRole('button', { name: 'Search' }).waitFor();
  await viewer.keyboard.press('Control+k');
  await viewer.keyboard.type('create payout');
  await viewer.getByText('No results for “create payout”').waitFor();
  expect(await viewer.getByRole('button', { name: /^Check code/ }).count(), 'a code has no spaces').toBe(0);
  expect(await viewer.getByRole('button', { name: 'Create payout', exact: true }).count()).toBe(0);
});

test.skipIf(!hasBrowser)(
  'offers frequent actions before anything is typed, if the role allows them',
  async () => {
    const dialogOf = async (role: 'owner' | 'viewer'): Promise<{ page: Page; names: string[] }> => {
      const page = await open(role, '/p/aurora/overview');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('button', { name: 'Check code', exact: true }).waitFor();
      return { page, names: await page.locator('[data-action]').allInnerTexts() };
    };
    const viewer = await dialogOf('viewer');
    expect(viewer.names.slice(0, 2)).toEqual(['Check code', 'Overview\nG O']);
    const { page, names } = await dialogOf('owner');
    expect(names).toEqual(expect.arrayContaining(['Create payout', 'Add connector', 'Invite colleague']));
    expect(names, 'only frequent actions').not.toContain('Create tier');
    await expectAccessible(page, 'the search before anything is typed');
    // Enter doesn't start an action that the reader didn't choose.
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).pathname).toBe('/p/aurora/overview');
    await page.getByRole('button', { name: 'Edit many creators' }).click();
    await page.getByRole('dialog', { name: 'Edit many creators' }).waitFor();
    expect(new URL(page.url()).searchParams.get('do')).toBeNull();
  },
);

test.skipIf(!hasBrowser)('highlights the selected entry, with padding', async () => {
  const page = await open('owner', '/p/aurora/overview');
  await page.getByRole('button', { name: 'Search' }).click();
  await field(page).fill('create payout');
  await page.locator('[data-action][data-selected]').waitFor();
  const style = `getComputedStyle(document.querySelector('[data-action][data-selected]'))`;
  expect(await page.evaluate(`${style}.paddingLeft`)).not.toBe('0px');
  expect(await page.evaluate(`${style}.backgroundColor`)).not.toBe('rgba(0, 0, 0, 0)');
});

test.skipIf(!hasBrowser)(
  'opens a creator found by a part of the name, and a purchase by the start of its id',
  async () => {
    await service().call('POST', '/v1/attributions/transactions', {
      key: keys().backend,
      json: purchase({ transactionId: 'begins-like-this' }),
    });
    const page = await open('support', '/p/aurora/overview');
    for (const [typed, about] of [
      ['begins-l', 'begins-like-this'],
      ['lic', 'acc_alice'],
    ] as const) {
      await page.getByRole('button', { name: 'Search' }).click();
      await field(page).fill(typed);
      await page.getByRole('button', { name: /^(begins-like-this|Alice)/ }).waitFor();
      await page.keyboard.press('Enter');
      await expect.poll(() => new URL(page.url()).searchParams.get('open')).toBe(about);
      await page.goBack();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
    }
  },
);
