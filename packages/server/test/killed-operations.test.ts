import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { approveMethod } from '../src/payees/approve-method.ts';
import { endMethod } from '../src/payees/end-method.ts';
import { enterMethod } from '../src/payees/enter-method.ts';
import type { Db } from '../src/platform/database/database.ts';
import { toAccountId } from '../src/platform/ids.ts';
import { endGate } from '../src/settlement/gates/end-gate.ts';
import { importClearances } from '../src/settlement/gates/import/import-clearances.ts';
import { parseClearances } from '../src/settlement/gates/import/parse-clearances.ts';
import { setGate } from '../src/settlement/gates/set-gate.ts';
import { createPayout } from '../src/settlement/payouts/create/create-payout.ts';
import { resumePayouts } from '../src/settlement/payouts/resume-payouts.ts';
import { operations, useMoney } from './money.ts';
import { testSealer } from './sealer.ts';
import { type Crash, type CrashingDatabase, openCrashingDatabase } from './simulation/crashing-database.ts';
import { crashMessage } from './simulation/life.ts';
import { testActor } from './test-actor.ts';

const money = useMoney();
const { db, makeGroup, earn, settle, query } = money;
const publisherId = 'aurora';
let crashing: CrashingDatabase;
let group = '';
let creator = toAccountId('');
beforeAll(() => {
  crashing = openCrashingDatabase(money.service().testDatabase.connection);
});
afterAll(() => crashing?.close());
let groups = 0;
beforeEach(async () => {
  groups += 1;
  group = `killed-${groups}`;
  creator = toAccountId(`acc_${group}_A`);
  await makeGroup(group);
});

/** Returns everything that the operations write, except the times. */
const saved = () =>
  query(sql`
    select (select count(*) from payee_gate) as gates, (select count(*) from payee_gate_end) as gate_ends,
           (select count(*) from payee_method) as methods, (select count(approved_at) from payee_method) as approved,
           (select count(ended_at) from payee_method) as ended, (select count(*) from purchase_refund) as refunds,
           (select count(*) from refund_record) as parts, (select count(*) from ledger_entry) as entries,
           (select sum(reversed_minor) from payment) as reversed, (select sum(balance_minor) from member_balance) as owed,
           (select count(*) from audit_entry where action <> 'payout.undo') as audited`);

/** Maximum number of statements of an operation. */
const maxStatements = 80;

/**
 * Runs an operation that is killed before its first statement, then before its second one, and so on, until it
 * completes. Each time, nothing may have changed.
 * @returns the number of kills
 */
async function killEverywhere(work: (db: Db) => Promise<unknown>): Promise<number> {
  const before = await saved();
  for (let statement = 1; statement < maxStatements; statement += 1) {
    const isMade = await work(crashing.db({ beforeStatement: statement })).then(
      () => true,
      (error: unknown) => {
        expect(String(error)).toMatch(crashMessage);
        return false;
      },
    );
    if (isMade) {
      expect(await saved()).not.toEqual(before);
      await money.expectSound();
      return statement - 1;
    }
    expect([statement, await saved()]).toEqual([statement, before]);
  }
  throw new Error('the operation never completed');
}

const gate = (kind: 'tax' | 'review') => ({
  ...{ publisherId, memberId: creator, kind, from: null, until: null, note: 'x' },
});
const destination = {
  kind: 'paypal',
  holderName: 'X',
  holderType: 'individual',
  country: 'DE',
  email: 'x@example.com',
} as const;
const approver = { ...testActor, id: 'approver' };

const importing = (csv: string) => ({ publisherId, clearances: parseClearances(csv), isDryRun: false });

describe('killed before any of its statements, nothing is changed by', () => {
  test.each(['tax', 'review'] as const)('setting and ending a %s gate', async (kind) => {
    expect(await killEverywhere((at) => setGate(at, testActor, gate(kind)))).toBeGreaterThan(4);
    const [found] = await query(sql<{ id: string }>`
      select gate_id as id from payee_gate where account_id = ${creator}`);
    const ending = { publisherId, gateId: found?.id ?? '', reason: 'x' };
    expect(await killEverywhere((at) => endGate(at, testActor, ending))).toBeGreaterThan(4);
  });

  test('entering, approving, replacing and ending a payout method', async () => {
    const entered = { publisherId, memberId: creator, destination };
    const waiting = async () =>
      (
        await query(sql<{ id: string }>`
        select method_id as id from payee_method
        where account_id = ${creator} and ended_at is null
        order by method_id desc limit 1`)
      )[0]?.id ?? '';
    for (const email of ['first@example.com', 'second@example.com']) {
      const typed = { ...entered, destination: { ...destination, email } as const };
      expect(await killEverywhere((at) => enterMethod(at, testSealer, testActor, typed))).toBeGreaterThan(3);
      const approval = { publisherId, methodId: await waiting(), acceptsShared: true };
      expect(await killEverywhere((at) => approveMethod(at, approver, approval))).toBeGreaterThan(4);
    }
    const ended = { publisherId, methodId: await waiting(), reason: 'x' };
    expect(await killEverywhere((at) => endMethod(at, testActor, ended))).toBeGreaterThan(4);
  });

  test('importing tax clearances', async () => {
    const csv = `memberId,until,note\n${creator},never,W-9\nacc_${group}_B,2099-12-31,W-8BEN`;
    expect(await killEverywhere((at) => importClearances(at, testActor, importing(csv)))).toBeGreaterThan(6);
  });

  test('a partial refund', async () => {
    const { transactionId } = await earn(group, 'A', 1_000);
    await settle();
    const request = {
      publisherId,
      transactionId,
      refundId: 'part',
      reversal: 'Refund',
      occurredAt: null,
      amountMinor: 300n,
      rows: null,
    } as const;
    expect(await killEverywhere((at) => operations.refundPurchase(at, testActor, request))).toBeGreaterThan(
      5,
    );
    expect(await money.balance('A', 'USD', group)).toBe(700n);
  });
});

