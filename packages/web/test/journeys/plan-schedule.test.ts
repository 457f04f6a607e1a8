import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { asRole } from '../../../server/test/admin.ts';
import { purchase } from '../../../server/test/fixtures.ts';
import { settleAll } from '../../../server/test/money.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { isSettled } from '../screens.ts';

const { open, service, keys } = useDashboard();

const dayMs = 86_400_000;
const manager = () => asRole(service(), 'manager');
const window = (startsAt: string, endsAt: string, changes = {}) => ({
  groupId: 'main',
  startsAt,
  endsAt,
  revShare: 15,
  tierShares: [],
  ...changes,
});
const drawer = (page: Page) => page.getByRole('dialog');
const typeWindow = async (page: Page, from: string, until: string): Promise<void> => {
  await page.getByLabel('Starts at').fill(from);
  await page.getByLabel('Ends at').fill(until);
};
const shares = '/p/aurora/shares?group=main&from=2031-05-01T00:00:00.000Z';

describe.skipIf(!hasBrowser)('an overlap', () => {
  test('is shown while typing, hatched and as text, and cannot be saved', async () => {
    const ask = await manager();
    await ask('POST', '/schedules', window('2031-06-10T00:00:00Z', '2031-06-12T00:00:00Z'));
    const page = await open('manager', shares);
    await page.getByText('UTC', { exact: true }).first().click();
    await isSettled(page);
    await page.getByRole('button', { name: 'Create schedule' }).first().click();
    await typeWindow(page, '2031-06-11T00:00', '2031-06-14T00:00');
    await drawer(page).getByText('Overlaps another schedule').waitFor();
    await drawer(page).getByText('10 Jun 2031, 00:00 to 12 Jun 2031, 00:00').waitFor();
    expect(await drawer(page).locator('[data-look=clash]').count()).toBeGreaterThan(0);
    expect(await drawer(page).getByRole('button', { name: 'Create schedule' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    // Adjacent windows don't overlap.
    await page.getByLabel('Starts at').fill('2031-06-12T00:00');
    await drawer(page).getByText('Overlaps another schedule').waitFor({ state: 'detached' });
    expect(await drawer(page).locator('[data-look=clash]').count()).toBe(0);
    await drawer(page).getByRole('button', { name: 'Create schedule' }).click();
    await page.getByRole('table', { name: 'Schedules' }).getByText('to 14 Jun 2031').waitFor();
    await expectAccessible(page);
  });

  test('with a schedule saved in the meantime is rejected by the server, which names it', async () => {
    const page = await open('manager', shares);
    await page.getByText('UTC', { exact: true }).first().click();
    await isSettled(page);
    await page.getByRole('button', { name: 'Create schedule' }).first().click();
    await typeWindow(page, '2031-07-11T00:00', '2031-07-14T00:00');
    await drawer(page).locator('[data-cost=there]').waitFor();
    const ask = await manager();
    const other = await ask('POST', '/schedules', window('2031-07-10T00:00:00Z', '2031-07-12T00:00:00Z'));
    await drawer(page).getByRole('button', { name: 'Create schedule' }).click();
    const refused = drawer(page).getByRole('alert').filter({ hasText: other.body.scheduleId });
    await refused.getByText('to 2031-07-12').waitFor();
    expect(await page.getByLabel('Starts at').inputValue()).toBe('2031-07-11 00:00');
  });
});

test.skipIf(!hasBrowser)('proposes a dragged window in its form without saving it', async () => {
  const ask = await manager();
  await ask('POST', '/schedules', window('2031-05-10T00:00:00Z', '2031-05-20T00:00:00Z'));
  const page = await open('manager', shares);
  await page.getByText('UTC', { exact: true }).first().click();
  const bar = page.locator('button[title*="10 May 2031"]').first();
  const drag = async (hold: number, days: number): Promise<void> => {
    const [at, lane] = [
      await bar.boundingBox(),
      await page.locator('[data-whole-lane]').first().boundingBox(),
    ];
    if (at === null || lane === null) throw new Error('no bar is drawn');
    const [x, y] = [at.x + hold * at.width, at.y + at.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + (days * lane.width) / 90, y, { steps: 4 });
    await page.mouse.up();
  };
  const typed = async (): Promise<string[]> => [
    await page.getByLabel('Starts at').inputValue(),
    await page.getByLabel('Ends at').inputValue(),
  ];
  await drag(0.5, 5);
  expect(await typed()).toEqual(['2031-05-15 00:00', '2031-05-25 00:00']);
  await page.keyboard.press('Escape');
  await drawer(page).waitFor({ state: 'detached' });
  await drag(0.99, -3);
  expect(await typed()).toEqual(['2031-05-10 00:00', '2031-05-17 00:00']);
  await page.keyboard.press('Escape');
  await drawer(page).waitFor({ state: 'detached' });
  await bar.click(); // the drag wasn't saved, and a click isn't a drag
  expect(await typed()).toEqual(['2031-05-10 00:00', '2031-05-20 00:00']);
});

async function owed(currency: string): Promise<bigint> {
  const rows = await service()
    .testDatabase.database.db.selectFrom('member_balance')
    .select('balance_minor')
    .where('publisher_id', '=', 'aurora')
    .where('currency', '=', currency)
    .execute();
  return rows.reduce((sum, { balance_minor }) => sum + BigInt(balance_minor), 0n);
}

test.skipIf(!hasBrowser)(
  'plans a double weekend in three clicks, which costs as much as estimated for the same purchases',
  async () => {
    const saturday = new Date();
    saturday.setUTCHours(12, 0, 0, 0);
    saturday.setUTCDate(saturday.getUTCDate() - ((saturday.getUTCDay() + 1) % 7) - 7);
    const buy = async (weeks: number): Promise<void> => {
      for (const [place, { code, subtotal, ...rest }] of [
        { code: 'ALICE', subtotal: 999 },
        { code: 'ALICE', subtotal: 1_001, skuId: 'battle-pass' },
        { code: 'BOB', subtotal: 333 },
        { code: 'BOB', subtotal: 777, memberSharePercent: 50 },
        { code: 'BOB', subtotal: 25 },
      ].entries()) {
        const at = new Date(saturday.getTime() + weeks * 7 * dayMs + place * 3_600_000);
        const json = purchase({
          code,
          subtotal,
          currency: 'EUR',
          transactionDate: at.toISOString(),
          ...rest,
        });
        const recorded = await service().call('POST', '/v1/attributions/transactions', {
          key: keys().backend,
          json,
        });
        expect(recorded.status).toBe(200);
      }
      await settleAll(service().testDatabase.database.db);
    };
    // Buys on both weekends that the estimate may use: the previous weekend, and this weekend if it is over.
    await buy(0);
    await buy(1);
    const page = await open('manager', '/p/aurora?group=main');
    await page.getByRole('navigation').getByRole('link', { name: 'Shares' }).click();
    await isSettled(page);
    await page.getByRole('button', { name: 'Create schedule' }).first().click();
    const cost = drawer(page).locator('[data-cost=there]');
    await cost.getByRole('table', { name: 'Estimated cost by currency' }).waitFor();
    await drawer(page).getByText('1 with their own share, 1 with a SKU share').waitFor();
    const total = await cost.locator('[data-total=EUR] td').allTextContents();
    const minor = (text = ''): bigint => BigInt(text.replaceAll(/\D/g, ''));
    await expectAccessible(page);
    const startsAt = await page.getByLabel('Starts at').inputValue();
    await drawer(page).getByRole('button', { name: 'Create schedule' }).click();
    await drawer(page).waitFor({ state: 'detached' });

    const weeks = Math.round((Date.parse(`${startsAt}Z`) - saturday.getTime()) / (7 * dayMs));
    const before = await owed('EUR');
    await buy(weeks);
    expect((await owed('EUR')) - before).toBe(minor(total[1]));
    expect(minor(total[1])).toBeGreaterThan(minor(total[0]));
  },
);

test.skipIf(!hasBrowser)('warns that a program file would undo an edit', async () => {
  const page = await open('manager', '/p/aurora/shares?group=main&tab=tiers', { colorScheme: 'dark' });
  await page.getByRole('button', { name: 'Open Gold' }).click();
  await drawer(page).getByText('The file test.yaml set this').waitFor();
  await expectAccessible(page);
  await drawer(page).getByLabel('Share').fill('21');
  await drawer(page).getByRole('button', { name: 'Save' }).click();
  await drawer(page).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Open Gold' }).click();
  await drawer(page).getByText('it has been edited since').waitFor();
  await page.goto(`${service().url}/p/aurora/shares?group=main&open=new`);
  await drawer(page).locator('[data-cost=there]').waitFor();
  await expectAccessible(page);
  for (const tab of ['skus', 'groups']) {
    await page.goto(`${service().url}/p/aurora/shares?group=main&tab=${tab}`);
    await page.getByRole('table').waitFor();
    await expectAccessible(page);
  }
});
