import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { killLeftovers, spawnAttribution, until } from '../../../test/attribution-process.ts';
import { entriesOf } from '../../../test/audit.ts';
import { databaseUrl } from '../../../test/database-url.ts';
import { fillBooks } from '../../../test/fill-books.ts';
import { useMoney } from '../../../test/money.ts';
import {
  type Crash,
  type CrashingDatabase,
  openCrashingDatabase,
} from '../../../test/simulation/crashing-database.ts';
import { testActor } from '../../../test/test-actor.ts';
import { connect } from '../../../test/test-database.ts';
import { cancelPayout } from './cancel-payout.ts';
import { createPayout } from './create/create-payout.ts';
import { publishersToResume, resumePayouts } from './resume-payouts.ts';

const money = useMoney();
const { makeGroup, settle, preview, create, patch, query, number, db } = money;
let crashing: CrashingDatabase;
beforeAll(() => {
  crashing = openCrashingDatabase(money.service().testDatabase.connection);
});
afterAll(async () => {
  await money.expectSound();
  killLeftovers();
  await crashing?.close();
});

/** Expires the leases on all payouts, so that their workers are considered dead. */
const expireLeases = () =>
  query(
    sql`update payout_batch set worked_until = now() - interval '1 second' where worked_until is not null`,
  );
const stateOf = async (batchId: string) =>
  (
    await query(sql<{ status: string; was_undone: boolean }>`
    select status, was_undone from payout_batch where batch_id = ${batchId}::uuid`)
  )[0];
const assigned = (group: string) =>
  number(sql`select count(*) as n from payment where group_id = ${group} and payout_batch_id is not null`);
const owed = (group: string) =>
  number(sql`
    select sum(b.balance_minor) as n from member_balance b join membership m using (publisher_id, membership_id)
    where m.group_id = ${group}`);
/** Size of the data: `ofA` rows for A, which take two steps, and a few rows for each other member. */
const books = { members: 6, each: 60, ofA: 300 };
const total = BigInt(books.members * books.each + books.ofA);

/**
 * Blocks a group's payouts before their last step.
 * @returns a function that unblocks them
 */
async function block(group: string): Promise<() => Promise<unknown>> {
  const client = await connect(money.service().testDatabase.connection);
  await client.query('begin');
  await client.query(
    `select from membership
     where membership_id = (select membership_id from attribution where group_id = $1 order by 1 desc limit 1)
     for update`,
    [group],
  );
  return () => client.query('rollback');
}
const firstStepOf = (group: string): Promise<string> =>
  until('a step to be done', async () => {
    const [batch] = await query(sql<{ batch_id: string }>`
      select batch_id from payout_batch where group_id = ${group} and status = 'Preparing' and member_count > 0`);
    return batch?.batch_id;
  });

test('a payout whose process is killed is undone by the next command, and all balances verify in the meantime', async () => {
  await makeGroup('killed');
  await fillBooks(db(), 'killed', books);
  const row = await money.earn('killed', 'B', 500);
  await settle();
  const all = total + 500n;
  const { asOf } = await preview('killed');
  const unblock = await block('killed');
  const { connection } = money.service().testDatabase;
  const payout = spawnAttribution(['payouts', 'create', '--publisher', 'aurora', '--group', 'killed'], {
    environment: { DATABASE_URL: databaseUrl(connection) },
  });
  const batchId = await firstStepOf('killed');
  payout.kill('SIGKILL');
  expect(await payout.ended).toMatchObject({ signal: 'SIGKILL' });
  await unblock();
  expect(await stateOf(batchId)).toEqual({ status: 'Preparing', was_undone: false });
  expect(await assigned('killed')).toBeGreaterThan(0n);
  await money.expectSound();

  const message = `Payout ${batchId} of group killed in USD is being created.`;
  await Promise.all([
    expect(create('killed')).rejects.toThrow(message),
    expect(preview('killed')).rejects.toThrow(message),
    expect(money.markPaid(batchId)).rejects.toThrow('is still being created'),
  ]);
  await expireLeases();
  const undoing = await entriesOf(db(), async () =>
    expect((await preview('killed')).payables).toHaveLength(books.members + 2),
  );
  expect(undoing, 'no entry for its creation, one for the service that undid it').toMatchObject([
    { action: 'payout.undo', actor_kind: 'service', command: null, target: `payout:${batchId}` },
  ]);
  expect(await stateOf(batchId)).toEqual({ status: 'Cancelled', was_undone: true });
  expect(await assigned('killed')).toBe(0n);
  expect(await owed('killed')).toBe(all);
  await money.expectSound();
  const creating = await entriesOf(db(), async () =>
    expect(await create('killed', asOf), 'the earlier cutoff is still valid').toMatchObject([
      { totalMinor: all, memberCount: books.members + 2 },
    ]),
  );
  expect(creating).toMatchObject([{ action: 'payout.create', after: { totalMinor: String(all) } }]);
  expect((await patch(row.transactionId, { form: { action: 'Refund' } })).status).toBe(409);
});

