import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { asRole } from '../../../server/test/admin.ts';
import { purchase } from '../../../server/test/fixtures.ts';
import { settleAll } from '../../../server/test/money.ts';
import { hasBrowser, useDashboard } from '../browser.ts';
import { countClicks } from '../clicks.ts';
import { payingOf } from '../paying.ts';
import { isSettled, tooWideBy } from '../screens.ts';
import { outOfView, smallTargets } from '../touch.ts';

const dashboard = useDashboard();
const { open, service, keys } = dashboard;
const { makeGroup, earn } = payingOf(dashboard);
/** A small phone, on which the browser's own bars take a part of the height. */
const phone = { size: { width: 360, height: 600 }, hasTouch: true };

/** Expects a page that a thumb can use: targets of 40 pixels, nothing beside the window, and no hidden action. */
async function expectComfortable(page: Page, where: string): Promise<void> {
  await isSettled(page);
  expect(await tooWideBy(page), `${where}: wider than the window`).toBeLessThanOrEqual(0);
  expect(await smallTargets(page), `${where}: too small to tap`).toEqual([]);
}

/** Expects a button to be in the bar at the bottom, which has two lines in a drawer with many actions. */
const expectAtBottom = async (button: Locator): Promise<void> =>
  expect((await button.boundingBox())?.y, 'within reach of a thumb').toBeGreaterThan(phone.size.height - 110);

beforeAll(async () => {
  if (!hasBrowser) return;
  const transactionDate = '2026-01-05T12:00:00.000Z';
  await service().call('POST', '/v1/attributions/transactions', {
    key: keys().backend,
    json: [
      purchase({ transactionId: 'order-4711', subtotal: 10_000, transactionDate }),
      purchase({ transactionId: 'order-4712', subtotal: 7_500, transactionDate }),
    ],
  });
  await settleAll(service().testDatabase.database.db);
  await service().provision(
    `{ publisher: { id: aurora }, groups: [ { id: crew, name: Crew, revShare: 10, members: [
      { id: acc_one, name: Newcomer One, status: Pending, codes: [ { code: ONE } ] },
      { id: acc_two, name: Newcomer Two, status: Pending, codes: [ { code: TWO } ] } ] } ] }`,
  );
  await makeGroup('paid', 'holdDays: 0,');
  await earn('paid', 'A', 60_000);
  const finance = await asRole(service(), 'finance');
  await finance('POST', '/payouts', { groupId: 'paid', asOf: new Date().toISOString() });
});

