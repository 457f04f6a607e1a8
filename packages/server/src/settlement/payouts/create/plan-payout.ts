import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { serviceTimeOf } from '../../../publishers/publisher-time.ts';
import { pinPlans } from '../../pin-plans.ts';
import { type PayoutBatch, readBatches } from '../read/read-payouts.ts';
import { resumePayouts } from '../resume-payouts.ts';
import { type PlannedPayable, readPayable } from './payable.ts';
import { takeCutoff } from './payout-cutoff.ts';
import type { PayoutScope } from './payout-scope.ts';
import { PreviewOutdated } from './preview-outdated.ts';
import { readScope } from './read-scope.ts';
import { readSumsUntil } from './sums-of-days.ts';

export interface PayoutRequest {
  publisherId: string;
  groupId: string;
  /** Null for all currencies with an amount due. */
  currency: string | null;
  /** Cutoff of a preview, on the publisher's clock; if null, the current time. */
  asOf: Date | null;
  /**
   * Total of the preview that the user confirmed. Present only for a payout in one currency with a preview's cutoff. If
   * the preview's total differs, the payout is rejected. The payout never pays more.
   */
  totalMinor?: bigint;
  /**
   * True if each member must be paid exactly what the preview showed. Otherwise, a member whose amount fell since then is
   * paid the rest. Has no effect without a preview's cutoff.
   */
  isExact?: boolean;
}

export interface PayoutPlan {
  scope: PayoutScope;
  payables: PlannedPayable[];
  /** Payouts already created for the same cutoff. */
  made: PayoutBatch[];
}

/** Maximum wait for another of the group's payouts. A payout of a million rows takes a minute. */
const maxWaitMs = 2_000;
const pauseMs = 100;

/**
 * Reads the amounts due from one snapshot, without locks. Before that, resumes the publisher's interrupted payouts and
 * briefly waits for any payout of the group that is in progress.
 * @throws Refusal when the group doesn't exist, another of its payouts is still in progress, or the amounts due at
 * `asOf` can no longer be calculated because of newer payouts or changed terms
 */
export async function planPayout(db: Db, request: PayoutRequest): Promise<PayoutPlan> {
  const { publisherId, groupId } = request;
  const asOf = request.asOf === null ? null : await serviceTimeOf(db, publisherId, request.asOf);
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    await resumePayouts(db, publisherId);
    const now = await takeCutoff(db, publisherId, groupId);
    if (asOf !== null && asOf > now)
      throw new Refusal('InvalidInput', "The payout's cutoff (asOf) can't be in the future.", {
        path: ['asOf'],
      });
    const snapshot = await readSnapshot(db, { ...request, asOf: asOf ?? now }, now);
    if (snapshot.unfinished === undefined) {
      if (asOf !== null) return requireUnchanged(snapshot);
      if (snapshot.since.length === 0 && !snapshot.haveTermsChanged) return { ...snapshot, made: [] };
    } else if (performance.now() > deadline) throw stillInProgress(snapshot.unfinished);
    await sleep(pauseMs);
  }
}

interface Snapshot {
  scope: PayoutScope;
  payables: PlannedPayable[];
  haveTermsChanged: boolean;
  /** Payouts of the group created since the cutoff, including canceled ones. */
  since: PayoutBatch[];
  unfinished: PayoutBatch | undefined;
}

/** @param seenUpTo any time before the snapshot */
function readSnapshot(
  db: Db,
  { publisherId, groupId, currency, asOf }: PayoutRequest & { asOf: Date },
  seenUpTo: Date,
): Promise<Snapshot> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`select ${pinPlans}`.execute(tx);
      const { scope, termsChangedAt } = await readScope(tx, { publisherId, groupId, asOf, seenUpTo });
      const batches = await readBatches(
        tx,
        publisherId,
        sql`and group_id = ${groupId} and (${currency}::text is null or currency = ${currency})
            and (status in ('Preparing', 'Cancelling') or (created_at > ${asOf} and not was_undone))
            order by batch_id`,
      );
      const unfinished = batches.find(({ status }) => status === 'Preparing' || status === 'Cancelling');
      return {
        scope,
        payables:
          unfinished === undefined
            ? await readPayable(tx, scope, { currency, sumsUntil: await readSumsUntil(tx, scope) })
            : [],
        haveTermsChanged: termsChangedAt !== null && termsChangedAt > asOf,
        since: batches,
        unfinished,
      };
    });
}

function requireUnchanged({ scope, payables, since, haveTermsChanged }: Snapshot): PayoutPlan {
  const { groupId, asOf, clockAt } = scope;
  const hasSameCutoff = ({ cutoff, status }: PayoutBatch): boolean =>
    cutoff.getTime() === asOf.getTime() && status !== 'Cancelled';
  const other = since.find((batch) => !hasSameCutoff(batch));
  if (other !== undefined)
    throw new PreviewOutdated(
      `Payout ${other.batchId} of group ${groupId} in ${other.currency} was created` +
        `${other.status === 'Cancelled' ? ' and canceled' : ''} since that preview. Preview the payout again.`,
      { changeCause: 'payout', payoutId: other.batchId },
    );
  const made = since.filter(hasSameCutoff);
  const isAhead = clockAt > asOf;
  if (haveTermsChanged && made.length === 0)
    throw new PreviewOutdated(
      `The hold period or the minimums of group ${groupId}, or the payout requirements,${isAhead ? ' or the sandbox clock,' : ''} changed since that preview. Preview the payout again.`,
      { changeCause: 'terms' },
    );
  return {
    scope,
    payables: payables.filter((each) => made.every(({ currency }) => currency !== each.currency)),
    made,
  };
}

const stillInProgress = ({ batchId, groupId, currency, status }: PayoutBatch): Refusal =>
  new Refusal(
    'Conflict',
    `Payout ${batchId} of group ${groupId} in ${currency} is being ${status === 'Preparing' ? 'created' : 'canceled'}.` +
      ' Try again when it is done.',
  );
