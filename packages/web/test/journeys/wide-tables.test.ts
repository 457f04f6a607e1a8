import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { tooWideBy } from '../screens.ts';

const { open } = useDashboard({ hasDemo: true });

/** Returns the edges of a scrolling table behind which there is more, which fade. */
const faded = async (area: Locator): Promise<string[]> => {
  const edges: string[] = [];
  for (const edge of ['before', 'after'])
    if ((await area.getAttribute(`data-more-${edge}`)) !== null) edges.push(edge);
  return edges;
};

test.skipIf(!hasBrowser)(
  'a table that is wider than a phone fades at the edge that has more behind it, and can be scrolled with the keyboard',
  async () => {
    const page = await open('owner', '/p/aurora/team?tab=roles', { size: { width: 360, height: 740 } });
    const area = page.getByRole('region', { name: 'Roles and permissions' });
    await area.waitFor();
    expect(await faded(area)).toEqual(['after']);
    expect(
      await page.evaluate("getComputedStyle(document.querySelector('[data-more-after]')).maskImage"),
    ).toContain('linear-gradient');
    await expectAccessible(page);
    await area.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => faded(area)).toEqual(['before', 'after']);
    await page.evaluate("document.querySelector('[data-more-after]').scrollLeft = 10_000");
    await expect.poll(() => faded(area)).toEqual(['before']);
    await page.setViewportSize({ width: 1_440, height: 900 });
    await area.waitFor({ state: 'detached' });
    await page.getByRole('table', { name: 'Roles and permissions' }).waitFor();
  },
);

test.skipIf(!hasBrowser)('on a phone, rows that lead to a page show that they open', async () => {
  const page = await open('owner', '/p/aurora/webhooks', { size: { width: 360, height: 740 } });
  const row = page.getByRole('row', { name: /aurora\.example/ });
  const chevron = row.locator('td').last().locator('svg');
  await chevron.waitFor();
  const [line, mark] = [await row.boundingBox(), await chevron.boundingBox()];
  // It is at the end of the row, as in other lists.
  expect((line?.x ?? 0) + (line?.width ?? 0) - (mark?.x ?? 0)).toBeLessThan(32);
  // The row's link lies over it.
  await chevron.click({ force: true });
  await page.getByRole('heading', { name: 'game.aurora.example', level: 1 }).waitFor();
  await page.goto(new URL('/p/aurora/payouts/made', page.url()).href);
  await page
    .getByRole('table', { name: 'Payouts', exact: true })
    .locator('tbody tr')
    .first()
    .locator('td')
    .last()
    .locator('svg')
    .click({ force: true });
  await page.waitForURL(/\/payouts\/0/);
});

test.skipIf(!hasBrowser)('lists count what they leave out in one form', async () => {
  const page = await open('owner', '/p/aurora/webhooks');
  await page
    .getByRole('row', { name: /aurora\.example/ })
    .getByText(/^\+\d+ more$/)
    .waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(new URL('/p/aurora/creators', page.url()).href);
  await page
    .getByRole('row')
    .getByText(/^\+\d+ more$/)
    .first()
    .waitFor();
  expect(
    await page
      .getByRole('row')
      .getByText(/^\d+ more$/)
      .count(),
  ).toBe(0);
});

/** Returns the different heights of a table's rows. */
const rowHeights = async (page: Page, table: string): Promise<number[]> => {
  const rows = page
    .getByRole('table', { name: table })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .filter({ hasNot: page.getByRole('columnheader') });
  await rows.first().waitFor();
  const heights = await Promise.all(
    (await rows.all()).map(async (row) => Math.round((await row.boundingBox())?.height ?? 0)),
  );
  return [...new Set(heights)];
};

test.skipIf(!hasBrowser).each([
  ['transactions', 'Transactions', 768],
  ['creators', 'Creators', 768],
  ['creators', 'Creators', 1_440],
  ['payouts/owed', 'Balances', 768],
  ['payouts?group=main', 'Creators in this payout', 768],
  ['payouts?group=main', 'Creators in this payout', 1_440],
])('all rows of %s have the same height (%s, %i pixels wide)', async (path, table, width) => {
  const page = await open('owner', `/p/aurora/${path}`, { size: { width, height: 900 } });
  const heights = await rowHeights(page, table);
  expect(Math.max(...heights) - Math.min(...heights), heights.join()).toBeLessThanOrEqual(1);
  expect(Math.max(...heights), 'one line').toBeLessThan(40);
  expect(await tooWideBy(page)).toBeLessThanOrEqual(0);
  const list = page.getByRole('table', { name: table });
  expect(await list.evaluate(isCut), 'the table fits').toBe(false);
});

/** Returns whether a table is wider than the area that it scrolls in. */
const isCut = (table: { parentElement: { scrollWidth: number; clientWidth: number } }): boolean =>
  table.parentElement.scrollWidth > table.parentElement.clientWidth + 1;

test.skipIf(!hasBrowser)('balances are under their currency, largest first, after debts', async () => {
  const page = await open('owner', '/p/aurora/payouts/owed');
  const list = page.getByRole('table', { name: 'Balances' });
  const heads = list.getByRole('rowheader');
  await heads.first().waitFor();
  const [first = '', second = ''] = await heads.allInnerTexts();
  expect(first).toMatch(/^USD: 1 creator owes you [\d.]+\sUSD$/);
  expect(second).toMatch(/^EUR: you owe [\d.]+\sEUR to \d+ creators$/);
  const amounts = await list.locator('tbody').nth(1).locator('td[data-align=end]').allInnerTexts();
  const minor = amounts.map((text) => Number(text.replace(/[^\d]/g, '')));
  expect(minor).toEqual(minor.toSorted((one, other) => other - one));
  await page.getByLabel('Name, code, or ID').fill('basil');
  await heads.nth(1).waitFor({ state: 'detached' });
  await list.getByRole('row', { name: /Basil/ }).waitFor();
});

test.skipIf(!hasBrowser)('a payout preview leaves out what the amounts repeat, and dims zeros', async () => {
  const page = await open('owner', '/p/aurora/payouts?group=main&currency=GBP');
  const list = page.getByRole('table', { name: 'Creators in this payout' });
  const none = list.getByText(/^0\.00\s/).first();
  await none.waitFor();
  expect(await list.getByRole('columnheader', { name: 'Earned' }).count()).toBe(0);
  const weightOf = (place: Locator): Promise<string> =>
    place.evaluate((node) => node.ownerDocument.defaultView.getComputedStyle(node).fontWeight);
  expect(await weightOf(none)).toBe('400');
});