describe.skipIf(!hasBrowser)('with a thumb, on a window 360 pixels wide', () => {
  test('support finds a purchase by its ID, reads why it earned what, and reverses it', async () => {
    const page = await open('support', '/p/aurora/overview', phone);
    await expectComfortable(page, 'Overview');
    const taps = await countClicks(page);
    await page.getByRole('button', { name: 'Search' }).tap();
    const search = page.getByRole('textbox', { name: 'Search' });
    expect((await search.boundingBox())?.y, 'above the keyboard').toBeLessThan(60);
    await search.pressSequentially('order-4711');
    await page.getByRole('button', { name: /^order-4711/ }).tap();
    const drawer = page.getByRole('dialog', { name: 'Purchase' });
    await drawer.getByText('6. Group default').waitFor();
    await drawer.getByText('100.00 × 20% = 20.00 USD').waitFor();
    expect(await drawer.boundingBox(), 'fills the window').toMatchObject({ y: 0, height: phone.size.height });
    await expectComfortable(page, 'the purchase');
    const reverse = drawer.getByRole('button', { name: /^Reverse/ });
    await expectAtBottom(reverse);
    await reverse.tap();
    const dialog = page.getByRole('dialog', { name: 'Reverse order-4711?' });
    await dialog.getByLabel('Reason').selectOption('Fraud');
    await dialog.getByLabel('Note').tap();
    await dialog.getByLabel('Note').pressSequentially('stolen card');
    await expectComfortable(page, 'the question');
    expect(await outOfView(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Reverse purchase' }).tap();
    await drawer.getByText('Fraud').first().waitFor();
    expect(await taps(), 'Search, result, Reverse, the note, confirm').toBe(5);
    const asOwner = await asRole(service(), 'owner');
    const { body } = await asOwner('GET', '/transactions/order-4711');
    expect(body.rows.map(({ row }: { row: { status: string } }) => row.status)).toEqual(['Fraud']);
    expect(JSON.stringify((await asOwner('GET', '/audit')).body)).toContain('stolen card');
  });
  test('support approves one applicant from Needs attention', async () => {
    const page = await open('support', '/p/aurora/overview', phone);
    await page.getByRole('link', { name: /^3 creators are waiting for approval/ }).tap();
    await page.getByRole('button', { name: 'Approve Newcomer One' }).waitFor();
    await expectComfortable(page, 'the applicants');
    await page.getByRole('button', { name: 'Approve Newcomer One' }).tap();
    const dialog = page.getByRole('dialog');
    await expectComfortable(page, 'the question');
    await dialog.getByRole('button', { name: 'Approve', exact: true }).tap();
    await page.getByRole('button', { name: 'Approve Newcomer One' }).waitFor({ state: 'detached' });
    const { body } = await (await asRole(service(), 'owner'))('GET', '/members?status=Approved&q=Newcomer');
    expect(body.rows.map(({ name }: { name: string }) => name)).toEqual(['Newcomer One']);
  });
  test('a manager selects an applicant without opening it, and approves it from the bottom', async () => {
    const page = await open('manager', '/p/aurora/creators?tab=pending', phone);
    const box = page.getByRole('checkbox', { name: 'Select Newcomer Two' });
    const area = await box.boundingBox();
    if (area === null) throw new Error('no checkbox');
    await page.touchscreen.tap(area.x + area.width / 2 + 12, area.y + area.height / 2 + 14);
    await expect.poll(() => box.isChecked(), { message: 'a near miss' }).toBe(true);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expectComfortable(page, 'with a selected row');
    const bar = page.getByRole('region', { name: 'Selected creators' });
    await expectAtBottom(bar.getByRole('button', { name: 'Approve', exact: true }));
    await bar.getByRole('button', { name: 'Approve', exact: true }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).tap();
    await box.waitFor({ state: 'detached' });
    const message = await page.locator('.mantine-Notification-root').boundingBox();
    const actions = await page.getByRole('group', { name: 'Actions' }).boundingBox();
    if (message === null || actions === null) throw new Error('no message above the actions');
    expect(message.y + message.height, 'covers no action').toBeLessThanOrEqual(actions.y);
    const { body } = await (await asRole(service(), 'owner'))('GET', '/members?status=Approved&q=Newcomer');
    expect(body.rows.map(({ name }: { name: string }) => name)).toContain('Newcomer Two');
  });
  test('finance opens a payout from Needs attention, and marks it as paid', async () => {
    const page = await open('finance', '/p/aurora/overview', phone);
    await page.getByRole('link', { name: /^1 payout isn’t marked as paid/ }).tap();
    const row = page.getByRole('row').filter({ hasText: '600.00 USD' });
    await row.waitFor();
    await expectComfortable(page, 'the payouts');
    const area = await row.boundingBox();
    if (area === null) throw new Error('no row');
    // The row leads to its page as a whole.
    await page.touchscreen.tap(area.x + area.width - 20, area.y + 8);
    await page.getByRole('heading', { name: /^Payout \d+/ }).waitFor();
    await expectComfortable(page, 'the payout');
    // The file is the next step, so it is in the bar.
    const file = page.getByRole('button', { name: 'Download payment file' });
    const pay = page.getByRole('button', { name: 'Mark as paid' });
    await expectAtBottom(file);
    expect(await pay.count(), 'behind More').toBe(0);
    await page.getByRole('button', { name: 'More' }).tap();
    await pay.waitFor();
    await page.keyboard.press('Escape');
    await file.tap();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /^CSV without accounts/ }).tap(),
    ]);
    expect(saved.suggestedFilename()).toMatch(/\.csv$/);
    // Then, both are in the bar, and the file can be downloaded again.
    await expectAtBottom(pay);
    await expectAtBottom(file);
    await expectAtBottom(page.getByRole('button', { name: 'More' }));
    const tops = await Promise.all([file, pay].map(async (each) => (await each.boundingBox())?.y));
    expect(new Set(tops).size, 'on one line').toBe(1);
    await expectComfortable(page, 'the payout after a download');
    await pay.tap();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Type/).pressSequentially('600.00');
    await expectComfortable(page, 'the question');
    // A phone's keyboard leaves a dialog so little height that it scrolls.
    await page.setViewportSize({ ...phone.size, height: 260 });
    const hidden = await dialog.evaluate((node) => node.scrollHeight - node.clientHeight);
    expect(hidden, 'scrolls').toBeGreaterThan(0);
    await dialog.evaluate((node) => node.scrollTo(0, 0));
    expect(await outOfView(page)).toEqual([]);
    await page.setViewportSize(phone.size);
    await dialog.getByRole('button', { name: 'Mark as paid' }).tap();
    await page.getByText('Paid', { exact: true }).first().waitFor();
    // Its file is what is still useful, beside the only other action.
    await expectAtBottom(page.getByRole('button', { name: 'Download payment file' }));
    await expectAtBottom(page.getByRole('button', { name: 'Copy payout ID' }));
    const { body } = await (await asRole(service(), 'owner'))('GET', '/payouts?status=Paid');
    expect(body.rows.map(({ totalMinor }: { totalMinor: string }) => totalMinor)).toContain('60000');
  });
});
