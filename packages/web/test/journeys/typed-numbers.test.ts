import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { asRole } from '../../../server/test/admin.ts';
import { hasBrowser, useDashboard } from '../browser.ts';
import { payingOf } from '../paying.ts';
import { isSettled } from '../screens.ts';

const dashboard = useDashboard();
const { open, service } = dashboard;
const { makeGroup, earn } = payingOf(dashboard);

const drawer = (page: Page) => page.getByRole('dialog');
/** Names of the button that saves a new thing or a changed one. */
const saves = /^(Save|Create (schedule|tier|SKU share|bounty))$/;
const save = (page: Page) => drawer(page).getByRole('button', { name: saves });

/** Replaces a field's text by typing it key by key. */
async function type(field: Locator, text: string): Promise<void> {
  await field.press('ControlOrMeta+a');
  await field.press('Delete');
  await field.pressSequentially(text);
}

async function paste(page: Page, field: Locator, text: string): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await field.press('ControlOrMeta+a');
  await field.press('ControlOrMeta+v');
}

/** Leaves a field, and expects unchanged text, an error message and a disabled Save button. */
async function expectRejected(page: Page, field: Locator, typed: string, message: string): Promise<void> {
  await field.press('Tab');
  await drawer(page).getByText(message, { exact: true }).first().waitFor();
  expect(await field.inputValue()).toBe(typed);
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await save(page).isDisabled()).toBe(true);
}

async function expectSaved(
  page: Page,
  field: Locator,
  typed: string,
  button: string | RegExp = saves,
): Promise<void> {
  await field.press('Tab');
  expect(await field.inputValue()).toBe(typed);
  await drawer(page).getByRole('button', { name: button }).click();
  await drawer(page).waitFor({ state: 'detached' });
}

