import { expect, test } from 'vitest';
import type { Asking } from '../../../test/admin.ts';
import { settleAll, useMoney } from '../../../test/money.ts';
import { signIn } from '../../../test/staff.ts';

const { service, db } = useMoney();

/** Year of the sandbox's clock in these tests. All of its days are in the future, no matter when the tests run. */
const year = new Date().getUTCFullYear() + 1;
const at = (day: string, time = '00:00:00.000'): string => `${year}-${day}T${time}Z`;

/** Copies aurora to a sandbox, and returns a function that sends requests to it. */
async function sandbox(): Promise<Asking> {
  const owner = await signIn(service(), 'owner');
  const old = (await owner.ask('GET', '/sandbox')).body.sandbox;
  const { body } = await owner.ask('POST', '/sandbox', { replaces: old?.publisherId ?? null });
  const { publisherId } = body.sandbox;
  return (method, path, json) => owner.ask(method, `/admin/v1/publishers/${publisherId}${path}`, json);
}

async function advanceTo(ask: Asking, to: string): Promise<void> {
  const { aheadMs } = (await ask('GET', '/sandbox')).body.sandbox;
  expect((await ask('POST', '/clock', { to, aheadMs })).status).toBe(200);
}

async function buy(ask: Asking): Promise<void> {
  const purchase = { code: 'ALICE', subtotalMinor: '50000', currency: 'USD', groupId: 'main' };
  expect((await ask('POST', '/sandbox/purchases', purchase)).status).toBe(200);
  await settleAll(db());
}

const preview = async (ask: Asking) => (await ask('GET', '/payouts/preview?group=main')).body;
/**
 * Returns a group's planned day, and expects that the group's own preview and the preview of all groups agree on it.
 */
async function plannedIn(ask: Asking, groupId: string): Promise<string | null> {
  const { plannedFor } = (await ask('GET', `/payouts/preview?group=${groupId}`)).body;
  const { groups } = (await ask('GET', '/pay-runs/preview')).body;
  const ofAll = groups.find((each: { groupId: string }) => each.groupId === groupId);
  expect(ofAll.plannedFor).toBe(plannedFor);
  return plannedFor;
}
const overdue = async (ask: Asking) => (await ask('GET', '/attention')).body.overdue;

const setCalendar = async (ask: Asking, payoutCalendar: object): Promise<void> => {
  const { rows } = (await ask('GET', '/groups')).body;
  const { version } = rows.find(({ groupId }: { groupId: string }) => groupId === 'main');
  expect((await ask('PUT', '/groups/main', { version, payoutCalendar })).status).toBe(200);
};

test('a planned day that was over when the calendar was set was never planned', async () => {
  await service().provision(`
    publisher: { id: aurora }
    groups: [ { id: main, holdDays: 0 } ]`);
  const ask = await sandbox();
  await advanceTo(ask, at('01-20'));
  await buy(ask);
  await advanceTo(ask, at('03-17', '12:00:00.000'));
  await setCalendar(ask, { dayOfMonth: 15, withinDays: 3 });
  expect(await plannedIn(ask, 'main'), 'March 15 is over').toBe(at('04-15'));
  await advanceTo(ask, at('03-20'));
  expect(await overdue(ask)).toEqual([]);
  await setCalendar(ask, { dayOfMonth: 15, withinDays: 0 });
  await advanceTo(ask, at('04-16'));
  expect(await overdue(ask), 'another grace period keeps the day').toEqual([
    { groupId: 'main', plannedFor: at('04-15'), withinDays: 0, overdueSince: at('04-16') },
  ]);
  await advanceTo(ask, at('05-05', '18:00:00.000'));
  await setCalendar(ask, { dayOfMonth: 5, withinDays: 0 });
  expect(await plannedIn(ask, 'main'), 'a day is planned until it is over').toBe(at('05-05'));
  expect(await overdue(ask)).toEqual([]);
  await advanceTo(ask, at('05-06'));
  expect(await overdue(ask)).toEqual([
    { groupId: 'main', plannedFor: at('05-05'), withinDays: 0, overdueSince: at('05-06') },
  ]);
  await setCalendar(ask, { dayOfMonth: 4, withinDays: 0 });
  expect(await overdue(ask), 'another day counts from now on').toEqual([]);
  expect(await plannedIn(ask, 'main')).toBe(at('06-04'));
});

test('a planned day is announced until its payout is created or overdue, and attention lists overdue payouts', async () => {
  await service().provision(`
    publisher: { id: aurora }
    groups:
      - { id: main, holdDays: 30, payoutCalendar: { dayOfMonth: 15, withinDays: 3 } }`);
  const ask = await sandbox();
  await advanceTo(ask, at('02-01'));
  await buy(ask);
  await advanceTo(ask, at('03-14', '23:00:00.000'));
  expect(await plannedIn(ask, 'main')).toBe(at('03-15'));
  expect(await plannedIn(ask, 'moba'), 'without a calendar').toBeNull();
  expect((await preview(ask)).totals).toMatchObject([{ due: { memberCount: 1 } }]);
  expect(await overdue(ask), 'nothing was due in February').toEqual([]);

  await advanceTo(ask, at('03-18', '23:00:00.000'));
  expect(await plannedIn(ask, 'main'), 'within the grace period').toBe(at('03-15'));
  expect(await overdue(ask)).toEqual([]);
  await advanceTo(ask, at('03-19'));
  const inMarch = { groupId: 'main', plannedFor: at('03-15'), withinDays: 3, overdueSince: at('03-19') };
  expect(await overdue(ask)).toEqual([inMarch]);
  expect((await ask('GET', '/attention?group=moba')).body.overdue, 'another group').toEqual([]);
  expect(await plannedIn(ask, 'main')).toBe(at('04-15'));

  const { asOf } = await preview(ask);
  const created = await ask('POST', '/payouts', { groupId: 'main', currency: 'USD', asOf });
  const [{ payoutId }] = created.body.payouts;
  expect(await overdue(ask), 'after the payout').toEqual([]);
  expect((await ask('POST', `/payouts/${payoutId}/cancel`, { reason: 'wrong' })).status).toBe(200);
  expect(await overdue(ask), 'after it was canceled').toEqual([inMarch]);

  const again = await preview(ask);
  const body = { groupId: 'main', currency: 'USD', asOf: again.asOf };
  expect((await ask('POST', '/payouts', body)).body.payouts).toHaveLength(1);
  await advanceTo(ask, at('03-20'));
  await buy(ask);
  await advanceTo(ask, at('04-19', '12:00:00.000'));
  const { due } = (await ask('GET', '/attention')).body;
  expect(due).toEqual([{ groupId: 'main', currency: 'USD' }]);
  expect(await overdue(ask), 'due only since April 19').toEqual([]);
  await advanceTo(ask, at('05-14', '23:00:00.000'));
  expect(await overdue(ask), 'planned for May 15').toEqual([]);
  expect(await plannedIn(ask, 'main')).toBe(at('05-15'));
  await advanceTo(ask, at('05-19'));
  expect(await overdue(ask)).toEqual([
    { groupId: 'main', plannedFor: at('05-15'), withinDays: 3, overdueSince: at('05-19') },
  ]);

  const [{ version }] = (await ask('GET', '/groups')).body.rows.filter(
    ({ groupId }: { groupId: string }) => groupId === 'main',
  );
  expect((await ask('PUT', '/groups/main', { version, payoutCalendar: null })).status).toBe(200);
  expect(await overdue(ask), 'without a calendar').toEqual([]);
});
