import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { asRole } from '../../../server/test/admin.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';

const { open, service } = useDashboard();

const drawer = (page: Page) => page.getByRole('dialog').first();
const openCalendar = (page: Page, nth = 0) =>
  page.getByRole('button', { name: 'Choose from a calendar' }).nth(nth).click();
const day = (page: Page, name: RegExp) => page.getByRole('button', { name });

describe.skipIf(!hasBrowser)('dates', () => {
  test('filter a list once they are complete, and as a range from one calendar', async () => {
    const page = await open('finance', '/p/aurora/transactions?from=2026-05-04T00:00:00Z');
    const first = page.getByLabel('First day (UTC)');
    const last = page.getByLabel('Last day (UTC)');
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
  });

  test('with a time are chosen by keys and saved; Esc closes only the calendar', async () => {
    const ask = await asRole(service(), 'manager');
    const page = await open('manager', '/p/aurora/shares?group=main');
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
    await drawer(page).getByRole('button', { name: 'Save' }).click();
    await drawer(page).waitFor({ state: 'detached' });
    const { rows } = (await ask('GET', '/schedules?group=main&from=2033-03-01T00:00:00Z')).body;
    expect(rows.at(0)).toMatchObject({
      startsAt: '2033-03-30T07:30:00.000Z',
      endsAt: '2033-04-02T18:05:00.000Z',
    });
  });
});
