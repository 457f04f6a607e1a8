import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../src/api-keys/create-key.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { toTierId } from '../../src/platform/ids.ts';
import { publishersToSettle } from '../../src/settlement/settle/settle-rows.ts';
import { verifyLedger } from '../../src/settlement/verify/verify-ledger.ts';
import { operations } from '../money.ts';
import { testActor } from '../test-actor.ts';
import { type TestService, useService } from '../test-service.ts';
import { transactionsPath } from '../transactions.ts';
import { type CrashingDatabase, openCrashingDatabase } from './crashing-database.ts';
import { History } from './history.ts';
import { Random } from './random.ts';
import { changeShares, emptyTables, expectedMoney, makeWave, readMoney } from './wave.ts';

const histories = Number(process.env.SIMULATION_HISTORIES ?? 400);
const seed = Number(process.env.SIMULATION_SEED ?? systemClock.now().getTime() % 2 ** 32);
/** Publishers whose histories go on at the same time: every balance is explained at every moment. */
const publishers = ['sim-a', 'sim-b', 'sim-c', 'sim-d'];
/** Histories of a publisher that go on side by side, a step each, before all of them are looked at. */
const waveSize = 50;
const rounds = 8;

const service = useService();
let crashing: CrashingDatabase;
const keys = new Map<string, string>();

beforeAll(async () => {
  const { connection, database } = service().testDatabase;
  for (const publisherId of publishers) {
    await service().provision(`publisher: { id: ${publisherId} }`);
    const made = { publisherId, name: 'backend', kind: 'secret', group: null, expiresAt: null } as const;
    keys.set(publisherId, (await createKey(database.db, testActor, made, new Date())).key);
  }
  crashing = openCrashingDatabase(connection);
});
afterAll(() => crashing?.close());

test(
  `${histories} random histories of money are as the model says, and explained, after every step`,
  async () => {
    process.stdout.write(`simulation: SIMULATION_SEED=${seed} SIMULATION_HISTORIES=${histories}\n`);
    const random = new Random(seed);
    for (let done = 0; done < histories; done += waveSize * publishers.length) {
      await emptyTables(service().testDatabase.ownerConnection);
      await Promise.all(
        publishers.map((publisherId, index) => {
          const size = Math.min(waveSize, histories - done - index * waveSize);
          const its = new Random(random.next());
          return size > 0 && runWave(service(), publisherId, `${publisherId}-${done}`, size, its);
        }),
      );
    }
  },
  60_000 + histories * 100,
);

async function runWave(
  at: TestService,
  publisherId: string,
  prefix: string,
  size: number,
  random: Random,
): Promise<void> {
  const { db } = at.testDatabase.database;
  const { groups, tierIds } = await makeWave(db, publisherId, prefix, size, random);
  const key = keys.get(publisherId) ?? '';
  const around = {
    service: at,
    crashing,
    publisherId,
    key,
    random,
    now: () => systemClock.now(),
  };
  const all = groups.map(
    (group) =>
      new History(group, tierIds.get(group.groupId) ?? toTierId(''), {
        ...around,
        random: new Random(random.next()),
      }),
  );
  const settle = async (): Promise<void> => {
    await settleWithCrashes(at, publisherId, random);
    for (const { group, log } of all) {
      group.settle();
      log.push('settle');
    }
  };
  for (let round = 1; round <= rounds; round += 1) {
    if (round % 4 === 0)
      await changeShares(
        db,
        publisherId,
        groups.filter(() => random.oneIn(10)),
        random,
      );
    if (random.oneIn(2)) await settle();
    await Promise.all(all.map((history) => history.step()));
    await expectAsModelled(at, publisherId, all);
  }
  await settle();
  await expectAsModelled(at, publisherId, all);
  for (const history of all.slice(0, 10)) await expectShown(at, key, history);
}

/** Settles what waits; now and then a worker dies in the middle, and now and then several work at once. */
async function settleWithCrashes(at: TestService, publisherId: string, random: Random): Promise<void> {
  const { db } = at.testDatabase.database;
  // The backend of a worker that died a moment ago may still have what it took: nothing is left once it is gone.
  const settle = async (): Promise<void> => {
    do await operations.settleRows(db, publisherId);
    while ((await publishersToSettle(db)).includes(publisherId));
  };
  if (random.oneIn(3)) {
    const crash = random.oneIn(4) ? { afterCommit: 1 } : { beforeStatement: 1 + random.below(6) };
    await operations
      .settleRows(crashing.db(crash), publisherId)
      .catch((error: unknown) => expect(String(error)).toMatch(/terminat|died|closed|not queryable/));
  }
  await (random.oneIn(3) ? Promise.all([settle(), settle(), settle()]) : settle());
}

async function expectAsModelled(
  at: TestService,
  publisherId: string,
  all: readonly History[],
): Promise<void> {
  const { db } = at.testDatabase.database;
  const verdict = await verifyLedger(db);
  expect(verdict.isSound, `SIMULATION_SEED=${seed}: ${JSON.stringify(verdict)}`).toBe(true);
  const money = await readMoney(db, publisherId);
  for (const { group, log } of all) {
    const is = money.get(group.groupId) ?? [];
    const must = expectedMoney(group);
    if (is.join('\n') === must.join('\n')) continue;
    expect(is, `SIMULATION_SEED=${seed}, ${group.groupId}:\n${log.join('\n')}`).toEqual(must);
  }
}

/** What a publisher sees of a group's rows is what the model says. */
async function expectShown(at: TestService, key: string, { group, log }: History): Promise<void> {
  const { body } = await at.call('GET', `${transactionsPath}?groupId=${group.groupId}&pageSize=1000`, {
    key,
  });
  const shown = new Map<string, Record<string, unknown>>(
    body.map(({ transaction }: { transaction: { id: string } }) => [transaction.id, transaction]),
  );
  for (const row of group.rows()) {
    const { status, memberShareAmount, memberSharePercent, memberPaid } = shown.get(row.id) ?? {};
    const share = row.settled?.share ?? row.sent;
    expect({ status, memberShareAmount, memberSharePercent, memberPaid }, log.join('\n')).toEqual({
      status: row.status,
      memberShareAmount: row.settled === null ? undefined : Number(row.settled.amount),
      memberSharePercent: share === null ? undefined : share / 10_000,
      memberPaid: row.batch?.status === 'Paid',
    });
  }
}
