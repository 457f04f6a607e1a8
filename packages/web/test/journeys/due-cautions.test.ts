import { expect, test } from 'vitest';
import { approveMethod } from '../../../server/src/payees/approve-method.ts';
import { enterMethod } from '../../../server/src/payees/enter-method.ts';
import { putPayeeSettings, readPayeeSettings } from '../../../server/src/payees/payee-settings.ts';
import type { AccountId } from '../../../server/src/platform/database/tables.generated.ts';
import { createPayout } from '../../../server/src/settlement/payouts/create/create-payout.ts';
import { operations } from '../../../server/test/money.ts';
import { testSealer } from '../../../server/test/sealer.ts';
import { testActor } from '../../../server/test/test-actor.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { payingOf } from '../paying.ts';

const dashboard = useDashboard();
const { open, service } = dashboard;
const { makeGroup, earn, markPaid } = payingOf(dashboard);

test.skipIf(!hasBrowser)('says before a payout who has no payout method, and lists them', async () => {
  await makeGroup('unpaid', 'holdDays: 0,');
  await earn('unpaid', 'A', 90_000);
  await earn('unpaid', 'A', 70_000, { currency: 'EUR' });
  const page = await open('finance', '/p/aurora/payouts?group=unpaid');
  await page.getByText('1 creator with an amount due has no payout method').waitFor();
  expect(await page.getByText(/^No minimum payout/).count(), 'no small amount').toBe(0);
  await earn('unpaid', 'B', 499);
  await page.getByRole('button', { name: 'Refresh preview' }).click();
  await page.getByText('2 creators with amounts due have no payout method').waitFor();
  await page.getByText('No minimum payout in USD (smallest due: 4.99 USD).').waitFor();
  await page.getByRole('link', { name: 'Show them' }).click();
  await page.getByText('Only creators without a payout method are listed.').waitFor();
  const list = page.getByRole('table', { name: 'Creators in this payout' });
  await expect.poll(() => list.locator('tbody').getByText('no payout method').count()).toBe(3);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'List all creators' }).click();
  await page.getByText('Only creators without a payout method are listed.').waitFor({ state: 'detached' });
  // A filter that leaves no creators doesn't say that nothing is due.
  await page.goto(`${service().url}/p/aurora/payouts?group=unpaid&state=on-hold`);
  await page.getByRole('heading', { name: 'No matching creators' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => list.locator('tbody').getByText('no payout method').count()).toBe(3);
  await page.getByRole('button', { name: 'Create 2 payouts' }).click();
  await page
    .getByRole('dialog')
    .getByText('None of these 3 payments has a payout method, so they won’t be in a payment file.')
    .waitFor();
});

