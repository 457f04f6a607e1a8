import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { asRole } from '../../../server/test/admin.ts';
import { hasBrowser } from '../browser.ts';
import { usePortalPages } from '../portal.ts';
import { isSettled, textsInNoCatalog, tooWideBy } from '../screens.ts';
import { faultsOf } from './expect-fits.ts';
import { type Furnished, furnish } from './furnish.ts';
import { type Earner, longName } from './furnish-earnings.ts';

const portal = await usePortalPages();
let furnished: Furnished;

beforeAll(async () => {
  if (hasBrowser) furnished = await furnish(portal);
});

/** Returns an amount as the pages show it. */
const shown = (minor: string): string => `${minor.slice(0, -2) || '0'}.${minor.slice(-2).padStart(2, '0')}`;

const titles: Readonly<Record<string, string>> = {
  // A creator's purchases leave the hold period one after the other, so the day is that of the first.
  'hold-period': 'In the hold period Purchases are held in case they’re refunded. The first part is ready on',
  minimum: 'Below the minimum',
  review: 'Under review',
  'in-payout': 'In payout',
};

/** Pages that are full for the creator with purchases and payouts. */
const ofEarner = /^\/(earnings|rates|bounties|payouts)/;
/** Replaces the names of ids in a path. */
const withIds = (path: string): string =>
  path.replace(/:(\w+)/, (_, name: keyof Earner) => String(furnished[name]));

/** Part of the page's types, which the tests lack. */
interface Styles {
  getComputedStyle(element: unknown): { backgroundColor: string; color: string };
}

async function focused(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.textContent');
}