test('a payout that is being created can be canceled, and its creator gets an error', async () => {
  await makeGroup('stopped');
  await fillBooks(db(), 'stopped', books);
  const unblock = await block('stopped');
  const creating = create('stopped').then(
    () => 'created',
    (error: Error) => error.message,
  );
  const batchId = await firstStepOf('stopped');
  const entries = await entriesOf(db(), async () => {
    await money.cancel(batchId);
    await unblock();
    await creating;
  });
  expect(entries, 'its creation was rejected').toMatchObject([
    { action: 'payout.cancel', before: { status: 'Preparing' }, target: `payout:${batchId}` },
  ]);
  expect(await creating).toBe('The payout was canceled while it was being created. Nothing was paid.');
  expect(await stateOf(batchId)).toEqual({ status: 'Cancelled', was_undone: true });
  expect(await assigned('stopped')).toBe(0n);
});

describe('after a crash at any point', () => {
  const group = 'dies';
  const whole = { publisherId: 'aurora', groupId: group, currency: null, asOf: null };
  beforeAll(async () => {
    await makeGroup(group);
    await fillBooks(db(), group, books);
  });
  const isAssigned = async (): Promise<boolean> => {
    const sums = [await assigned(group), await owed(group)];
    const isMade = sums[0] !== 0n;
    expect(sums, 'all or nothing').toEqual(isMade ? [total, 0n] : [0n, total]);
    expect(await number(sql`select count(*) as n from payout_batch where worked_until is not null`)).toBe(0n);
    return isMade;
  };
  const points: Crash[] = [
    ...[22, 40, 55].map((beforeStatement) => ({ beforeStatement })),
    ...[3, 4, 6].map((afterCommit) => ({ afterCommit })),
  ];

  test.each(points)('a payout is complete or undone: %j', async (crash) => {
    const before = await money.payouts();
    const entries = await entriesOf(db(), async () => {
      await createPayout(crashing.db(crash), testActor, whole).catch(() => undefined);
      await money.expectSound();
      await expireLeases();
      for (const publisherId of await publishersToResume(db())) await resumePayouts(db(), publisherId);
    });
    const started = (await money.payouts()).slice(0, -before.length || undefined);
    expect(entries, 'one entry, for its outcome').toMatchObject(
      started.map(({ batchId, status }) => ({
        target: `payout:${batchId}`,
        action: status === 'Created' ? 'payout.create' : 'payout.undo',
        actor_kind: status === 'Created' ? testActor.kind : 'service',
      })),
    );
    if (!(await isAssigned())) return;
    const [batch] = await money.payouts();
    expect(batch).toMatchObject({ groupId: group, status: 'Created', totalMinor: total });
    await money.cancel(batch?.batchId ?? '');
  });

  test.each([...points.entries()])(
    'a cancellation is continued by the next one (%i: %j)',
    async (index, crash) => {
      const [batch] = await create(group);
      const { batchId = '' } = batch ?? {};
      const cancellation = { publisherId: 'aurora', payoutId: batchId, reason: null };
      const entries = await entriesOf(db(), async () => {
        await cancelPayout(crashing.db(crash), testActor, cancellation).catch(() => undefined);
        await money.expectSound();
        if (index % 2 === 0) await money.cancel(batchId);
        else {
          await expireLeases();
          await resumePayouts(db(), 'aurora');
        }
      });
      const isMade = await isAssigned();
      expect(await stateOf(batchId)).toEqual({ status: isMade ? 'Created' : 'Cancelled', was_undone: false });
      expect(entries, 'the process that continues it adds no entry').toMatchObject(
        isMade ? [] : [{ action: 'payout.cancel', target: `payout:${batchId}`, actor_kind: testActor.kind }],
      );
      if (isMade) await money.cancel(batchId);
    },
  );
});
