import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../../src/platform/database/database.ts';
import type { PayoutBatchId } from '../../src/platform/database/tables.generated.ts';
import { Refusal } from '../../src/platform/refusal.ts';
import { cancelPayout } from '../../src/settlement/payouts/cancel-payout.ts';
import { createPayout } from '../../src/settlement/payouts/create/create-payout.ts';
import { previewPayout } from '../../src/settlement/payouts/create/preview-payout.ts';
import { markPayoutPaid } from '../../src/settlement/payouts/mark-payout-paid.ts';
import { resumePayouts } from '../../src/settlement/payouts/resume-payouts.ts';
import { verifyLedger } from '../../src/settlement/verify/verify-ledger.ts';
import { until } from '../attribution-process.ts';
import { testActor } from '../test-actor.ts';
import type { Crash } from './crashing-database.ts';
import { diedWords, expectDone, type Life } from './life.ts';
import type { Batch, Preview } from './model.ts';
import { codeOf } from './wave.ts';

/** Shows what is due, to the cent; it may be paid later. */
export async function showPayout(life: Life): Promise<void> {
  const { group, log, db, around } = life;
  const { asOf, payables } = await previewPayout(db, {
    publisherId: around.publisherId,
    groupId: group.groupId,
    currency: null,
    asOf: null,
  });
  const due = payables
    .filter(({ isDue }) => isDue)
    .map(({ currency, name, rowCount, amountMinor }) => `${currency} ${name} ${rowCount} ${amountMinor}`)
    .sort();
  const its = group.preview(around.now().getTime());
  life.preview = { asOf, its };
  log.push(`preview as of ${asOf.toISOString()}: ${due.join()}`);
  const expected = [...its.due].flatMap(([currency, items]) =>
    [...items].map(([member, { amount, rows }]) => `${currency} ${codeOf(member)} ${rows.length} ${amount}`),
  );
  expect(due).toEqual(expected.sort());
}

/** Pays what is due now, or what was due when it was shown. */
export async function makePayout(life: Life): Promise<void> {
  const { random, around, group, log } = life;
  const { asOf, its } =
    life.preview !== null && random.oneIn(2)
      ? life.preview
      : { asOf: null, its: group.preview(around.now().getTime()) };
  const currency = random.oneIn(4) ? random.pick(['USD', 'JPY']) : null;
  const isAllowed = group.isPayable(its, currency);
  log.push(`create payout ${currency} as of ${asOf?.toISOString() ?? 'now'}: ${isAllowed}`);
  const request = { publisherId: around.publisherId, groupId: group.groupId, currency, asOf };
  const hasDied = await perhapsDying(life, (db) => createPayout(db, testActor, request), isAllowed);
  if (!isAllowed) return;
  let made = await newBatches(life);
  if (hasDied && made.length === 0) {
    // What was left half done was undone, as if it had never been: the same is paid then.
    log.push('  undone');
    if (random.oneIn(2)) return;
    await patiently(() => createPayout(life.db, testActor, request));
    made = await newBatches(life);
  }
  takeOver(life, its, currency, made);
}

interface MadeBatch {
  batch_id: PayoutBatchId;
  currency: string;
}

/** Those that the model does not know yet. */
async function newBatches({ around, group, db }: Life): Promise<MadeBatch[]> {
  const known = group.batches.flatMap(({ id }) => id ?? []);
  const { rows } = await sql<MadeBatch>`
    select batch_id, currency
    from payout_batch
    where publisher_id = ${around.publisherId} and group_id = ${group.groupId} and not was_undone
      and batch_id <> all(${known}::uuid[])`.execute(db);
  return rows;
}

function takeOver({ group }: Life, its: Preview, currency: string | null, made: readonly MadeBatch[]): void {
  for (const batch of group.createPayout(its, currency))
    batch.id = made.find((each) => each.currency === batch.currency)?.batch_id ?? null;
}

/** Marks a payout paid, or cancels it. */
export function finishPayout(life: Life): Promise<void> {
  const { random, group } = life;
  return finish(life, random.pick(group.batches), random.oneIn(2));
}

/** Everything that is due is paid: from here whatever is recorded is older than that. */
export async function payEverything(life: Life): Promise<void> {
  const { group } = life;
  const known = group.batches.length;
  await makePayout(life);
  for (const batch of group.batches.slice(known)) await finish(life, batch, true);
}