describe.skipIf(!hasBrowser)('Home', () => {
  test('shows the amounts and reasons of the API, for each publisher', async () => {
    const { nova } = furnished;
    const ask = await asRole(portal.service(), 'finance');
    await ask('POST', '/members/acc_nova/gates', { kind: 'review', note: 'suspected of fraud' });
    await portal.create('stars', null, 'EUR');
    const page = await portal.visitAs(nova, '?publisher=aurora');
    await isSettled(page);
    const { groups } = (await nova.get('/home?publisher=aurora')).body;
    const text = (await page.locator('main').allInnerTexts()).join(' ').replaceAll(/\s+/g, ' ');
    const stars = groups.find(({ groupId }: { groupId: string }) => groupId === 'stars');
    expect(stars.currencies).toHaveLength(2);
    for (const {
      currency,
      todayMinor,
      monthMinor,
      balanceMinor,
      nextPayoutMinor,
      waiting,
    } of stars.currencies) {
      expect(text).toContain(`Next payout ${shown(nextPayoutMinor)} ${currency}`);
      expect(text).toContain(`Today ${shown(todayMinor)} ${currency}`);
      expect(text).toContain(`This month ${shown(monthMinor)} ${currency}`);
      expect(text).toContain(`Balance ${shown(balanceMinor)} ${currency}`);
      expect(waiting.length).toBeGreaterThan(0);
      for (const { amountMinor, reasons } of waiting) {
        expect(text).toContain(`${shown(amountMinor)} ${currency}`);
        for (const { kind } of reasons) expect(text).toContain(titles[kind] ?? `no words for ${kind}`);
      }
    }
    expect(text).toContain(
      `planned for 15 ${new Date(stars.plannedFor).toLocaleString('en-GB', { month: 'short', timeZone: 'UTC' })}`,
    );
    expect(text).toContain('Guild Aurora Games hasn’t approved you for');
    expect(text).not.toContain('suspected');
    await page.getByLabel('Publisher').selectOption('Borealis Interactive');
    await page.getByText('No earnings yet').waitFor();
    await page.reload();
    await page.getByText('No earnings yet').waitFor();
    expect(await page.getByLabel('Publisher').inputValue()).toBe('rival');
  });

  test('shows on which days the hold period ends, and the days add up to the amount', async () => {
    const { nova } = furnished;
    const page = await portal.visitAs(nova, '?publisher=aurora');
    await isSettled(page);
    const { memberships } = (await nova.get('/hold-period?publisher=aurora&groupId=stars')).body;
    const [{ currency, amountMinor, days }] = memberships[0].currencies;
    const row = page
      .locator('li', { hasText: 'In the hold period' })
      .filter({ hasText: `${shown(amountMinor)} ${currency}` })
      .first();
    await row.getByRole('button', { name: 'Show each day' }).click();
    await row.getByText('Days are in UTC. Refunds can still lower the amounts.').waitFor();
    const lines = await row.locator('li').allInnerTexts();
    expect(lines).toHaveLength(days.length);
    expect(days.length).toBeGreaterThan(0);
    for (const [at, day] of days.entries())
      expect(lines[at]?.replaceAll(/\s+/g, ' ')).toContain(`${shown(day.amountMinor)} ${currency}`);
    expect(await faultsOf(page)).toEqual([]);
    await row.getByRole('button', { name: 'Hide the days' }).click();
    expect(await row.locator('li').count()).toBe(0);
  });

  test('moves the focus to the heading after each navigation, with Back too', async () => {
    const page = await portal.visitAs(furnished.nova, '');
    await isSettled(page);
    expect(await focused(page)).not.toBe('Your earnings');
    for (const [link, name] of [
      ['Codes', 'Your codes'],
      ['You', 'You'],
      ['Home', 'Your earnings'],
    ] as const) {
      await page.getByRole('link', { name: link, exact: true }).click();
      await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
      await expect.poll(() => focused(page)).toBe(name);
      expect(await page.getByRole('link', { name: link, exact: true }).getAttribute('aria-current')).toBe(
        'page',
      );
      await expect.poll(() => page.title()).toBe(`${name} · Creators`);
    }
    await page.goBack();
    await expect.poll(() => focused(page)).toBe('You');
  });

  test('copies a code, and shows its QR code', async () => {
    const page = await portal.visitAs(furnished.nova, '/codes?publisher=aurora');
    await page.getByRole('button', { name: 'Copy NOVA-LIVE' }).click();
    await page.getByText('Copied').first().waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('NOVA-LIVE');
    await page.getByRole('button', { name: 'Show QR code of NOVA-LIVE' }).click();
    await page.getByRole('img', { name: 'QR code of NOVA-LIVE' }).waitFor();
    await page
      .getByText('Purchases with this code aren’t credited to you: Aurora Games hasn’t approved it.')
      .first()
      .waitFor();
  });

  test('copies a new auth code, which shows how long it works', async () => {
    const page = await portal.visitAs(furnished.nova, '/auth-code?publisher=aurora');
    await page.getByRole('button', { name: 'Create auth code' }).click();
    const code = (await page.getByText(/^\w{4}-\w{4}$/).textContent()) ?? '';
    await page.getByText(/Works once, until .* \((29|30):\d\d\)/).waitFor();
    await page.getByRole('button', { name: `Copy ${code}` }).click();
    await page.getByText('Copied').first().waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code);
  });

  test.each([
    ...[
      '',
      '/codes',
      '/link',
      '/you',
      '/your-data',
      '/profile',
      '/payout-method',
      '/payout-method/new',
      '/enter',
      '/nowhere',
    ],
    ...[
      '/earnings',
      '/rates',
      '/bounties',
      '/bounties?state=over',
      '/payouts',
      '/statements',
      '/stream-alert',
    ],
    ...['/earnings/:earningId', '/earnings/:refundedId', '/payouts/:lineId', '/payouts/:returnedLineId'],
  ])(
    'and every page can be translated, and mirrored for languages written from right to left: %s',
    async (path) => {
      const options = { locale: 'en-XA' };
      const page = await (path === '/enter'
        ? portal.visit(path, options)
        : portal.visitAs(ofEarner.test(path) ? furnished.iris : furnished.nova, withIds(path), options));
      await isSettled(page);
      // The title of a purchase is the publisher's description.
      expect((await textsInNoCatalog(page)).filter((text) => text !== longName)).toEqual([]);
      expect(await tooWideBy(page)).toBe(0);
      await page.evaluate("document.documentElement.dir = 'rtl'");
      expect(await tooWideBy(page)).toBe(0);
      if (path === '') {
        const title = await page.getByRole('heading', { level: 1 }).boundingBox();
        const choice = await page.locator('header select').boundingBox();
        for (const box of [title, choice]) expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(330);
      }
    },
  );

  test('has the color of its publisher, with readable text in both themes', async () => {
    const page = await portal.visitAs(furnished.nova, '?publisher=rival');
    const button = page.getByRole('link', { name: 'Show my codes' });
    await button.waitFor();
    const colors = (): Promise<string[]> =>
      button.evaluate((element) => {
        const { backgroundColor, color } = (globalThis as unknown as Styles).getComputedStyle(element);
        return [backgroundColor, color];
      });
    await expect.poll(colors).toEqual(['rgb(122, 31, 162)', 'rgb(255, 255, 255)']);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(async () => (await colors())[1]).toBe('rgb(15, 20, 25)');
    expect((await colors())[0]).not.toBe('rgb(122, 31, 162)');
  });
});
