import { PassThrough, type Writable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { testSealer } from '../../test/sealer.ts';
import { useStatements } from '../../test/statements.ts';
import { testActor } from '../../test/test-actor.ts';
import { systemClock } from '../platform/clock.ts';
import { eraseCreator } from '../privacy/erase-creator.ts';
import { listStatements } from '../settlement/statements/read-statements.ts';
import { exportStatement } from '../settlement/statements/statement-csv.ts';
import { verifyLedger } from '../settlement/verify/verify-ledger.ts';

const scene = await useStatements();
const { portal, months, membershipsOf } = scene;
const { earn, settle, create, markPaid, cancel, refund, query, db } = portal;

/** Returns what an export writes. */
async function written(write: (output: Writable) => Promise<void>): Promise<string> {
  const output = new PassThrough();
  const [found] = await Promise.all([textOf(output), write(output).then(() => output.end())]);
  return found;
}

describe('`ledger verify`', () => {
  const rule = /^a statement contains what the ledger booked/;

  /** Runs SQL as a superuser, and returns what the ledger then breaks. The change is undone afterward. */
  async function brokenBy(change: string, undo: string): Promise<{ rule: string; row: string } | null> {
    const admin = new pg.Client(portal.service().testDatabase.adminConnection);
    await admin.connect();
    try {
      await admin.query(change);
      const verdict = await verifyLedger(db());
      await admin.query(undo);
      return verdict.isSound ? null : { rule: verdict.rule, row: verdict.row };
    } finally {
      await admin.end();
    }
  }

  /** Deletes statements, and returns what the ledger then breaks. */
  const brokenWithout = (which: string) =>
    brokenBy(
      `create table kept as select * from statement where ${which}; delete from statement where ${which}`,
      `insert into statement select * from kept; drop table kept`,
    );

  test('finds a wrong amount, a gap between two statements, and an entry that no statement contains', async () => {
    await earn(scene.group, 'A', 100);
    await settle();
    await months.close();
    await earn(scene.group, 'A', 40);
    await settle();
    await months.close();
    await earn(scene.group, 'A', 5);
    await settle();
    const last = `(select max(month) from statement where group_id = '${scene.group}')`;
    const move = (column: string, by: number, month: string) =>
      `update statement set ${column}_minor = ${column}_minor + ${by}, closing_minor = closing_minor + ${by}
       where group_id = '${scene.group}' and month ${month}`;
    for (const [column, month, found] of [
      ['earned', `= ${last}`, 'earned'],
      ['bounties', `= ${last}`, 'bounties'],
      ['opening', `= ${last}`, 'opening'],
      ['claimed', `= ${last}`, 'closing'],
      ['claimed', `< ${last}`, 'opening'],
      ['reinstated', `< ${last}`, 'reinstated'],
      ['from_payouts', `< ${last}`, 'from payouts'],
    ] as const)
      expect([column, await brokenBy(move(column, 1, month), move(column, -1, month))]).toEqual([
        column,
        {
          rule: expect.stringMatching(rule),
          row: expect.stringMatching(`^statement [0-9a-f-]{36} \\(${found}\\)$`),
        },
      ]);
    // Amounts in the wrong columns, which add up to the same closing balance.
    const swap = (by: number) =>
      `update statement set earned_minor = earned_minor - ${by}, bounties_minor = bounties_minor + ${by}
       where group_id = '${scene.group}' and month = ${last}`;
    expect(await brokenBy(swap(10), swap(-10))).toMatchObject({ row: expect.stringMatching(/\(earned\)$/) });
    const entry = `update ledger_entry set created_at = created_at`;
    const newest = `where created_at = (select max(created_at) from ledger_entry)`;
    const before = `- (now() - (select min(entries_before) from statement where group_id = '${scene.group}')) - interval '1 millisecond'`;
    const [{ at } = { at: '' }] = await query(sql<{ at: string }>`
      select max(created_at)::text as at from ledger_entry`);
    expect(
      await brokenBy(
        `${entry} ${before} ${newest}`,
        `update ledger_entry set created_at = '${at}' where subject_id = (select max(subject_id::text)::uuid from ledger_entry where kind = 'payment')`,
      ),
    ).toMatchObject({ rule: expect.stringMatching(rule) });
    expect(await verifyLedger(db())).toMatchObject({ isSound: true });
  });

  test('finds a creator without statements, and a month without one, even if nothing was left at its end', async () => {
    await earn(scene.group, 'A', 100);
    await earn(scene.group, 'B', 30);
    await settle();
    const first = await months.close();
    const row = await earn(scene.group, 'B', 8);
    await settle();
    await refund(row.transactionId, { refundId: 'all', amount: 8, reason: 'Refund' });
    const second = await months.close();
    const [batch] = await create(scene.group);
    await cancel(batch?.batchId ?? '');
    const third = await months.close();
    const of = (name: string, month: string) =>
      `membership_id = (select membership_id from membership where account_id = 'acc_${scene.group}_${name}')
       and month = '${month}-01'`;
    const missing = (amount: string) => ({
      rule: expect.stringMatching(rule),
      row: expect.stringMatching(`^statements of membership [0-9a-f-]{36} in USD \\(${amount}\\)$`),
    });
    expect(await brokenWithout(`group_id = '${scene.group}' and ${of('A', first)}`)).toEqual(
      missing('earned'),
    );
    expect(await brokenWithout(`group_id = '${scene.group}' and ${of('B', second)}`)).toEqual(
      missing('earned'),
    );
    expect(await brokenWithout(`group_id = '${scene.group}' and ${of('B', third)}`)).toEqual(
      missing('payouts'),
    );
    expect(await verifyLedger(db())).toMatchObject({ isSound: true });
  });

  test('agrees with the statements of a creator who was erased, also if the codes were replaced', async () => {
    await earn(scene.group, 'A', 100);
    await settle();
    const [batch] = await create(scene.group);
    await markPaid(batch?.batchId ?? '');
    await months.close();
    const [statement] = (await listStatements(db(), 'aurora', await membershipsOf())).statements;
    if (statement === undefined) throw new Error('there is no statement');
    const csv = () => written((output) => exportStatement(db(), { statement }, output));
    const before = await csv();
    await eraseCreator({ db: db(), sealer: testSealer, clock: systemClock }, testActor, {
      ...{ accountId: statement.accountId, replacesCodes: true, givenUp: [], reason: null },
    });
    expect(await verifyLedger(db())).toMatchObject({ isSound: true });
    await months.close();
    // Only the code has changed.
    const after = await csv();
    expect(after).not.toBe(before);
    expect(after.replaceAll(/ERASED-[0-9A-F]{10}/g, 'M-A')).toBe(before);
  });
});
