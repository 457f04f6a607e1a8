import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { asRole } from '../../../server/test/admin.ts';
import { purchase } from '../../../server/test/fixtures.ts';
import { settleAll } from '../../../server/test/money.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { addFilter, chooseCustomDays, filterField } from '../filters.ts';
import { isSettled } from '../screens.ts';

const { open, service, keys } = useDashboard();

const drawer = (page: Page) => page.getByRole('dialog').first();
const openCalendar = (page: Page, nth = 0) =>
  page.getByRole('button', { name: 'Choose from a calendar' }).nth(nth).click();
const day = (page: Page, name: RegExp) => page.getByRole('button', { name });

beforeAll(async () => {
  if (!hasBrowser) return;
  const json = purchase({ transactionId: 'long-ago', transactionDate: '2026-01-15T12:00:00Z' });
  await service().call('POST', '/v1/attributions/transactions', { key: keys().backend, json });
  await settleAll(service().testDatabase.database.db);
});

describe.skipIf(!hasBrowser)('dates', () => {
  test('filter a list once they are complete, and as a range from one calendar', async () => {
    const page = await open('finance', '/p/aurora/transactions?from=2026-05-04T00:00:00Z');
    const first = page.getByLabel('First day');
    const last = page.getByLabel('Last day');
    expect(await first.inputValue()).toBe('2026-05-04');
    await first.press('ControlOrMeta+a');
    await first.pressSequentially('5/6/2026');
    // While a date is half typed or ambiguous, the list keeps its filter, and the field shows why.
    expect(new URL(page.url()).searchParams.get('from')).toBe('2026-05-04T00:00:00Z');
    await first.press('Tab');
    await page.getByText('Enter a date such as 2026-07-31, or leave it empty.').waitFor();
    expect(await first.inputValue()).toBe('5/6/2026');
    await expectAccessible(page);
    await first.fill('6 May 2026');
    await page.waitForURL((url) => url.searchParams.get('from') === '2026-05-06T00:00:00Z');
    await first.press('Tab');
    expect(await first.inputValue()).toBe('2026-05-06');

    await openCalendar(page, 1);
    // The first day is set, so one click completes the range. Its last day is included.
    await day(page, /, 9 May 2026/).click();
    await page.waitForURL((url) => url.searchParams.get('until') === '2026-05-10T00:00:00Z');
    expect(await last.inputValue()).toBe('2026-05-09');
    await openCalendar(page);
    await day(page, /, 12 May 2026/).click();
    await day(page, /, 11 May 2026/).click();
    await page.waitForURL(
      (url) => url.search.includes('from=2026-05-11') && url.search.includes('until=2026-05-13'),
    );
    await page.goBack();
    await page.goBack();
    await page.waitForURL((url) => url.searchParams.get('until') === null);
    expect(await last.inputValue()).toBe('');
    await first.fill('');
    await page.waitForURL((url) => url.searchParams.get('from') === null);
    // Without the link's range, days are those of the reader's zone again.
    await first.fill('2026-05-04');
    await page.waitForURL((url) => url.searchParams.get('from') === '2026-05-03T22:00:00Z');
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await first.waitFor({ state: 'detached' });
    expect(await filterField(page, 'Period').inputValue()).toBe('all');
  });

  test('are chosen as a period, whose link says the same days', async () => {
    const dayMs = 86_400_000;
    const today = Date.parse(new Date().toISOString().slice(0, 10));
    const startOf = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
    const shows = (from: string | null, until: string | null) => (url: URL) =>
      url.searchParams.get('from') === from && url.searchParams.get('until') === until;
    const page = await open('finance', '/p/aurora/transactions', { timezoneId: 'UTC' });
    const period = filterField(page, 'Period');
    const first = page.getByLabel('First day');
    expect(await first.count()).toBe(0);
    await period.selectOption('Last 7 days');
    await page.waitForURL(shows(startOf(today - 6 * dayMs), startOf(today + dayMs)));
    expect(await first.count(), 'not beside a period').toBe(0);
    await page.reload();
    await expect.poll(() => period.inputValue()).toBe('7days');

    // Months that are longer or shorter, and the days of a period that have two names.
    const month = new Date(today).toISOString().slice(0, 7);
    const startOfMonth = Date.parse(`${month}-01`);
    const before = Date.parse(`${new Date(startOfMonth - dayMs).toISOString().slice(0, 7)}-01`);
    await period.selectOption('Last month');
    await page.waitForURL(shows(startOf(before), startOf(startOfMonth)));
    await period.selectOption('This month');
    await page.waitForURL((url) => url.searchParams.get('from') === startOf(startOfMonth));
    await expect.poll(() => period.inputValue()).toBe('month');

    await chooseCustomDays(page);
    await expect.poll(() => first.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
    expect(await first.inputValue()).toBe(`${month}-01`);
    const yesterday = new Date(today - dayMs).toISOString().slice(0, 10);
    await first.fill(yesterday);
    await page.getByLabel('Last day').fill(yesterday);
    await page.waitForURL(shows(startOf(today - dayMs), startOf(today)));
    expect(await period.inputValue(), 'the fields stay').toBe('custom');
    await page.goBack();
    await page.goBack();
    await page.waitForURL((url) => url.searchParams.get('from') === startOf(startOfMonth));
    await period.selectOption('All time');
    await page.waitForURL(shows(null, null));
    await chooseCustomDays(page);
    expect(await first.inputValue()).toBe('');
    await expectAccessible(page, 'custom without days');
  });

  test.each([1_280, 1_440])('and a filter fit one line of a window of %i px', async (width) => {
    const page = await open('finance', '/p/aurora/transactions', { size: { width, height: 800 } });
    const heightOf = async () =>
      (await page.getByRole('group', { name: 'Filters' }).first().boundingBox())?.height;
    await filterField(page, 'Period').selectOption('Last 30 days');
    await (await addFilter(page, 'Status')).selectOption('Refunded');
    await page.getByRole('button', { name: 'Clear filters' }).first().waitFor();
    expect(await heightOf()).toBeLessThan(60);
    await page.goto(`${service().url}/p/aurora/audit`);
    await filterField(page, 'Period').selectOption('Last 30 days');
    await addFilter(page, 'Actor');
    expect(await heightOf()).toBeLessThan(60);
  });

  test('in filters are days of the zone that the rows show, which follow the choice of the reader', async () => {
    // 00:30 on May 6 in Berlin.
    await service().call('POST', '/v1/attributions/transactions', {
      key: keys().backend,
      json: purchase({ transactionId: 'after-midnight', transactionDate: '2026-05-05T22:30:00Z' }),
    });
    const page = await open('finance', '/p/aurora/transactions');
    const row = page.getByRole('row', { name: /after-midnight/ });
    const chooseZone = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: /^You: / }).click();
      await page.getByRole('menuitemradio', { name, exact: true }).click();
      await page.keyboard.press('Escape');
    };
    /** Waits for the row under the heading of its day, with its time of day. */
    const isShownAs = async (day: RegExp, time: string): Promise<void> => {
      const ofDay = page.getByRole('rowgroup').filter({ has: page.getByRole('rowheader', { name: day }) });
      await ofDay.filter({ has: row }).getByText(time, { exact: true }).waitFor();
    };
    await chooseCustomDays(page);
    await page.getByLabel('First day').fill('2026-05-06');
    await page.getByLabel('Last day').fill('2026-05-06');
    await page.waitForURL((url) => url.searchParams.get('until') === '2026-05-06T22:00:00Z');
    expect(new URL(page.url()).searchParams.get('from')).toBe('2026-05-05T22:00:00Z');
    await isShownAs(/6 May|May 6/, '00:30');

    await chooseZone('UTC');
    await page.waitForURL((url) => url.searchParams.get('from') === '2026-05-06T00:00:00Z');
    expect(await page.getByLabel('Last day').inputValue(), 'the same days').toBe('2026-05-06');
    await page.getByRole('heading', { name: 'No matching purchases' }).waitFor();
    await page.getByLabel('First day').fill('2026-05-05');
    await isShownAs(/5 May|May 5/, '22:30');
    await chooseZone('Berlin time');

    // Sums have UTC days, so their links show UTC without changing the preference.
    const sums = 'from=2026-05-05T00:00:00Z&until=2026-05-06T00:00:00Z';
    await page.goto(`${service().url}/p/aurora/transactions?${sums}`);
    await isShownAs(/5 May|May 5/, '22:30');
    await page.getByText('Times in UTC', { exact: true }).waitFor();
    await row.getByRole('button', { name: /^Open/ }).click();
    const opened = page.getByRole('dialog', { name: 'Purchase' });
    await opened.getByText(/22:30/).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByText('Times in UTC', { exact: true }).waitFor({ state: 'detached' });
    await row.getByText(/00:30$/).waitFor(); // in Berlin time, after a date if the days have a row each

    const others = 'from=2026-05-05T19:00:00Z&until=2026-05-06T19:00:00Z';
    await page.goto(`${service().url}/p/aurora/transactions?${others}`);
    await page.getByText(/^from .*21:00.* until .*21:00/).waitFor();
    await expectAccessible(page, 'days of another zone');
    await page.goto(`${service().url}/p/aurora/transactions?from=tomorrow`);
    await page.getByRole('alert').first().waitFor();
  });

  test('with a time are chosen by keys and saved; Esc closes only the calendar', async () => {
    const ask = await asRole(service(), 'manager');
    const page = await open('manager', '/p/aurora/shares?group=main');
    await isSettled(page);
    await page.getByRole('button', { name: 'Create schedule' }).first().click();
    await drawer(page).getByText('UTC', { exact: true }).click();
    const start = page.getByLabel('Starts at');
    await start.fill('2033-03-31 18:30');
    await start.press('Alt+ArrowDown');
    await day(page, /31 March 2033/).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await day(page, /31 March 2033/).waitFor({ state: 'detached' });
    expect(await start.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
    await start.press('Alt+ArrowDown');
    await day(page, /31 March 2033/).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    expect(await start.inputValue()).toBe('2033-03-30 18:30');
    await page.getByLabel('Hours').fill('07');
    expect(await start.inputValue()).toBe('2033-03-30 07:30');
    await page.keyboard.press('Escape');
    await page.getByLabel('Ends at').press('ControlOrMeta+a');
    await page.getByLabel('Ends at').pressSequentially('Apr 2, 2033, 6:05 pm');
    await page.getByLabel('Share for all creators').fill('12');
    await drawer(page).getByRole('button', { name: 'Create schedule' }).click();
    await drawer(page).waitFor({ state: 'detached' });
    const { rows } = (await ask('GET', '/schedules?group=main&from=2033-03-01T00:00:00Z')).body;
    expect(rows.at(0)).toMatchObject({
      startsAt: '2033-03-30T07:30:00.000Z',
      endsAt: '2033-04-02T18:05:00.000Z',
    });
  });
});
