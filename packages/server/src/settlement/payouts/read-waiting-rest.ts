import { sql } from 'kysely';
import { standingAt } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type {
  GateId,
  HoldId,
  MembershipId,
  PayoutBatchId,
} from '../../platform/database/tables.generated.ts';
import { type GateScope, gatesOfMembers } from '../gates/gates.ts';
import { holdsOfMembers } from '../holds/held.ts';
import { creatorBlocksOf } from './create/blocks.ts';
import { methodUsableFrom } from './create/method-of-line.ts';
import { readWaitingFacts } from './create/preview-payout.ts';
import { describe, inPayout, type WaitingAmount, type WaitingReason } from './waiting.ts';

/**
 * Reads what keeps each of the members out of payouts in a currency at the cutoff, whatever the amount.
 * @returns reasons in the order of `keys`
 */
export async function readCreatorReasons(
  db: Db | Tx,
  scope: GateScope & { groupId: string },
  keys: readonly WaitingKey[],
): Promise<WaitingReason[][]> {
  const { publisherId, groupId, clockAt, needs } = scope;
  const membershipIds = keys.map(({ membershipId }) => membershipId);
  const { rows } = await sql<{
    hold_ids: HoldId[] | null;
    review_ids: GateId[] | null;
    is_cleared: boolean | null;
    method_usable_from: Date | null;
  }>`
    with held_member as materialized (${holdsOfMembers(scope, groupId, membershipIds)}),
    gated_member as materialized (${gatesOfMembers(scope, groupId, membershipIds)})
    select to_jsonb(held.hold_ids) as hold_ids, to_jsonb(gated.review_ids) as review_ids, gated.is_cleared,
           ${methodUsableFrom(scope, { accountId: 'm.account_id', currency: 'wanted.currency' })} as method_usable_from
    from unnest(${membershipIds}::uuid[], ${keys.map(({ currency }) => currency)}::text[])
      with ordinality as wanted (membership_id, currency, place)
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = wanted.membership_id
    left join held_member held on held.membership_id = wanted.membership_id
    left join gated_member gated on gated.membership_id = wanted.membership_id
    order by wanted.place`.execute(db);
  const creators = rows.map((row) => ({
    memberHoldIds: row.hold_ids ?? [],
    reviewIds: row.review_ids ?? [],
    isCleared: row.is_cleared ?? false,
    methodUsableFrom: row.method_usable_from,
    clockAt,
    rowHoldIds: [],
    amountMinor: 0n,
    minimumMinor: 0n,
    needs,
  }));
  const facts = await readWaitingFacts(db, publisherId, creators);
  return creators.map((each) => describe(creatorBlocksOf(each), each, facts));
}

/** Member in one currency. */
export interface WaitingKey {
  membershipId: MembershipId;
  currency: string;
}

/**
 * Reads the amounts of members that are in payouts that aren't paid yet, in the order of `keys`. Amounts of lines that
 * failed or came back are owed again, so they are not included.
 * @param cutoff time on the service's clock; members that merged later count as two members
 */
export async function readInPayouts(
  db: Db | Tx,
  { publisherId, groupId, cutoff }: { publisherId: string; groupId: string; cutoff: Date },
  keys: readonly WaitingKey[],
): Promise<WaitingAmount[][]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<{
    place: bigint;
    batch_id: PayoutBatchId;
    number: bigint;
    status: string;
    amount_minor: string;
  }>`
    select wanted.place, b.batch_id, b.number, b.status, sum(i.amount_minor)::text as amount_minor
    from unnest(${keys.map(({ membershipId }) => membershipId)}::uuid[], ${keys.map(({ currency }) => currency)}::text[])
      with ordinality as wanted (membership_id, currency, place)
    join membership recorded
      on recorded.publisher_id = ${publisherId} and recorded.group_id = ${groupId}
     and ${standingAt(publisherId, 'recorded', cutoff)} = wanted.membership_id
    join payout_batch b
      on b.publisher_id = ${publisherId} and b.group_id = ${groupId} and b.currency = wanted.currency
     and b.status in ('Preparing', 'Created', 'Cancelling')
    join payout_item i
      on i.publisher_id = ${publisherId} and i.batch_id = b.batch_id and i.membership_id = recorded.membership_id
    where not exists (
      select 1
      from payout_result r
      where r.publisher_id = ${publisherId} and r.item_id = i.item_id and r.result in ('Paid', 'Failed', 'Returned')
    )
    group by wanted.place, b.batch_id, b.number, b.status
    order by b.batch_id`.execute(db);
  const byPlace = Map.groupBy(rows, ({ place }) => Number(place));
  return keys.map((_, index) =>
    (byPlace.get(index + 1) ?? []).map(({ batch_id, number, status, amount_minor }) =>
      inPayout(BigInt(amount_minor), { payoutId: batch_id, number: Number(number), status }),
    ),
  );
}
