import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { useManagement } from '../../../test/management.ts';
import { testActor } from '../../../test/test-actor.ts';
import { approveMember } from '../../members/change/approve-member.ts';
import { removeMember } from '../../members/change/remove-member.ts';
import { toAccountId } from '../../platform/ids.ts';

const { service, record, send, provisionGroup } = useManagement();

/** Runs `work` while several callers keep repeating an operation without pausing. */
async function meanwhile<Result>(
  callers: number,
  repeat: () => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const busy = Array.from({ length: callers }, async () => {
    while (!isOver) await repeat();
  });
  try {
    return await work();
  } finally {
    isOver = true;
    await Promise.all(busy);
  }
}

async function recordOneByOne(count: number, changes: Record<string, unknown> = {}) {
  const statuses: Record<number, number> = {};
  for (let done = 0; done < count; done += 1) {
    const { status } = await record(purchase(changes));
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

const version = async (publisherId = 'aurora'): Promise<bigint> => {
  const { programme_version } = await service()
    .testDatabase.database.db.selectFrom('publisher')
    .select('programme_version')
    .where('publisher_id', '=', publisherId)
    .executeTakeFirstOrThrow();
  return programme_version;
};

describe('records every purchase', () => {
  test.each([8, 16])('while %i callers generate members that already exist', async (callers) => {
    await send('POST', '/members', { playerId: 'again' });
    const statuses = await meanwhile(
      callers,
      async () => expect((await send('POST', '/members', { playerId: 'again' })).status).toBe(200),
      () => recordOneByOne(25),
    );
    expect(statuses).toEqual({ 200: 25 });
  });

  test('while 8 callers generate new members', async () => {
    let made = 0;
    const statuses = await meanwhile(
      8,
      async () => {
        made += 1;
        expect((await send('POST', '/members', { playerId: `new-${made}` })).status).toBe(200);
      },
      () => recordOneByOne(20),
    );
    expect(statuses).toEqual({ 200: 20 });
  });

  test('while the program changes continuously', async () => {
    const { db } = service().testDatabase.database;
    const change = () =>
      sql`update publisher set programme_version = programme_version + 1 where publisher_id = 'aurora'`.execute(
        db,
      );
    const before = await version();
    const statuses = await meanwhile(4, change, () => recordOneByOne(40, { skuId: 'battle-pass' }));
    expect(statuses).toEqual({ 200: 40 });
    expect(await version()).toBeGreaterThan(before + 40n);
  });

  test('or rejects it because of its own code, while a member is approved and removed continuously', async () => {
    await provisionGroup(
      'main',
      'members: [ { id: acc_flip, playerId: p-flip, codes: [ { code: FLIP } ] } ]',
    );
    const { db } = service().testDatabase.database;
    let turns = 0;
    const change = async () => {
      turns += 1;
      const member = { publisherId: 'aurora', groupId: 'main', memberId: toAccountId('acc_flip') };
      if (turns % 2 === 0) await approveMember(db, testActor, member);
      else await removeMember(db, testActor, { ...member, reason: 'flip' });
    };
    const [steady, flipping] = await meanwhile(2, change, () =>
      Promise.all([recordOneByOne(40), recordOneByOne(40, { code: 'FLIP' })]),
    );
    expect(steady).toEqual({ 200: 40 });
    expect((flipping[200] ?? 0) + (flipping[400] ?? 0)).toBe(40);
  });

  test('and lists, splits, duplicates and invalid purchases, each with its own outcome', async () => {
    const { db } = service().testDatabase.database;
    const change = () =>
      sql`update publisher set programme_version = programme_version + 1 where publisher_id = 'aurora'`.execute(
        db,
      );
    const known = purchase();
    await record(known);
    const split = purchase();
    const answers = await meanwhile(4, change, () =>
      Promise.all([
        record(purchase()),
        record([purchase(), purchase({ code: 'BOB' })]),
        record([split, { ...split, code: 'BOB' }]),
        record(known),
        record([purchase(), known]),
        record(purchase({ code: 'UNKNOWN' })),
        record([purchase(), purchase({ code: 'UNKNOWN' })]),
        record(purchase({ currency: 'BTC' })),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 409, 409, 400, 400, 400]);
  });
});