describe.skipIf(!hasBrowser)('a percentage', () => {
  test('of a schedule is saved as typed, or rejected with a message', async () => {
    const ask = await asRole(service(), 'manager');
    const page = await open('manager', '/p/aurora/shares?group=main');
    const share = page.getByLabel('Share for all creators');
    const schedulesFrom = async (day: string) =>
      (await ask('GET', `/schedules?group=main&from=2032-02-${day}T00:00:00Z`)).body.rows;
    const cases: [typed: string, saved: number][] = [
      ['12.5', 12.5],
      ['12,5', 12.5],
      ['1', 1],
      ['1.', 1],
      ['12.3456', 12.3456],
    ];
    for (const [index, [typed, saved]] of cases.entries()) {
      const day = String(10 + index);
      await isSettled(page);
      await page.getByRole('button', { name: 'Create schedule' }).first().click();
      await drawer(page).getByText('UTC', { exact: true }).click();
      await page.getByLabel('Starts at').fill(`2032-02-${day}T00:00`);
      await page.getByLabel('Ends at').fill(`2032-02-${11 + index}T00:00`);
      await type(share, typed);
      await type(page.getByLabel('Share for Gold'), '33,3');
      await expectSaved(page, share, typed);
      const [{ revShare, tierShares }] = await schedulesFrom(day);
      expect([typed, revShare, tierShares[0].revShare]).toEqual([typed, saved, 33.3]);
    }
    await isSettled(page);
    await page.getByRole('button', { name: 'Create schedule' }).first().click();
    for (const [typed, message] of [
      ['400', 'Enter a percentage from 1 to 100'],
      ['-5', 'Enter a percentage from 1 to 100'],
      ['.5', 'Enter a percentage from 1 to 100'],
      ['0,1234', 'Enter a percentage from 1 to 100'],
      ['12.34567', 'Use at most 4 decimal places'],
      ['1.2.3', 'Enter a percentage, such as 12.5'],
    ] as const) {
      await type(share, typed);
      await expectRejected(page, share, typed, message);
    }
    await paste(page, share, '12,5 %');
    await expectSaved(page, share, '12,5 %');
  });

  test('of a schedule is edited in place', async () => {
    const ask = await asRole(service(), 'manager');
    const terms = {
      groupId: 'main',
      startsAt: '2033-03-10T00:00:00Z',
      endsAt: '2033-03-12T00:00:00Z',
      revShare: 17.5,
      tierShares: [],
    };
    const { scheduleId } = (await ask('POST', '/schedules', terms)).body;
    const page = await open(
      'manager',
      `/p/aurora/shares?group=main&from=2033-03-01T00:00:00.000Z&open=${scheduleId}`,
    );
    const share = page.getByLabel('Share for all creators');
    expect(await share.inputValue()).toBe('17.5');
    await share.press('End');
    await share.pressSequentially('25');
    await expectSaved(page, share, '17.525');
    const { rows } = (await ask('GET', '/schedules?group=main&from=2033-03-01T00:00:00Z')).body;
    expect(rows[0].revShare).toBe(17.525);
  });

  test('of a tier, a SKU and a group is saved as typed, or rejected with a message', async () => {
    const ask = await asRole(service(), 'manager');
    const page = await open('manager', '/p/aurora/shares?group=main&tab=tiers');
    const share = drawer(page).getByLabel('Share');
    const tiers = async () => (await ask('GET', '/tiers?group=main')).body.rows;
    for (const [index, [typed, saved]] of (
      [
        ['0,1234', 0.1234],
        ['.5', 0.5],
        ['0', 0],
      ] as const
    ).entries()) {
      await isSettled(page);
      await page.getByRole('button', { name: 'Create tier' }).first().click();
      await drawer(page).getByLabel('Name').fill(`Tier ${index}`);
      await type(share, typed);
      await expectSaved(page, share, typed);
      const created = (await tiers()).find(({ name }: { name: string }) => name === `Tier ${index}`);
      expect(created.revShare).toBe(saved);
    }
    await page.getByRole('button', { name: 'Open Gold' }).click();
    expect(await share.inputValue()).toBe('20');
    for (const [typed, message] of [
      ['400', 'Enter a percentage from 0 to 100'],
      ['-5', 'Enter a percentage from 0 to 100'],
      ['12.34567', 'Use at most 4 decimal places'],
    ] as const) {
      await type(share, typed);
      await expectRejected(page, share, typed, message);
    }
    await type(share, '22,25');
    await expectSaved(page, share, '22,25');
    expect((await tiers()).find(({ name }: { name: string }) => name === 'Gold').revShare).toBe(22.25);

    await page.getByRole('tab', { name: 'SKU shares' }).click();
    await isSettled(page);
    await page.getByRole('button', { name: 'Create SKU share' }).first().click();
    await drawer(page).getByLabel('SKU').fill('sword');
    await paste(page, share, '7,5%');
    await expectSaved(page, share, '7,5%');
    const skus = (await ask('GET', '/sku-shares?group=main')).body.rows;
    expect(skus.find(({ skuId }: { skuId: string }) => skuId === 'sword').revShare).toBe(7.5);

    await page.getByRole('tab', { name: 'Groups' }).click();
    await isSettled(page);
    await page.getByRole('button', { name: 'Create group' }).first().click();
    await drawer(page).getByLabel('Id').fill('typed');
    await drawer(page).getByLabel('Name').fill('Typed');
    await type(share, '8,125');
    await expectSaved(page, share, '8,125', 'Create group');
    const groups = (await ask('GET', '/groups')).body.rows;
    expect(groups.find(({ groupId }: { groupId: string }) => groupId === 'typed').revShare).toBe(8.125);
  });
});