test.skipIf(!hasBrowser)(
  'names the currencies without a minimum payout, and links to their group',
  async () => {
    await makeGroup('floor', 'holdDays: 0, payoutMinimums: { USD: 1000 },');
    await earn('floor', 'A', 90_000);
    await earn('floor', 'A', 80_000, { currency: 'GBP' });
    await earn('floor', 'B', 75, { currency: 'JPY' });
    const page = await open('owner', '/p/aurora/payouts?group=floor');
    await page.getByText('No minimum payout in GBP and JPY (smallest due: 800.00 GBP, 75 JPY).').waitFor();
    await page.getByRole('link', { name: 'Set minimums' }).click();
    await page.getByRole('dialog').getByRole('group', { name: 'Minimum payout' }).waitFor();

    await page.goto(`${service().url}/p/aurora/payouts`);
    await page.getByRole('button', { name: 'About “Currencies without a minimum payout”' }).click();
    await page.getByRole('link', { name: 'floor: GBP and JPY' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'About “Creators without a payout method”' }).click();
    await page.getByRole('link', { name: 'floor: 2' }).click();
    await page.getByText('Only creators without a payout method are listed.').waitFor();

    // On a phone, the sentence itself opens its details, and no button is alone on a line.
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${service().url}/p/aurora/payouts`);
    const line = page.getByRole('button', { name: /^Some currencies have no minimum payout/ });
    expect((await line.boundingBox())?.height, 'two lines').toBeLessThan(44);
    await line.click();
    await page.getByRole('link', { name: 'floor: GBP and JPY' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'floor' }) });
    const ends = await Promise.all(
      ['GBP', 'JPY', 'USD'].map(async (currency) => {
        const box = await row.getByText(currency, { exact: true }).boundingBox();
        return Math.round((box?.x ?? 0) + (box?.width ?? 0));
      }),
    );
    expect(new Set(ends).size, 'amounts below each other').toBe(1);

    const support = await open('support', '/p/aurora/payouts?group=floor');
    await support.getByText('No minimum payout in GBP and JPY').waitFor();
    expect(await support.getByRole('link', { name: 'Set minimums' }).count()).toBe(0);
  },
);

test.skipIf(!hasBrowser)('says why a payout is overdue, and since when', async () => {
  const page = await open('finance', '/p/aurora/ledger');
  await page.route('**/admin/v1/publishers/aurora/attention*', async (route) => {
    const response = await route.fetch();
    const overdue = [
      {
        groupId: 'floor',
        plannedFor: '2026-03-15T00:00:00.000Z',
        withinDays: 3,
        overdueSince: '2026-03-19T00:00:00.000Z',
      },
    ];
    await route.fulfill({ response, json: { ...(await response.json()), overdue } });
  });
  await page.goto(`${service().url}/p/aurora/overview`);
  const item = page.getByRole('listitem').filter({ hasText: 'The payout for floor is overdue' });
  await item.getByText('since 19 Mar 2026').waitFor();
  await item
    .getByText(
      'Planned for 15 Mar 2026, promised within 3 days. Creators were due payments, but no payout has been created.',
    )
    .waitFor();
});

test.skipIf(!hasBrowser)(
  'shows the list of creators without scrolling, and defines sums on request',
  async () => {
    const page = await open('finance', '/p/aurora/payouts?group=floor', {
      size: { width: 1_280, height: 800 },
    });
    const list = page.getByRole('table', { name: 'Creators in this payout' });
    const topOf = async (): Promise<number> => (await list.locator('tbody tr').first().boundingBox())?.y ?? 0;
    await expect.poll(topOf).toBeGreaterThan(0);
    expect(await topOf()).toBeLessThan(700);
    expect(await page.getByText('regardless of new purchases').count()).toBe(0);
    await page.getByRole('button', { name: 'About “Net owed”' }).click();
    await page.getByRole('dialog').getByText('What you owe creators minus what they owe you').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'About “Cutoff”' }).click();
    await page.getByText('regardless of new purchases').waitFor();
  },
);

/** Enters a PayPal account that can be used at once. */
async function givePayPal(memberId: string): Promise<void> {
  const { db } = service().testDatabase.database;
  const settings = await readPayeeSettings(db, 'aurora');
  await putPayeeSettings(db, testActor, 'aurora', { ...settings, waitDays: 0 });
  const { methodId } = await enterMethod(db, testSealer, testActor, {
    publisherId: 'aurora',
    memberId: memberId as AccountId,
    destination: {
      kind: 'paypal',
      holderName: 'Creator',
      holderType: 'individual',
      country: 'DE',
      email: `${memberId}@example.com`,
    },
  });
  const approver = { ...testActor, id: 'approver' };
  await approveMethod(db, approver, { publisherId: 'aurora', methodId, acceptsShared: false });
}

test.skipIf(!hasBrowser)(
  'counts and adds up the payments without a payout method before payouts are created, and lists them',
  async () => {
    await makeGroup('some', 'holdDays: 0,');
    await earn('some', 'B', 10_000);
    const page = await open('finance', '/p/aurora/payouts?group=some');
    const confirmation = page.getByRole('dialog');
    const opens = async (sentence: string | null, ...amounts: string[]): Promise<void> => {
      await page.getByRole('button', { name: /^Create (payout|\d+ payouts)$/ }).click();
      await confirmation.getByText('Creating a payout sends no money.').waitFor();
      const column = confirmation.getByRole('columnheader', { name: 'Not in a file' });
      if (sentence === null) expect(await column.count()).toBe(0);
      else {
        await confirmation.getByText(sentence).waitFor();
        await column.waitFor();
        for (const row of amounts) await confirmation.getByRole('row', { name: row }).waitFor();
      }
      await page.keyboard.press('Escape');
      await confirmation.waitFor({ state: 'detached' });
    };
    const refreshed = async (): Promise<void> => {
      const { pathname, search } = new URL(page.url());
      const query = new URLSearchParams(search);
      query.delete('asOf');
      await page.goto(`${service().url}${pathname}?${query}`);
    };
    await opens(
      'This payment has no payout method, so it won’t be in a payment file.',
      'USD 100.00 100.00 1',
    );
    await earn('some', 'A', 20_000);
    await refreshed();
    await opens(
      'None of these 2 payments has a payout method, so they won’t be in a payment file.',
      'USD 300.00 300.00 2',
    );
    await givePayPal('acc_some_A');
    await refreshed();
    await opens(
      '1 of these 2 payments has no payout method, so it won’t be in a payment file.',
      'USD 300.00 100.00 2',
    );
    await earn('some', 'B', 30_000, { currency: 'EUR' });
    await refreshed();
    await opens(
      '2 of these 3 payments have no payout method, so they won’t be in a payment file.',
      'EUR 300.00 300.00 1',
      'USD 300.00 100.00',
    );
    await page.goto(`${service().url}/p/aurora/payouts`);
    await page.getByRole('checkbox', { name: 'All groups and currencies' }).uncheck();
    await page.getByRole('checkbox', { name: 'Pay some', exact: true }).check();
    await opens(
      '2 of these 3 payments have no payout method, so they won’t be in a payment file.',
      'EUR 300.00 300.00 1',
      'USD 300.00 100.00',
    );
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('button', { name: 'Create 2 payouts' }).click();
    await confirmation.getByRole('row', { name: 'USD 300.00 100.00', exact: true }).waitFor();
    const table = confirmation.getByRole('table', { name: 'Totals to confirm' });
    const [inner, outer] = await Promise.all([table, confirmation].map((each) => each.boundingBox()));
    expect((inner?.x ?? 0) + (inner?.width ?? 0), 'no number is cut').toBeLessThan(
      (outer?.x ?? 0) + (outer?.width ?? 0),
    );
    await confirmation.getByRole('link', { name: 'Show them' }).click();
    await confirmation.waitFor({ state: 'detached' });
    await page.getByText('Only creators without a payout method are listed.').waitFor();
    await givePayPal('acc_some_B');
    await page.goto(`${service().url}/p/aurora/payouts?group=some`);
    await opens(null);
  },
);

test.skipIf(!hasBrowser)('names the only creator who owes money, in one sentence', async () => {
  await makeGroup('debt', 'holdDays: 0,');
  const { db } = service().testDatabase.database;
  await earn('debt', 'A', 8_990);
  const { payouts } = await createPayout(db, testActor, {
    publisherId: 'aurora',
    groupId: 'debt',
    currency: null,
    asOf: null,
  });
  for (const { batchId } of payouts) await markPaid(batchId);
  const row = await db
    .selectFrom('attribution')
    .select('attribution_id')
    .where('group_id', '=', 'debt')
    .executeTakeFirstOrThrow();
  await operations.clawBack(db, testActor, {
    publisherId: 'aurora',
    row: row.attribution_id,
    status: 'Chargeback',
    reason: 'Charged back.',
  });
  const page = await open('finance', '/p/aurora/payouts?group=debt');
  await page.getByText('Creator A owes you 89.90 USD. Future earnings go toward repaying it.').waitFor();
  await page.getByRole('columnheader', { name: 'Overpaid' }).waitFor();
  expect(await page.getByText('Owes you', { exact: true }).count(), 'words for something else').toBe(0);
  // A purchase in its hold period raises the balance, and so lowers what the creator owes.
  await earn('debt', 'A', 1_000, { transactionDate: new Date().toISOString() });
  await service().provision('{ publisher: { id: aurora }, groups: [ { id: debt, holdDays: 30 } ] }');
  await page.goto(`${service().url}/p/aurora/payouts?group=debt`);
  await page
    .getByText('Creator A owes you 79.90 USD: 89.90 USD overpaid, minus 10.00 USD that isn’t due yet.')
    .waitFor();
  await page.goto(`${service().url}/p/aurora/payouts/owed?group=debt`);
  await page.getByText('−79.90').first().waitFor();
});
