import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../../src/platform/database/database.ts';
import type { AccountId, MembershipId, PayoutBatchId } from '../../src/platform/database/tables.generated.ts';
import { Refusal } from '../../src/platform/refusal.ts';
import { cancelPayout } from '../../src/settlement/payouts/cancel-payout.ts';
import { createPayout } from '../../src/settlement/payouts/create/create-payout.ts';
import { type PayoutRequest, planPayout } from '../../src/settlement/payouts/create/plan-payout.ts';
import { previewPayout } from '../../src/settlement/payouts/create/preview-payout.ts';
import { markPayoutPaid } from '../../src/settlement/payouts/mark-payout-paid.ts';
import { readHoldDays } from '../../src/settlement/payouts/read/read-hold-days.ts';
import {
  completeRows,
  readPreview,
  type Preview as ShownPreview,
} from '../../src/settlement/payouts/read/read-preview.ts';
import { setResults } from '../../src/settlement/payouts/results/set-results.ts';
import { resumePayouts } from '../../src/settlement/payouts/resume-payouts.ts';
import { verifyLedger } from '../../src/settlement/verify/verify-ledger.ts';
import { until } from '../attribution-process.ts';
import { expectSameAsRows } from '../expect-same-as-rows.ts';
import { testActor } from '../test-actor.ts';
import type { Crash } from './crashing-database.ts';
import { crashMessage, expectDone, type Life } from './life.ts';
import type { Batch, Preview } from './model/records.ts';
import { accountOf, codeOf, members } from './wave.ts';

/** Previews a payout and compares it with the model. The preview may be paid by a later step. */
export async function showPayout(life: Life): Promise<void> {
  const { group, log, db, context } = life;
  const request = { publisherId: context.publisherId, groupId: group.groupId, currency: null, asOf: null };
  const read = await readPreview(db, request);
  const { asOf, rows } = read;
  const { scope } = await planPayout(db, { ...request, asOf });
  await expectSameAsRows(db, scope);
  const due = rows
    .filter(({ state }) => state === 'due')
    .map(({ currency, name, rowCount, amountMinor }) => `${currency} ${name} ${rowCount} ${amountMinor}`)
    .sort();
  const preview = group.preview(context.now().getTime());
  life.preview = { asOf, expected: preview };
  log.push(`preview as of ${asOf.toISOString()}: ${due.join()}`);
  const expected = [...preview.due].flatMap(([currency, items]) =>
    [...items].map(([member, { amount, rows }]) => `${currency} ${codeOf(member)} ${rows.length} ${amount}`),
  );
  expect(due).toEqual(expected.sort());
  await expectExplained(life, request, read);
}

/**
 * Compares the waiting amounts and their reasons with the model. The due and the waiting amounts must add up to what
 * each member is owed.
 */
async function expectExplained(
  { group, db, context }: Life,
  request: PayoutRequest,
  preview: ShownPreview,
): Promise<void> {
  const rows = await completeRows(db, request, preview, preview.rows);
  const waiting = rows.flatMap(({ currency, name, waiting }) =>
    waiting.map(({ amountMinor, reasons }) => ({
      currency,
      name,
      amountMinor,
      kinds: [...new Set(reasons.map(({ kind }) => kind))],
    })),
  );
  const owed = waiting.filter(({ kinds }) => !kinds.includes('in-payout'));
  const model = group.waiting(context.now().getTime());
  expect(
    owed
      .map(({ currency, name, amountMinor, kinds }) => [currency, name, amountMinor, ...kinds].join(' '))
      .sort(),
  ).toEqual(
    model
      .map(({ currency, member, amount, reasons }) =>
        [currency, codeOf(member), amount, ...reasons].join(' '),
      )
      .sort(),
  );
  for (const { currency, name, state, amountMinor } of rows) {
    const explained = owed
      .filter((each) => each.currency === currency && each.name === name)
      .reduce((sum, each) => sum + each.amountMinor, state === 'due' ? amountMinor : 0n);
    const member = members.find((each) => codeOf(each) === name) ?? 0;
    expect([currency, name, explained]).toEqual([currency, name, group.balance(member, currency)]);
  }
  const [held] = rows.filter(({ waiting: each }) => each.some(isInHoldPeriod));
  if (held !== undefined) await expectHoldDays({ group, db, context }, held);
}

const isInHoldPeriod = ({ reasons }: { reasons: { kind: string }[] }): boolean =>
  reasons[0]?.kind === 'hold-period';

/** Compares the days on which a member's hold periods end with the model. */
async function expectHoldDays(
  { group, db, context }: Pick<Life, 'group' | 'db' | 'context'>,
  { memberId, membershipId, name }: { memberId: AccountId; membershipId: MembershipId; name: string },
): Promise<void> {
  const { publisherId } = context;
  const of = { publisherId, groupId: group.groupId, memberId, membershipId };
  const { currencies } = await readHoldDays(db, of);
  const member = members.find((each) => codeOf(each) === name) ?? 0;
  for (const { currency, days, laterMinor } of currencies)
    expect([
      currency,
      ...days.map(({ day, amountMinor }) => `${day.toISOString()} ${amountMinor}`),
      laterMinor,
    ]).toEqual([currency, ...group.heldByDay(context.now().getTime(), member, currency), 0n]);
}