test.skipIf(!hasBrowser)(
  'saves days and minimum payouts of a group as typed, or rejects them with a message',
  async () => {
    const page = await open('manager', '/p/aurora/settings');
    await page.getByRole('button', { name: 'Open Aurora Creators' }).click();
    const hold = drawer(page).getByLabel('Hold period');
    for (const [typed, message] of [
      ['12.5', 'Enter a whole number, such as 30'],
      ['-5', 'Enter a number from 0 to 3,650'],
      ['4000', 'Enter a number from 0 to 3,650'],
    ] as const) {
      await type(hold, typed);
      await expectRejected(page, hold, typed, message);
    }
    await type(hold, '1,000');
    await drawer(page).getByRole('button', { name: 'Add currency' }).click();
    const minimum = drawer(page).getByLabel('Amount in USD');
    for (const [typed, message] of [
      ['12.345', 'USD has 2 decimal places'],
      ['1.234', 'USD has 2 decimal places'],
      ['-5', 'Enter an amount from 0.00 USD to 9,999,999,999,999.99 USD'],
      ['12 EUR', 'Enter an amount in USD'],
      ['1,2,3', 'Enter an amount in USD, such as 50.00 USD'],
    ] as const) {
      await type(minimum, typed);
      await expectRejected(page, minimum, typed, message);
    }
    await type(minimum, '1.234,5');
    await drawer(page).getByRole('button', { name: 'Add currency' }).click();
    await paste(page, drawer(page).getByLabel('Amount in EUR'), '€75.50');
    await expectSaved(page, minimum, '1.234,5');
    const ask = await asRole(service(), 'manager');
    const read = async () =>
      (await ask('GET', '/groups')).body.rows.find(({ groupId }: { groupId: string }) => groupId === 'main');
    expect(await read()).toMatchObject({
      holdDays: 1_000,
      payoutMinimums: [
        { currency: 'EUR', amount: '7550' },
        { currency: 'USD', amount: '123450' },
      ],
    });
    await page.getByRole('button', { name: 'Open Aurora Creators' }).click();
    expect(await minimum.inputValue()).toBe('1234.50');
    await minimum.press('End');
    await minimum.press('Backspace');
    await minimum.pressSequentially('9');
    await expectSaved(page, minimum, '1234.59');
    expect((await read()).payoutMinimums[1]).toEqual({ currency: 'USD', amount: '123459' });
  },
);

test.skipIf(!hasBrowser)(
  'saves the payout calendar of a group as typed, rejects wrong days with a message, and clears it',
  async () => {
    const ask = await asRole(service(), 'manager');
    const read = async () =>
      (await ask('GET', '/groups')).body.rows.find(({ groupId }: { groupId: string }) => groupId === 'main')
        .payoutCalendar;
    const page = await open('manager', '/p/aurora/settings');
    const openGroup = () => page.getByRole('button', { name: 'Open Aurora Creators' }).click();
    await openGroup();
    const day = drawer(page).getByLabel('Day of the month');
    const grace = drawer(page).getByLabel('Grace period (days)');
    expect(await grace.isDisabled(), 'without a day').toBe(true);
    for (const [typed, message] of [
      ['0', 'Enter a number from 1 to 28'],
      ['29', 'Enter a number from 1 to 28'],
      ['1.5', 'Enter a whole number, such as 30'],
    ] as const) {
      await type(day, typed);
      await expectRejected(page, day, typed, message);
    }
    await type(day, '15');
    await type(grace, '16');
    await expectRejected(page, grace, '16', 'Enter a number from 0 to 15');
    await type(grace, '3');
    await expectSaved(page, day, '15');
    expect(await read()).toEqual({ dayOfMonth: 15, withinDays: 3 });
    await page.goto(new URL('/p/aurora/payouts?group=main', page.url()).href);
    await page.getByText(/^Planned for .*\b15\b/).waitFor();
    await page.goto(new URL('/p/aurora/settings', page.url()).href);
    await openGroup();
    expect([await day.inputValue(), await grace.inputValue()]).toEqual(['15', '3']);
    await type(grace, '');
    await expectSaved(page, grace, '');
    expect(await read()).toEqual({ dayOfMonth: 15, withinDays: 0 });
    await openGroup();
    await type(day, '');
    await expectSaved(page, day, '');
    expect(await read()).toBeNull();
  },
);

