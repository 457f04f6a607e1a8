import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { asRole } from '../../../server/test/admin.ts';
import { purchase } from '../../../server/test/fixtures.ts';
import { settleAll } from '../../../server/test/money.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { payingOf } from '../paying.ts';
import { isSettled, tooWideBy } from '../screens.ts';

const dashboard = useDashboard();
const { open, service, keys } = dashboard;
const { makeGroup, earn, markPaid } = payingOf(dashboard);
const record = (key: string, sent: unknown) =>
  service().call('POST', '/v1/attributions/transactions', { key, json: sent });
const choice = (page: Page) => page.getByRole('combobox', { name: 'Creator group' });
const chosen = (page: Page): Promise<unknown> =>
  page.evaluate(
    `document.querySelector('select[aria-label="Creator group"]')?.selectedOptions[0].textContent`,
  );

beforeAll(async () => {
  if (!hasBrowser) return;
  const transactionDate = '2026-01-05T12:00:00.000Z';
  await record(keys().backend, purchase({ transactionId: 'of-main', subtotal: 10_000, transactionDate }));
  const ofMoba = { transactionId: 'of-moba', subtotal: 50_000, code: 'DORA', transactionDate };
  await record(keys().moba, purchase(ofMoba));
  await settleAll(service().testDatabase.database.db);
});

/** Names of the selected boxes whose check mark is behind the box. A pointer passes through the mark, unless it may not. */
const hiddenMarks = `[...document.querySelectorAll('table input:is(:checked, :indeterminate)')].flatMap((box) => {
  const mark = box.parentElement.querySelector('svg');
  mark.style.pointerEvents = 'all';
  box.scrollIntoView({ block: 'center' });
  const { x, y, width, height } = mark.getBoundingClientRect();
  const found = document.elementFromPoint(x + width / 2, y + height / 2);
  mark.style.pointerEvents = '';
  return mark.contains(found) ? [] : [box.getAttribute('aria-label')];
})`;

describe.skipIf(!hasBrowser)('under "All groups"', () => {
  test('payouts lists the amounts of each group, with a link to its own view', async () => {
    const page = await open('finance', '/p/aurora/payouts');
    const all = page.getByRole('table', { name: 'Due by group and currency' });
    await all.getByRole('link', { name: 'Aurora MOBA' }).waitFor();
    const groups = await all.locator('tbody').allInnerTexts();
    expect(groups.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^Aurora Creators 20.00 ?$/),
      expect.stringMatching(/^Aurora MOBA 40.00 ?$/),
    ]);
    await expect.poll(() => chosen(page)).toBe('All groups');
    expect(
      await page.getByRole('button', { name: 'Create payout', exact: true }).count(),
      'a payout belongs to one group',
    ).toBe(0);
    await expectAccessible(page);
    await all.getByRole('link', { name: 'Aurora MOBA' }).click();
    await page
      .getByRole('table', { name: 'Creators in this payout' })
      .getByRole('link', { name: 'Dora' })
      .waitFor();
    await expect.poll(() => chosen(page)).toBe('Aurora MOBA');
    await choice(page).selectOption('All groups');
    await all.waitFor();
  });

  test('shares offers no "All groups", and the header shows its group', async () => {
    const page = await open('manager', '/p/aurora/overview');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await expect.poll(() => chosen(page)).toBe('All groups');
    await page.getByRole('link', { name: 'Shares', exact: true }).click();
    await page.getByText('Shares of creators in Aurora Creators').waitFor();
    await expect.poll(() => chosen(page)).toBe('Aurora Creators');
    expect(await choice(page).getByRole('option', { name: 'All groups' }).count()).toBe(0);
    await choice(page).selectOption('Aurora MOBA');
    await page.getByText('Shares of creators in Aurora MOBA').waitFor();
    await page.getByRole('link', { name: 'Ledger', exact: true }).click();
    await page.getByRole('heading', { name: 'Ledger' }).waitFor();
    expect(await choice(page).count(), 'the ledger always covers all groups').toBe(0);
  });

  test('creators offers no tiers, and an unknown group does not look like all groups', async () => {
    const page = await open('manager', '/p/aurora/creators');
    await page.getByRole('table', { name: 'Creators' }).getByText('Dora', { exact: true }).waitFor();
    await isSettled(page);
    expect(await page.getByRole('combobox', { name: 'Tier' }).count()).toBe(0);
    await choice(page).selectOption('Aurora Creators');
    await page.getByRole('combobox', { name: 'Tier' }).waitFor();
    await page.goto(`${service().url}/p/aurora/transactions?group=gone`);
    await choice(page).waitFor();
    await expect.poll(() => chosen(page)).toBe('gone');
  });
});