/** Creates a payout of the amounts due now, or of what is left of an earlier preview. */
export async function makePayout(life: Life): Promise<void> {
  const { random, context, group, log } = life;
  const { asOf, expected } =
    life.preview !== null && random.oneIn(2)
      ? life.preview
      : { asOf: null, expected: group.preview(context.now().getTime()) };
  const currency = random.oneIn(4) ? random.pick(['USD', 'JPY']) : null;
  const isExact = asOf !== null && random.oneIn(3);
  const isAllowed = group.isPayable(expected, currency, isExact);
  log.push(
    `create payout ${currency} as of ${asOf?.toISOString() ?? 'now'}${isExact ? ', exactly' : ''}: ${isAllowed}`,
  );
  const request = { publisherId: context.publisherId, groupId: group.groupId, currency, asOf, isExact };
  const hasCrashed = await perhapsCrashingInSteps(
    life,
    (db) => createPayout(db, testActor, request),
    isAllowed,
  );
  if (!isAllowed) return;
  let made = await newBatches(life);
  if (hasCrashed && made.length === 0) {
    // The unfinished payout was undone, so the same amounts can be paid again.
    log.push('  undone');
    if (random.oneIn(2)) return;
    await retryWhileBusy(() => createPayout(life.db, testActor, request));
    made = await newBatches(life);
  }
  addToModel(life, expected, currency, made);
  if (asOf === null || !random.oneIn(2)) return;
  const again = await createPayout(life.db, testActor, request);
  expect(again.payouts.every(({ isNew }) => !isNew)).toBe(true);
  expect(
    again.reductions.members
      .map((each) => [each.currency, each.name, each.previewedMinor, each.paidMinor].join(' '))
      .sort(),
  ).toEqual(
    group
      .reductions(expected, currency)
      .map(([each, member, ...amounts]) => [each, codeOf(member), ...amounts].join(' '))
      .sort(),
  );
}

interface MadeBatch {
  batch_id: PayoutBatchId;
  currency: string;
}

/** Reads the batches that the model doesn't know about yet. */
async function newBatches({ context, group, db }: Life): Promise<MadeBatch[]> {
  const known = group.batches.flatMap(({ id }) => id ?? []);
  const { rows } = await sql<MadeBatch>`
    select batch_id, currency
    from payout_batch
    where publisher_id = ${context.publisherId} and group_id = ${group.groupId} and not was_undone
      and batch_id <> all(${known}::uuid[])`.execute(db);
  return rows;
}

function addToModel(
  { group }: Life,
  preview: Preview,
  currency: string | null,
  made: readonly MadeBatch[],
): void {
  for (const batch of group.createPayout(preview, currency))
    batch.id = made.find((each) => each.currency === batch.currency)?.batch_id ?? null;
}

export function finishPayout(life: Life): Promise<void> {
  const { random, group } = life;
  return finish(life, random.pick(group.batches), random.oneIn(2));
}

/** Pays everything due, so that most rows recorded later have earlier dates than paid ones. */
export async function payEverything(life: Life): Promise<void> {
  const { group } = life;
  const known = group.batches.length;
  await makePayout(life);
  for (const batch of group.batches.slice(known)) await finish(life, batch, true);
}

async function finish(life: Life, batch: Batch, isPaying: boolean): Promise<void> {
  const { context, group, log } = life;
  const { publisherId, serviceNow: now } = context;
  const payout = { publisherId, payoutId: batch.id ?? '' };
  log.push(`${isPaying ? 'mark paid' : 'cancel'} ${batch.id}, which is ${batch.status}`);
  const isAllowed = isPaying
    ? batch.status !== 'Cancelled'
    : batch.status === 'Cancelled' || (batch.status === 'Created' && batch.results.size === 0);
  const hasCrashed = await perhapsCrashingInSteps(
    life,
    (db) =>
      isPaying
        ? markPayoutPaid({ clock: { now }, needsAnotherPerson: async () => false }, db, testActor, payout)
        : cancelPayout(db, testActor, { ...payout, reason: null }),
    isAllowed,
  );
  if (!isAllowed) return;
  if (hasCrashed && (await statusOf(life, batch)) === 'Created') return;
  if (isPaying) group.markPaid(batch);
  else group.cancel(batch);
}

