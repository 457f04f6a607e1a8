import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { aheadMs, laterBy, serviceTimeOf } from '../../../publishers/publisher-time.ts';
import { pinPlans } from '../../pin-plans.ts';
import { type PayoutBatch, readBatches } from '../read/read-payouts.ts';
import { resumePayouts } from '../resume-payouts.ts';
import { type PlannedPayable, readPayable } from './payable.ts';
import { momentOfPayout } from './payout-moment.ts';
import { type PayoutScope, readPostedBefore } from './payout-scope.ts';
import { PreviewOver } from './preview-over.ts';

/** What of a publisher is to be paid. */
export interface PayoutRequest {
  publisherId: string;
  groupId: string;
  /** Null for every currency that something is due in. */
  currency: string | null;
  /** The moment that a preview named, by the publisher's clock; null for now. */
  asOf: Date | null;
}

/** What was due at a moment, and can be paid exactly so. */
export interface PayoutPlan {
  scope: PayoutScope;
  payables: PlannedPayable[];
  /** Payouts that were made of this very moment before. */
  made: PayoutBatch[];
}

const dayMs = 86_400_000;
/** Somebody else's payout of the group is waited for so long; one of a million rows takes a minute. */
const patienceMs = 2_000;
const pauseMs = 100;

/**
 * Reads what is due, in one snapshot that holds no lock. Payouts of the group that were left half done are undone
 * first, and one under way is waited for, a while.
 * @throws Refusal when there is no such group, when another payout of it goes on and on, or when what was due
 *   at `asOf` is no longer known, because payouts were made or the group's terms changed since
 */
export async function planPayout(db: Db, request: PayoutRequest): Promise<PayoutPlan> {
  const { publisherId, groupId } = request;
  const asOf = request.asOf === null ? null : await serviceTimeOf(db, publisherId, request.asOf);
  const deadline = performance.now() + patienceMs;
  for (;;) {
    await resumePayouts(db, publisherId);
    const now = await momentOfPayout(db, publisherId, groupId);
    if (asOf !== null && asOf > now)
      throw new Refusal('InvalidInput', 'The moment of a payout (asOf) cannot be in the future.', {
        path: ['asOf'],
      });
    const looked = await look(db, { ...request, asOf: asOf ?? now }, now);
    if (looked.unfinished === undefined) {
      if (asOf !== null) return requireUnchanged(looked);
      if (looked.since.length === 0 && !looked.haveTermsChanged) return { ...looked, made: [] };
    } else if (performance.now() > deadline) throw stillWorkedOn(looked.unfinished);
    await sleep(pauseMs);
  }
}

interface Look {
  scope: PayoutScope;
  payables: PlannedPayable[];
  haveTermsChanged: boolean;
  /** Payouts of the group made since the moment, cancelled ones included. */
  since: PayoutBatch[];
  /** One that is being made or cancelled. */
  unfinished: PayoutBatch | undefined;
}

/** @param seenUpTo a moment before this */
function look(
  db: Db,
  { publisherId, groupId, currency, asOf }: PayoutRequest & { asOf: Date },
  seenUpTo: Date,
): Promise<Look> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const { holdDays, termsChangedAt, ahead } = await readGroupTerms(tx, publisherId, groupId);
      const holdMs = holdDays * dayMs;
      const heldAfter = laterBy(asOf, Number(ahead) - holdMs);
      await sql`select ${pinPlans}`.execute(tx);
      const postedBefore = await readPostedBefore(tx, { publisherId, asOf, heldAfter });
      const scope = { publisherId, groupId, asOf, holdMs, heldAfter, seenUpTo, postedBefore };
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
        payables: unfinished === undefined ? await readPayable(tx, scope, currency) : [],
        haveTermsChanged: termsChangedAt !== null && termsChangedAt > asOf,
        since: batches,
        unfinished,
      };
    });
}

async function readGroupTerms(tx: Tx, publisherId: string, groupId: string) {
  const group = await tx
    .selectFrom('creator_group')
    .select(['hold_days as holdDays', 'terms_changed_at as termsChangedAt'])
    .select(aheadMs(publisherId).as('ahead'))
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .executeTakeFirst();
  if (group === undefined) throw new Refusal('NotFound', `Publisher ${publisherId} has no group ${groupId}.`);
  return group;
}

function requireUnchanged({ scope, payables, since, haveTermsChanged }: Look): PayoutPlan {
  const { groupId, asOf, holdMs, heldAfter } = scope;
  const isOfMoment = ({ moment: its, status }: PayoutBatch): boolean =>
    its.getTime() === asOf.getTime() && status !== 'Cancelled';
  const other = since.find((batch) => !isOfMoment(batch));
  if (other !== undefined)
    throw new PreviewOver(
      `Since that preview the payout ${other.batchId} of group ${groupId} in ${other.currency} was made` +
        `${other.status === 'Cancelled' ? ', and cancelled' : ''}, so what was due then cannot be paid as it was; preview again.`,
      { changeCause: 'payout', payoutId: other.batchId },
    );
  const made = since.filter(isOfMoment);
  const isAhead = laterBy(heldAfter, holdMs) > asOf;
  if (haveTermsChanged && made.length === 0)
    throw new PreviewOver(
      `The hold period or the minimums of group ${groupId}${isAhead ? ', or the sandbox’s clock,' : ''} changed since that preview; preview again.`,
      { changeCause: 'terms' },
    );
  return {
    scope,
    payables: payables.filter((each) => made.every(({ currency }) => currency !== each.currency)),
    made,
  };
}

const stillWorkedOn = ({ batchId, groupId, currency, status }: PayoutBatch): Refusal =>
  new Refusal(
    'Conflict',
    `The payout ${batchId} of group ${groupId} in ${currency} is being ${status === 'Preparing' ? 'made' : 'cancelled'}` +
      ' at this moment; try again when it is done.',
  );