describe.skipIf(!hasBrowser)('on a phone', () => {
  const size = { width: 360, height: 740 };
  const hasTwoLines = async (row: Locator): Promise<void> =>
    expect((await row.boundingBox())?.height, 'two lines').toBeLessThan(60);

  beforeAll(async () => {
    if (!hasBrowser) return;
    await service().provision(
      `{ publisher: { id: aurora }, groups: [ { id: crew, name: Crew, revShare: 10, members: [ { id: acc_new, name: Newcomer, status: Pending, codes: [ { code: NEW } ] } ] } ] }`,
    );
    await makeGroup('paid', 'holdDays: 0,');
    const finance = await asRole(service(), 'finance');
    for (const amount of [60_000, 70_000, 80_000]) {
      await earn('paid', 'A', amount);
      const body = { groupId: 'paid', asOf: new Date().toISOString() };
      const { payouts } = (await finance('POST', '/payouts', body)).body;
      if (amount === 60_000) await markPaid(payouts[0].payoutId);
    }
  });

  test('the main action for selected rows is in the window, and the others are behind More', async () => {
    const page = await open('owner', '/p/aurora/creators?tab=pending', { size });
    const check = async (label: string, main: string, ...others: string[]): Promise<void> => {
      const bar = page.getByRole('region', { name: label });
      for (const name of [main, 'More']) {
        const box = await bar.getByRole('button', { name, exact: true }).boundingBox();
        expect(box?.x, name).toBeGreaterThanOrEqual(0);
        expect((box?.x ?? 0) + (box?.width ?? size.width), name).toBeLessThanOrEqual(size.width);
        expect(box?.y, name).toBeGreaterThan(size.height - 70);
      }
      const [wide, shown] = ['scrollWidth', 'clientWidth'].map((side) =>
        page.evaluate(`document.querySelector('[role=region][aria-label="${label}"]').${side}`),
      );
      expect(await wide, 'scrolls sideways').toBe(await shown);
      await bar.getByRole('button', { name: 'More' }).click();
      for (const name of others) await page.getByText(name, { exact: true }).last().waitFor();
      await expectAccessible(page, label);
      await page.keyboard.press('Escape');
    };
    const all = page.getByRole('checkbox', { name: 'Select all rows on this page' });
    await all.check();
    await page.getByText('Select creators of a single group to set a tier.').waitFor();
    await check('Selected creators', 'Approve', 'Set tier', 'Reject', 'Add tag', 'Remove tag');

    await page.goto(`${service().url}/p/aurora/payouts/made?group=paid&status=Created`);
    await all.check();
    await check('Selected payouts', 'Mark as paid', 'Export CSV');
    // The mark of a selected box isn't behind the box, in any row and in the list's head.
    expect(await page.evaluate(hiddenMarks)).toEqual([]);

    // A status badge is as tall as its line, and its icon is in it.
    const row = page.getByRole('row').filter({ hasText: '700.00 USD' });
    await hasTwoLines(row);
    const badge = await row.locator('.mantine-Badge-root').boundingBox();
    const icon = await row.locator('.mantine-Badge-root svg').boundingBox();
    expect(icon?.y).toBeGreaterThan(badge?.y ?? Number.POSITIVE_INFINITY);
    expect((icon?.y ?? 0) + (icon?.height ?? 0)).toBeLessThan((badge?.y ?? 0) + (badge?.height ?? 0));

    await page.goto(`${service().url}/p/aurora/payouts/made?group=paid`);
    await all.check();
    await page.getByText('To mark payouts as paid, select only').waitFor();
    await check('Selected payouts', 'Mark as paid', 'Export CSV');
  });

  test('due amounts and those in the hold period have two lines, with the later amount', async () => {
    await makeGroup('held');
    const transactionDate = new Date(Date.now() - 3_600_000).toISOString();
    await earn('held', 'A', 5_000);
    await earn('held', 'A', 600, { transactionDate });
    await earn('held', 'B', 7_000, { transactionDate });
    const page = await open('finance', '/p/aurora/payouts?group=held', { size });
    const list = page.getByRole('table', { name: 'Creators in this payout' });
    const due = list.getByRole('row').filter({ hasText: 'Creator A' });
    for (const part of ['Due', '50.00 USD', /^6.00 USD from \d+ \w+$/]) await due.getByText(part).waitFor();
    const held = list.getByRole('row').filter({ hasText: 'Creator B' });
    for (const part of ['Not due yet', '0.00 USD', /^70.00 USD from \d+ \w+$/])
      await held.getByText(part).last().waitFor();
    await Promise.all([due, held].map(hasTwoLines));
    expect(await held.locator('.mantine-Badge-root').count(), 'usual, so no badge').toBe(0);
    await page.getByRole('combobox', { name: 'Payout status' }).selectOption('Not due yet');
    await due.waitFor({ state: 'detached' });
    await held.waitFor();
    expect(await tooWideBy(page)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  });

  test('a rejected request shows its error, reason and time', async () => {
    await record(keys().backend, purchase({ code: 'NOBODY' }));
    await record(keys().backend, [purchase()]);
    const page = await open('developer', '/p/aurora/developers?tab=requests', { size });
    const list = page.getByRole('table', { name: 'Rejected requests' });
    const row = list.getByRole('row').filter({ hasText: 'NOBODY' });
    const hasLinesOfMessage = async (): Promise<void> =>
      expect(
        (await row.boundingBox())?.height,
        'a line each for the error and the code, two for the message',
      ).toBeLessThan(90);
    for (const part of ['InvalidInput', /^code is not/, /^\d\d:\d\d$/]) await row.getByText(part).waitFor();
    await hasLinesOfMessage();
    const [, ofBody = ''] = await list.locator('tbody').getByRole('row').allInnerTexts();
    expect(ofBody, 'no creator code').not.toContain('–');
    await page.goto(`${page.url()}&each=yes`);
    for (const part of ['InvalidInput', /^code is not/, /\d\d:\d\d$/]) await row.getByText(part).waitFor();
    await hasLinesOfMessage();
    expect(await tooWideBy(page)).toBeLessThanOrEqual(0);
  });

  test('payouts begin with what is paid now, and show the rest when asked', async () => {
    const page = await open('finance', '/p/aurora/payouts', { size });
    const sums = page.getByRole('table', { name: 'Totals by currency' });
    await sums.getByText(/USD/).first().waitFor();
    expect(await sums.getByText('Net owed:').count()).toBe(0);
    const toggle = page.getByRole('button', { name: 'Show amounts not paid now' });
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
    await toggle.press('Enter');
    await sums.getByText('Net owed:').first().waitFor();
    await expectAccessible(page, 'all amounts');
    expect(await tooWideBy(page)).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'Hide amounts not paid now' }).click();
    await sums.getByText('Net owed:').first().waitFor({ state: 'detached' });
  });

  test('a purchase shows its creator and date, and the filters are behind a button', async () => {
    const page = await open('finance', '/p/aurora/transactions?status=normal&code=ALICE', { size });
    const list = page.getByRole('table', { name: 'Transactions' });
    const row = list.getByRole('row').filter({ hasText: 'of-main' });
    await row.getByText('Alice', { exact: true }).waitFor();
    await row.getByText('20.00 USD').waitFor();
    await list.getByText(/5 Jan/).first().waitFor(); // a heading, or the row's date if the days have a row each
    const box = await row.boundingBox();
    expect(box?.height, 'two lines').toBeLessThan(60);
    expect(await list.getByRole('columnheader').allInnerTexts()).toEqual(['', 'Creator', 'Earned', '']);
    await row.getByText('Sale 100.00 USD').waitFor();
    expect(await page.getByLabel('Status', { exact: true }).count()).toBe(0);
    const filters = page.getByRole('button', { name: 'Filters (1)' });
    await filters.click();
    expect(await filters.getAttribute('aria-expanded')).toBe('true');
    await page.getByLabel('Status', { exact: true }).selectOption('Test');
    await row.waitFor({ state: 'detached' });
    await page.getByLabel('Status', { exact: true }).selectOption('Completed');
    await row.waitFor();
    await page.getByRole('combobox', { name: 'Purchase ID, code, or creator' }).fill('DORA');
    await page.getByRole('option', { name: 'DORA · code' }).click();
    await list.getByRole('row').filter({ hasText: 'of-moba' }).getByText('Dora', { exact: true }).waitFor();
    await expectAccessible(page);
    expect(await tooWideBy(page)).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.getByRole('columnheader', { name: 'Creator' }).waitFor();
    expect(await page.getByRole('button', { name: /^Filters/ }).count()).toBe(0);
    expect(await list.getByText('Dora', { exact: true }).count(), 'only in its column').toBe(1);
  });

  test('the ID of a purchase shows its end, also beside a status', async () => {
    await makeGroup('ids');
    for (const transactionId of ['order-with-a-long-id-0001', 'order-with-a-long-id-0002'])
      await earn('ids', 'A', 20_000, { transactionId, status: 'Test' });
    const page = await open('finance', '/p/aurora/transactions?group=ids', { size });
    const ids = page.getByRole('table', { name: 'Transactions' }).locator('tbody [data-wraps]');
    await expect.poll(() => ids.count()).toBe(2);
    for (const id of await ids.all()) {
      const [end, row] = [await id.locator('span').last().boundingBox(), id.locator('xpath=../..')];
      const line = await row.boundingBox();
      expect(await id.locator('span').last().textContent()).toMatch(/^d-000[12]$/);
      expect((end?.x ?? 0) + (end?.width ?? 0)).toBeLessThanOrEqual((line?.x ?? 0) + (line?.width ?? 0) + 1);
      expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual(
        (line?.y ?? 0) + (line?.height ?? 0) + 1,
      );
    }
  });

  test.each([
    ['creators', 'Creators', 'AL-1', ['ALICE', 'Gold']],
    ['audit', 'Changes', 'Group:', ['test', /^(\d\d:\d\d|\d+ \w+)$/]],
    ['payouts/owed', 'Balances', 'Dora', ['Aurora MOBA', '40.00 USD']],
    ['payouts?group=moba', 'Creators in this payout', 'Dora', ['Due', '40.00 USD']],
  ])('rows of %s show all their data', async (path, table, name, parts) => {
    const page = await open('owner', `/p/aurora/${path}`, { size });
    const row = page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: name }).first();
    for (const part of parts) await row.getByText(part).last().waitFor();
    expect(await tooWideBy(page)).toBeLessThanOrEqual(0);
  });

  test.each(['owed', 'month'])('the tab of payouts/%s is in view', async (path) => {
    const page = await open('owner', `/p/aurora/payouts/${path}`, { size });
    const views = page.getByRole('navigation', { name: 'Payout views' });
    const row = await views.locator('[data-tab-row]').boundingBox();
    const tab = await views.locator('a[aria-current]').boundingBox();
    if (row === null || tab === null) throw new Error('No tab is chosen');
    expect(tab.x).toBeGreaterThanOrEqual(row.x);
    expect(tab.x + tab.width).toBeLessThanOrEqual(row.x + row.width);
  });

  test('a list that its filters leave empty can be filled again', async () => {
    const page = await open('finance', '/p/aurora/transactions?code=NOBODY', { size });
    await page.getByRole('heading', { name: 'No matching purchases' }).waitFor();
    expect(await page.getByRole('button', { name: 'Export CSV' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('table', { name: 'Transactions' }).getByText('of-main').first().waitFor();
    expect(await page.getByRole('button', { name: 'Export CSV' }).isEnabled()).toBe(true);
  });

  test('the actions of a screen and of an open row are at the bottom', async () => {
    const page = await open('manager', '/p/aurora/creators', { size });
    const atBottom = async (name: string): Promise<void> => {
      const box = await page.getByRole('button', { name, exact: true }).last().boundingBox();
      expect(box?.y, name).toBeGreaterThan(size.height - 70);
    };
    await page.getByRole('table', { name: 'Creators' }).waitFor();
    await atBottom('Add creator');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    // The menu must not cover a part of a row's checkbox, whose rest would be too small a target.
    await page.setViewportSize({ ...size, height: size.height + 60 });
    await expectAccessible(page, 'the other actions');
    await page.setViewportSize(size);
    await page.getByRole('button', { name: 'Check code' }).click();
    await page.getByRole('dialog', { name: 'Check code' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Open Bob' }).click();
    await page.getByRole('dialog', { name: 'Creator' }).getByRole('heading', { name: 'Bob' }).waitFor();
    await isSettled(page);
    await atBottom('Edit');
    // The actions must not cover a part of a button that can be scrolled into view.
    await page.setViewportSize({ ...size, height: size.height + 60 });
    await expectAccessible(page, 'the open creator');
    await page.setViewportSize(size);
    expect(await tooWideBy(page)).toBeLessThanOrEqual(0);
  });

  test('pulling the page down reloads its data, but a short pull does not', async () => {
    const page = await open('finance', '/p/aurora/transactions', { size });
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await page.reload();
    const list = page.getByRole('table', { name: 'Transactions' });
    await list.getByText('of-main').waitFor();
    await isSettled(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: 180, y }] });
    const pull = async (by: number): Promise<void> => {
      await touch('touchStart', 300);
      for (let moved = 10; moved <= by; moved += 10) await touch('touchMove', 300 + moved);
    };
    await record(keys().backend, purchase({ transactionId: 'while-looking' }));
    await pull(60);
    await touch('touchEnd');
    expect(await page.getByText('Release to reload').count()).toBe(0);
    await pull(160);
    await page.getByText('Release to reload').waitFor();
    expect(await list.getByText('while-looking').count(), 'before the finger lets go').toBe(0);
    await touch('touchEnd');
    await list.getByText('while-looking').waitFor();
    await session.detach();
  });
});