/** Sets the result of a line of a random payout, sometimes with a crash. */
export async function setLineResult(life: Life): Promise<void> {
  const { random, context, group, log, db } = life;
  const batch = random.pick(group.batches);
  const member = random.pick([...batch.items.keys()]);
  const result = random.pick(['Sent', 'Paid', 'Failed', 'Returned'] as const);
  const [line] = await readLines(life, batch, member);
  if (line === undefined) throw new Error('a line of the model is not in the database');
  log.push(`set ${line.reference} of ${batch.id}, which is ${batch.status}, to ${result}`);
  const set = (at: Db) =>
    setResults({ clock: { now: context.serviceNow }, needsAnotherPerson: async () => false }, at, testActor, {
      publisherId: context.publisherId,
      payoutId: batch.id ?? '',
      results: [{ line: 1, reference: line.reference, result, note: null, problem: null }],
      isDryRun: false,
    });
  if (batch.status === 'Cancelled') {
    await expectDone(set(db), false);
    return;
  }
  if (random.oneIn(4)) {
    const crash: Crash = { beforeStatement: 1 + random.below(14) };
    log.push(`  with a crash ${JSON.stringify(crash)}`);
    await set(context.crashing.db(crash)).catch((error: unknown) =>
      expect(String(error)).toMatch(crashMessage),
    );
    if (random.oneIn(3)) expect(await verifyLedger(db)).toMatchObject({ isSound: true });
  }
  const { verdicts } = await set(db);
  const isDone = group.setResult(batch, member, result);
  expect(['change', 'unchanged'].includes(verdicts[0]?.verdict ?? '')).toBe(isDone);
}

async function readLines(
  { context, group, db }: Life,
  { id }: Batch,
  member: number,
): Promise<{ reference: string }[]> {
  const { rows } = await sql<{ reference: string }>`
    select i.reference
    from payout_item i
    join membership m on m.publisher_id = i.publisher_id and m.membership_id = i.membership_id
    where i.publisher_id = ${context.publisherId} and i.batch_id = ${id}::uuid
      and m.account_id = ${accountOf(group.groupId, member)}`.execute(db);
  return rows;
}

async function statusOf({ context, db }: Life, { id }: Batch): Promise<string | undefined> {
  if (id === null) return undefined;
  const batch = await db
    .selectFrom('payout_batch')
    .select('status')
    .where('publisher_id', '=', context.publisherId)
    .where('batch_id', '=', id)
    .executeTakeFirst();
  return batch?.status;
}

/**
 * Runs work that makes several commits, sometimes with a crash. After a crash, all balances still verify. Once the lease
 * has expired, the next process finishes or undoes the work.
 * @returns true if it crashed
 */
async function perhapsCrashingInSteps(
  life: Life,
  work: (db: Db) => Promise<unknown>,
  isAllowed: boolean,
): Promise<boolean> {
  const { random, context, group, log, db } = life;
  if (!random.oneIn(4) || !isAllowed) {
    await expectDone(work(db), isAllowed);
    return false;
  }
  const crash: Crash = random.oneIn(3)
    ? { afterCommit: 1 + random.below(7) }
    : { beforeStatement: 1 + random.below(60) };
  const outcome = await work(context.crashing.db(crash)).then(() => 'done', String);
  log.push(`  with a crash ${JSON.stringify(crash)}: ${outcome}`);
  expect(outcome).toMatch(new RegExp(`done|${crashMessage.source}`));
  if (random.oneIn(3)) expect(await verifyLedger(db)).toMatchObject({ isSound: true });
  const { publisherId } = context;
  const previewAgain = (at: Db): Promise<unknown> =>
    previewPayout(at, { publisherId, groupId: group.groupId, currency: null, asOf: null });
  await expireLease(life);
  if (random.oneIn(3)) {
    // The process that resumes the work may crash, too.
    const crashAgain = { beforeStatement: 1 + random.below(20) };
    await previewAgain(context.crashing.db(crashAgain)).catch((error: unknown) =>
      expect(String(error)).toMatch(new RegExp(`${inProgress.source}|${crashMessage.source}`)),
    );
    await expireLease(life);
  }
  const isResuming = random.oneIn(2);
  await retryWhileBusy(() => (isResuming ? resumePayouts(db, publisherId) : previewAgain(db)));
  // Another history's process may have taken over the work and crashed, too. Then that process's lease has to
  // expire.
  await until("the group's payouts to be done", async () => {
    if (!(await isWorkedOn(life))) return true;
    await resumePayouts(db, publisherId);
    return false;
  });
  return true;
}

/** Returns whether the group has unfinished payouts. */
async function isWorkedOn({ context, group, db }: Life): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from payout_batch
    where publisher_id = ${context.publisherId} and group_id = ${group.groupId} and status in ('Preparing', 'Cancelling')`.execute(
    db,
  );
  return rows.length > 0;
}

const inProgress = /is being (created|canceled)\.|are being changed\./;

/** Retries work while another history resumes the publisher's payouts, which doesn't take long. */
async function retryWhileBusy(work: () => Promise<unknown>): Promise<void> {
  for (let left = 100; ; left -= 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (left === 0 || !(error instanceof Refusal) || !inProgress.test(error.message)) throw error;
      await sleep(50);
    }
  }
}

async function expireLease({ context, group, db }: Life): Promise<void> {
  await sql`
    update payout_batch
    set worked_until = now() - interval '1 second'
    where publisher_id = ${context.publisherId} and group_id = ${group.groupId} and worked_until is not null`.execute(
    db,
  );
}
