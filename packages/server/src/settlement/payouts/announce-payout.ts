import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { PayoutBatchId } from '../../platform/database/tables.generated.ts';
import { aheadMsAt, laterBy } from '../../publishers/publisher-time.ts';
import type { EventKind } from '../../webhooks/event-kinds.ts';
import { publishEvents } from '../../webhooks/publish-events.ts';
import { readReductions } from './create/reductions.ts';
import type { PayoutStatus } from './read/read-payouts.ts';

export interface PayoutChange {
  publisherId: string;
  batchId: PayoutBatchId;
  action: 'payout.create' | 'payout.mark-paid' | 'payout.cancel' | 'payout.undo';
  /** Previous status; null for a new payout. */
  from: PayoutStatus | null;
  /** New status. If steps remain, this is the status after the last one. */
  to: PayoutStatus;
  /** Absent if the change has no event. */
  event?: EventKind & `Payout/${string}`;
  reason?: string | null;
}

/**
 * Writes an audit log entry for a payout's status change and publishes its event, if any, in the caller's commit. Sums
 * are text because a payout's total may be too large for an exact JSON number.
 */
export async function announcePayout(tx: Tx, actor: Actor, change: PayoutChange): Promise<void> {
  const { publisherId, batchId, action, from, to, event, reason } = change;
  const { group_id, currency, total_minor, member_count, row_count, as_of, ahead_ms } = await tx
    .selectFrom('payout_batch')
    .select(['group_id', 'currency', 'as_of', 'total_minor', 'member_count', 'row_count'])
    .select(aheadMsAt(publisherId, sql`as_of`).as('ahead_ms'))
    .where('publisher_id', '=', publisherId)
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  const facts = {
    groupId: group_id,
    currency,
    totalMinor: String(total_minor),
    memberCount: member_count,
    rowCount: Number(row_count),
    asOf: laterBy(as_of, Number(ahead_ms)).toISOString(),
  };
  const reduced = action === 'payout.create' ? await describeReductions(tx, publisherId, batchId) : {};
  await recordChange(tx, actor, {
    publisherId,
    action,
    target: `payout:${batchId}`,
    before: from === null ? null : { status: from },
    after: { status: to, ...facts, ...reduced },
    reason: reason ?? null,
  });
  if (event !== undefined)
    await publishEvents(tx, publisherId, [{ kind: event, event: { payoutId: batchId, ...facts } }]);
}

/** Maximum number of members that an audit log entry names. The payout itself lists all of them. */
const maxReduced = 50;

/** Describes the members who are paid less than the preview showed; empty if there are none. */
async function describeReductions(tx: Tx, publisherId: string, batchId: PayoutBatchId): Promise<object> {
  const { count, totals, members } = await readReductions(tx, publisherId, [batchId]);
  if (count === 0) return {};
  const reducedMembers = members
    .slice(0, maxReduced)
    .map(({ memberId, previewedMinor, paidMinor, reasons }) => ({
      memberId,
      previewedMinor: String(previewedMinor),
      paidMinor: String(paidMinor),
      reasons,
    }));
  return { reducedCount: count, reducedMinor: String(totals[0]?.amountMinor ?? 0n), reducedMembers };
}