describe('an import of tax clearances in several commits', () => {
  const perCommit = 200;
  const kills: Crash[] = [
    ...[9, 150, 219, 240].map((beforeStatement) => ({ beforeStatement })),
    ...[1, 2].map((afterCommit) => ({ afterCommit })),
  ];

  test('that is killed leaves whole commits, and sets the rest once when it is repeated', async () => {
    const clearances = (name: string) =>
      query(sql<{ creator: string; until: string; note: string; audited: bigint }>`
        select g.account_id as creator, g.until_at::date::text as until, g.note,
               (select count(*) from audit_entry a
                where a.publisher_id = ${publisherId} and a.target = 'member:' || g.account_id
                  and a.action = 'member.clear-tax' and a.after ->> 'gate' = g.gate_id::text) as audited
        from payee_gate g
        where g.publisher_id = ${publisherId} and g.account_id like ${`acc_${name}_%`}
        order by g.account_id`);
    const setAfterKill: number[] = [];
    for (const [index, crash] of kills.entries()) {
      const name = `${group}-${index}`;
      const creators = Array.from({ length: perCommit + 30 }, (_, place) => `acc_${name}_${1_000 + place}`);
      const members = creators.map((id) => `{ id: ${id}, name: ${id}, playerId: ${id} }`);
      await money.provisionGroup(name, `revShare: 10, members: [ ${members.join(', ')} ]`);
      const request = importing(
        ['memberId,until,note', ...creators.map((id) => `${id},2098-12-31,form of ${id}`)].join('\n'),
      );
      const all = creators.map((id) => ({
        ...{ creator: id, until: '2099-01-01', note: `form of ${id}`, audited: 1n },
      }));
      await importClearances(crashing.db(crash), testActor, request).then(
        () => expect.unreachable(`the import was not killed ${JSON.stringify(crash)}`),
        (error: unknown) => expect(String(error)).toMatch(crashMessage),
      );
      const left = await clearances(name);
      setAfterKill.push(left.length);
      expect([crash, left]).toEqual([crash, all.slice(0, left.length)]);
      const verdicts = await importClearances(db(), testActor, request);
      expect(verdicts.map(({ verdict }) => verdict)).toEqual(
        creators.map((_, place) => (place < left.length ? 'unchanged' : 'change')),
      );
      expect([crash, await clearances(name)]).toEqual([crash, all]);
      const again = await importClearances(db(), testActor, request);
      expect(new Set(again.map(({ verdict }) => verdict))).toEqual(new Set(['unchanged']));
      expect([crash, await clearances(name)]).toEqual([crash, all]);
    }
    await money.expectSound();
    expect(new Set(setAfterKill), 'killed before, between and after the commits').toEqual(
      new Set([0, perCommit, perCommit + 30]),
    );
  });
});

describe('a payout of a preview that changed', () => {
  const kills: Crash[] = [
    ...Array.from({ length: 8 }, (_, index) => ({ beforeStatement: 3 + 8 * index })),
    ...[1, 2, 3, 4].map((afterCommit) => ({ afterCommit })),
  ];

  test('that is killed pays the same, with the same reductions, when it is repeated', async () => {
    let completed = 0;
    for (const [index, crash] of kills.entries()) {
      const name = `${group}-${index}`;
      await makeGroup(name);
      const row = await earn(name, 'A', 1_000);
      await earn(name, 'B', 50);
      await settle();
      const { asOf } = await money.preview(name);
      await money.refund(row.transactionId, { refundId: 'part', amount: 300, reason: 'Refund' });
      const request = { publisherId, groupId: name, currency: null, asOf };
      await createPayout(crashing.db(crash), testActor, request).catch(() => undefined);
      await money.expectSound();
      await query(sql`
        update payout_batch set worked_until = now() - interval '1 second' where worked_until is not null`);
      await resumePayouts(db(), publisherId);
      const made = (await money.payouts()).filter(
        ({ groupId, wasUndone }) => groupId === name && !wasUndone,
      ).length;
      completed += made;
      const { payouts, reductions } = await createPayout(db(), testActor, request);
      expect([crash, payouts, reductions.members]).toMatchObject([
        crash,
        [{ totalMinor: 750n, memberCount: 2, isNew: made === 0 }],
        [{ name: 'A', previewedMinor: 1_000n, paidMinor: 700n, reasons: ['part'] }],
      ]);
      expect(reductions.members).toHaveLength(1);
      await money.expectSound();
    }
    expect(completed, 'some were killed before they were complete, and some after').toBeGreaterThan(0);
    expect(completed).toBeLessThan(kills.length);
  });
});