async function finish(life: Life, batch: Batch, isPaying: boolean): Promise<void> {
  const { around, group, log } = life;
  const { publisherId, serviceNow: now } = around;
  const payout = { publisherId, payoutId: batch.id ?? '' };
  log.push(`${isPaying ? 'mark paid' : 'cancel'} ${batch.id}, which is ${batch.status}`);
  const isAllowed = isPaying ? batch.status !== 'Cancelled' : batch.status !== 'Paid';
  const hasDied = await perhapsDying(
    life,
    (db) =>
      isPaying
        ? markPayoutPaid({ clock: { now }, needsAnotherPerson: async () => false }, db, testActor, payout)
        : cancelPayout(db, testActor, { ...payout, reason: null }),
    isAllowed,
  );
  if (!isAllowed) return;
  if (hasDied && (await statusOf(life, batch)) === 'Created') return;
  if (isPaying) group.markPaid(batch);
  else group.cancel(batch);
}

async function statusOf({ around, db }: Life, { id }: Batch): Promise<string | undefined> {
  if (id === null) return undefined;
  const batch = await db
    .selectFrom('payout_batch')
    .select('status')
    .where('publisher_id', '=', around.publisherId)
    .where('batch_id', '=', id)
    .executeTakeFirst();
  return batch?.status;
}

/**
 * Work of several commits. When its process dies among them, every balance is explained all the same; and when its
 * time is up, the next one who comes finishes or undoes what it left.
 * @returns whether it died
 */
async function perhapsDying(
  life: Life,
  work: (db: Db) => Promise<unknown>,
  isAllowed: boolean,
): Promise<boolean> {
  const { random, around, group, log, db } = life;
  if (!random.oneIn(4) || !isAllowed) {
    await expectDone(work(db), isAllowed);
    return false;
  }
  const crash: Crash = random.oneIn(3)
    ? { afterCommit: 1 + random.below(7) }
    : { beforeStatement: 1 + random.below(60) };
  const outcome = await work(around.crashing.db(crash)).then(() => 'done', String);
  log.push(`  with a crash ${JSON.stringify(crash)}: ${outcome}`);
  expect(outcome).toMatch(new RegExp(`done|${diedWords.source}`));
  if (random.oneIn(3)) expect(await verifyLedger(db)).toMatchObject({ isSound: true });
  const { publisherId } = around;
  const lookAgain = (at: Db): Promise<unknown> =>
    previewPayout(at, { publisherId, groupId: group.groupId, currency: null, asOf: null });
  await expireLease(life);
  if (random.oneIn(3)) {
    // Whoever goes on with it may die of the same.
    const again = { beforeStatement: 1 + random.below(20) };
    await lookAgain(around.crashing.db(again)).catch((error: unknown) =>
      expect(String(error)).toMatch(new RegExp(`${inProgress.source}|${diedWords.source}`)),
    );
    await expireLease(life);
  }
  const isResuming = random.oneIn(2);
  await patiently(() => (isResuming ? resumePayouts(db, publisherId) : lookAgain(db)));
  // Another history may have taken it over, and died of it in turn: then its time has to run out.
  await until("the group's payouts to be done", async () => {
    if (!(await isWorkedOn(life))) return true;
    await resumePayouts(db, publisherId);
    return false;
  });
  return true;
}

/** Whoever goes on with what is left takes a publisher's payouts one by one, and passes over those that somebody has. */
async function isWorkedOn({ around, group, db }: Life): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from payout_batch
    where publisher_id = ${around.publisherId} and group_id = ${group.groupId} and status in ('Preparing', 'Cancelling')`.execute(
    db,
  );
  return rows.length > 0;
}

const inProgress = /is being (created|cancelled)\.|are being changed\./;

/** Another history may be finishing what is left of all the publisher's payouts: then it is soon done. */
async function patiently(work: () => Promise<unknown>): Promise<void> {
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

/** What a process left when it died need not wait until its time is up. */
async function expireLease({ around, group, db }: Life): Promise<void> {
  await sql`
    update payout_batch
    set worked_until = now() - interval '1 second'
    where publisher_id = ${around.publisherId} and group_id = ${group.groupId} and worked_until is not null`.execute(
    db,
  );
}
