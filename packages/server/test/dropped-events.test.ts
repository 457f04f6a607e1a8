import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endBounty } from '../src/bounties/define/end-bounty.ts';
import { dropDays } from '../src/platform/database/days/drop-days.ts';
import { coverIds } from '../src/platform/dated-ids.ts';
import { rowIdAt, toBountyId } from '../src/platform/ids.ts';
import { startWorkers } from '../src/worker.ts';
import { until } from './attribution-process.ts';
import { eventsOf, purchases, useBounties } from './bounties.ts';
import { composeTestService } from './compose-test-service.ts';
import { testActor } from './test-actor.ts';
import { connect } from './test-database.ts';

const at = useBounties();
const { define, defineAll, earn, settleAndCheck, standing, group, check, number } = at;
afterEach(() => at.expectSound());

const today = new Date(new Date().toISOString().slice(0, 10));
const firstIdOfToday = `${rowIdAt(today).slice(0, 13)}-0000-0000-000000000000`;

/** Puts rows recorded before today into their own partition. */
beforeEach(async () => {
  const owner = await connect(at.service().testDatabase.ownerConnection);
  const { rows } = await owner.query(
    "select name from day_partitions('bounty_event') where end_id <= first_id_of((now() at time zone 'UTC')::date)",
  );
  for (const { name } of rows) await owner.query(`drop table ${name}`);
  await owner.query(
    `create table bounty_event_past partition of bounty_event for values from (minvalue) to ('${firstIdOfToday}')`,
  );
});

let events = 0;
const event = (changes: Record<string, unknown> = {}) => {
  events += 1;
  return { eventId: `d-${events}`, eventCode: 'level-10', code: 'M-A', playerId: 'player-1', ...changes };
};
const send = (json: unknown) => at.bounties('POST', `/events?groupId=${group()}`, { json });

/** Sends events that are recorded as if the process's clock were a day behind. */
async function sendYesterday(...sent: object[]): Promise<void> {
  coverIds({ first: null, end: firstIdOfToday });
  try {
    for (const each of sent) expect((await send(each)).status).toBe(200);
  } finally {
    coverIds(null);
  }
}

const dropYesterday = async (): Promise<void> =>
  expect(await dropDays(at.db(), 'bounty_event', today, new AbortController().signal)).toBe(1);

const bonus = { name: 'Bonus', type: 'Payment', amount: 500, currency: 'EUR' };
const paid = () => number(sql`select count(*) as n from reward_payment where group_id = ${group()}`);

test('an event resent after its day was dropped doesn’t count, not even for a newer bounty', async () => {
  const id = await define({ limit: null, objectives: [eventsOf('level-10', 5)] });
  const old = event();
  await sendYesterday(old);
  const again = await send(old);
  expect([again.status, again.body.eventId]).toEqual([200, old.eventId]);
  await dropYesterday();
  const later = await define({ limit: null, objectives: [eventsOf('level-10', 5), eventsOf('level-11', 5)] });
  for (const sent of [
    old,
    { ...old, code: 'M-B' },
    { ...old, eventCode: 'level-11' },
    { ...old, code: 'NOBODY' },
  ]) {
    const { status, body } = await send(sent);
    expect([status, body.code]).toEqual([409, 'Conflict']);
  }
  expect([await standing(id), await standing(id, 'B')]).toEqual(['0/1', 'not begun']);
  expect([await standing(later), await standing(later, 'B')]).toEqual(['not begun', 'not begun']);
  expect((await send(event())).status, 'one with another id is recorded as always').toBe(200);
  expect([await standing(id), await standing(later)]).toEqual(['0/2', '0/1,0']);
});