test.skipIf(!hasBrowser)('saves numbers of a bounty as typed, or rejects them with a message', async () => {
  const page = await open('manager', '/p/aurora/bounties?group=main&open=new');
  const objective = drawer(page).getByRole('group', { name: 'Objective 1' });
  const reward = drawer(page).getByRole('group', { name: 'Reward 1' });
  await drawer(page).getByLabel('Name').first().fill('Typed');
  await objective.getByLabel('Name').fill('Sell');
  await reward.getByLabel('Name').fill('A bonus');
  await reward.getByLabel('Type').selectOption('Payment');
  await reward.getByLabel('Currency').selectOption('USD');
  const times = drawer(page).getByLabel('Completions per creator');
  const count = objective.getByLabel('Count', { exact: true });
  const bonus = reward.getByLabel('Amount');
  await type(bonus, '1,250');
  for (const [field, good, typed, message] of [
    [times, '3', '2.5', 'Enter a whole number, such as 30'],
    [times, '3', '0', 'Enter a number from 1 to 1,000,000'],
    [count, '10', '2.5', 'Enter a whole number, such as 30'],
    [bonus, '12,5', '12,345.678', 'USD has 2 decimal places'],
    [bonus, '12,5', '-5', 'Enter an amount from 0.01 USD to 99,999,999,999,999.99 USD'],
  ] as const) {
    await type(field, typed);
    await expectRejected(page, field, typed, message);
    await type(field, good);
  }
  await expectSaved(page, bonus, '12,5');
  const ask = await asRole(service(), 'manager');
  const [row] = (await ask('GET', '/bounties?group=main&state=running')).body.rows;
  expect((await ask('GET', `/bounties/${row.bountyId}`)).body).toMatchObject({
    limit: 3,
    objectives: [{ count: '10' }],
    rewards: [{ amount: '1250', currency: 'USD' }],
  });
});

test.skipIf(!hasBrowser)('saves the days of an operator token as typed, or rejects them', async () => {
  const page = await open('owner', '/p/aurora/team?tab=tokens');
  await page.getByRole('button', { name: 'Create token' }).first().click();
  await drawer(page).getByLabel('Name').fill('nightly');
  const days = drawer(page).getByLabel('Expires after (days)');
  await type(days, '400');
  await days.press('Tab');
  await drawer(page).getByText('Enter a number from 1 to 366').waitFor();
  expect(await days.inputValue()).toBe('400');
  await type(days, '7');
  await drawer(page).getByRole('button', { name: 'Create token' }).click();
  await drawer(page).getByRole('button', { name: 'Copy token' }).waitFor();
  const { rows } = (await (await asRole(service(), 'owner'))('GET', '/tokens')).body;
  const made = rows.find(({ name }: { name: string }) => name === 'nightly');
  expect(Math.round((Date.parse(made.expiresAt) - Date.parse(made.createdAt)) / 86_400_000)).toBe(7);
});

test.skipIf(!hasBrowser)('accepts a typed total in any notation, and no other amount', async () => {
  await makeGroup('total', 'holdDays: 0,');
  const bought = await earn('total', 'A', 123_485);
  const page = await open('finance', '/p/aurora/payouts?group=total');
  await page.getByRole('button', { name: /^Create( \d+)? payouts?$/ }).click();
  await drawer(page)
    .getByRole('button', { name: /^Create( \d+)? payouts?$/ })
    .click();
  await page.getByText('To be paid').waitFor();
  await page.getByRole('button', { name: 'Mark as paid' }).click();
  const pay = drawer(page).getByRole('button', { name: 'Mark as paid' });
  await expectTotal(drawer(page).getByLabel('Type 1,234.85 to confirm'), pay);
  await pay.click();
  await page.getByText('by The finance').nth(1).waitFor();

  await page.goto(`${service().url}/p/aurora/payouts/taken-back?group=total`);
  await page.getByLabel('Purchase').fill(bought);
  await page.getByRole('button', { name: 'Claw back' }).click();
  await expectTotal(
    drawer(page).getByLabel('Type 1,234.85 to confirm'),
    drawer(page).getByRole('button', { name: 'Claw back 1,234.85 USD' }),
  );
});

/** Types 1,234.85 USD in many notations, and leaves a valid one in the field. */
async function expectTotal(field: Locator, action: Locator): Promise<void> {
  for (const other of [
    '1,234.86',
    '123485',
    '1234.8',
    '1.23485',
    '1,234.85 EUR',
    '-1234.85',
    '1234',
    'paid',
  ]) {
    await type(field, other);
    expect([other, await action.isDisabled()]).toEqual([other, true]);
  }
  for (const same of [
    '1,234.85',
    '1234.85',
    '1234,85',
    '1.234,85',
    '1 234,85',
    '1,234.85 USD',
    'USD 1234.85',
    '$1,234.85',
    ' 1234.85 usd ',
  ]) {
    await type(field, same);
    expect([same, await action.isDisabled()]).toEqual([same, false]);
  }
}