test('contributions of events remain when their days are dropped, even if the bounty is counted again', async () => {
  const terms = {
    name: 'Levels',
    limit: null,
    objectives: [{ ...eventsOf('level-10', 2), id: `o-${group()}` }],
    rewards: [bonus],
  };
  const id = await define(terms);
  const put = (changes: object) =>
    defineAll([{ id, startsAt: '2024-01-01T00:00:00Z', ...terms, ...changes }]);
  await sendYesterday(
    event({ occurredAt: '2024-03-01T00:00:00Z' }),
    event({ occurredAt: '2024-12-31T23:59:59.999Z' }),
    event({ occurredAt: '2025-01-01T00:00:00Z' }),
  );
  expect(await check()).toBe(1);
  expect(await standing(id)).toBe('1/1');
  await dropYesterday();
  await put({ endsAt: '2025-01-01T00:00:00.001Z' });
  expect([await check(), await standing(id)]).toEqual([0, '1/1']);
  const with_another = [...terms.objectives, eventsOf('level-11', 1)];
  await put({ endsAt: '2025-02-01T00:00:00Z', objectives: with_another });
  expect([await check(), await standing(id)]).toEqual([0, '1/1,0']);
  await put({ endsAt: '2025-01-01T00:00:00Z' });
  expect([await check(), await standing(id)], 'the last one occurred later').toEqual([0, '1/0']);
  await put({});
  expect([await check(), await standing(id)], 'and is kept no more').toEqual([0, '1/0']);
  await send(event());
  expect(await standing(id)).toBe('1/1');
  await endBounty(at.db(), testActor, { publisherId: 'aurora', bountyId: toBountyId(id) }, at.now());
  expect([await check(), await standing(id), await paid()]).toEqual([0, '1/1', 1n]);
});

test('an objective that is removed and added again keeps its count, plus events stored since', async () => {
  const objective = { ...eventsOf('level-10', 9), id: `again-${group()}` };
  const id = await define({ objectives: [objective] });
  const put = (objectives: object[]) =>
    defineAll([{ id, name: 'Again', startsAt: '2024-01-01T00:00:00Z', objectives, rewards: [bonus] }]);
  await define({ objectives: [eventsOf('level-10', 9)] });
  await sendYesterday(event());
  await put([{ ...purchases(1), id: `other-${group()}` }]);
  await sendYesterday(event());
  await dropYesterday();
  await send(event());
  await put([objective]);
  expect(await standing(id)).toBe('0/2');
});

test('purchases are counted again as usual', async () => {
  const objectives = [eventsOf('level-10', 9), { ...purchases(9), id: `sales-${group()}` }];
  const id = await define({ name: 'Both', objectives });
  await sendYesterday(event());
  await earn(group(), 'A', 10);
  await earn(group(), 'A', 10, { transactionDate: '2025-06-01T00:00:00Z' });
  await settleAndCheck();
  expect(await standing(id)).toBe('0/1,2');
  await dropYesterday();
  await defineAll([
    {
      id,
      name: 'Both',
      startsAt: '2024-01-01T00:00:00Z',
      endsAt: '2025-06-01T00:00:00Z',
      objectives,
      rewards: [bonus],
    },
  ]);
  expect(await standing(id)).toBe('0/0,1');
});

test('workers drop a day after the retention, and not the day before that', async () => {
  const id = await define({ objectives: [eventsOf('level-10', 9)] });
  await sendYesterday(event());
  await send(event());
  const kept = () => number(sql`select count(*) as n from bounty_event where group_id = ${group()}`);
  const workOn = async (day: number, isDone: () => Promise<boolean>): Promise<void> => {
    const clock = { now: () => new Date(Date.now() + day * 86_400_000) };
    const service = composeTestService(at.service().testDatabase.database, {
      environment: { CUSTOM_EVENT_KEEP_DAYS: '10' },
      clock,
    });
    const workers = startWorkers(service, false);
    await until('the purge', isDone);
    await workers.stop();
    await service.stop();
  };
  const refusals = async (): Promise<boolean> =>
    (await number(
      sql`select count(*) as n from day_partitions('refused_request') where end_id <= ${firstIdOfToday}::uuid`,
    )) === 0n;
  await workOn(9, refusals); // rejected requests are dropped last
  expect(await kept()).toBe(2n);
  await workOn(10, async () => (await kept()) === 1n);
  expect(await standing(id)).toBe('0/2');
});
