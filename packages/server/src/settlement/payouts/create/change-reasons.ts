import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { MembershipId, PayoutBatchId } from '../../../platform/database/tables.generated.ts';
import { rowIdFloor } from '../../../platform/ids.ts';
import type { PlannedPayable } from './payable.ts';
import type { PayoutScope } from './payout-scope.ts';

/** Reasons for a member's amount to differ from the preview. */
export const changeReasons = [
  'Refund',
  'Fraud',
  'Chargeback',
  'part',
  'hold',
  'gate',
  'release',
  'reinstatement',
  'merge',
  'purchases',
  'bounties',
  'clawback',
  'minimum',
] as const;
export type ChangeReason = (typeof changeReasons)[number];

const words: Readonly<Record<ChangeReason, string>> = {
  Refund: 'refund',
  Fraud: 'fraud',
  Chargeback: 'chargeback',
  part: 'partial refund',
  hold: 'hold placed',
  gate: 'under review, or without a tax clearance or payout method',
  release: 'hold released',
  reinstatement: 'refund reinstated',
  merge: 'members merged',
  purchases: 'new purchases',
  bounties: 'bounties',
  clawback: 'clawback',
  minimum: 'below the minimum',
};

/** Returns reasons in parentheses, such as ` (refund, below the minimum)`; empty if there are none. */
export const reasonsInWords = (reasons: readonly ChangeReason[]): string =>
  reasons.length === 0 ? '' : ` (${reasons.map((reason) => words[reason]).join(', ')})`;

/** Identifies a member's payment in one currency. */
export const keyOf = ({
  membershipId,
  currency,
}: Pick<PlannedPayable, 'membershipId' | 'currency'>): string => `${membershipId} ${currency}`;

export type Reasons = ReadonlyMap<string, ChangeReason[]>;

export interface FoundReasons {
  /** Reasons by member and currency (`keyOf`). */
  ofMembers: Reasons;
  /** Number of refunds and holds, by reason. A refund of several members' rows counts once. */
  counts: ReadonlyMap<ChangeReason, number>;
}

export const noReasons: FoundReasons = { ofMembers: new Map(), counts: new Map() };

export interface ReasonScope {
  scope: PayoutScope;
  payables: readonly PlannedPayable[];
  /** Only changes after this time. */
  since: Date;
  /** Payouts that may already include the rows; empty before any rows are assigned. */
  batchIds: readonly PayoutBatchId[];
}

/**
 * Reads why the amounts of members changed: reversals of their payable rows, partial refunds, and holds that were
 * placed or released, on a row or on the member. Reads the publisher's changes since a time.
 */
export async function readReasons(db: Db | Tx, changes: ReasonScope): Promise<FoundReasons> {
  const { payables } = changes;
  if (payables.length === 0) return noReasons;
  const { rows } = await sql<{
    membership_id: MembershipId | null;
    currency: string;
    reason: ChangeReason;
    events: bigint;
  }>`
    select membership_id, currency, reason, count(distinct event) as events
    from (${reversals(changes)} union all ${reinstatements(changes)} union all ${holdChanges(changes)}) changed
    where membership_id = any(${payables.flatMap(({ membershipIds }) => membershipIds)}::uuid[])
    group by grouping sets ((membership_id, currency, reason), (reason))`.execute(db);
  const found = new Map<string, ChangeReason[]>();
  const counts = new Map<ChangeReason, number>();
  for (const { membership_id: membershipId, currency, reason, events } of rows) {
    if (membershipId === null) counts.set(reason, Number(events));
    else {
      const key = keyOf({ membershipId, currency });
      found.set(key, [...(found.get(key) ?? []), reason]);
    }
  }
  const ofMembers = payables.map((each) => {
    const own = each.membershipIds.flatMap(
      (membershipId) => found.get(keyOf({ membershipId, currency: each.currency })) ?? [],
    );
    return [keyOf(each), inOrder(own)] as const;
  });
  return { ofMembers: new Map(ofMembers), counts };
}

/** Sorts reasons in the order of `changeReasons`, without duplicates. */
export const inOrder = (reasons: readonly ChangeReason[]): ChangeReason[] =>
  changeReasons.filter((reason) => reasons.includes(reason));

/** Reversals as a relation with the columns membership_id, currency, reason, and event, which identifies the refund. */
const reversals = ({
  scope: { publisherId, heldAfter },
  since,
  batchIds,
}: ReasonScope): RawBuilder<unknown> => sql`
  select p.membership_id, p.currency, case when p.reversed_at is null then 'part' else r.action end as reason,
         a.transaction_id || ' ' || coalesce(r.sent_refund_id, '') as event
  from refund_record r
  cross join lateral (
    -- The payment has the time that compares with a cutoff. A record may have that of its transaction's start.
    select p.membership_id, p.currency, p.reversed_at
    from payment p
    where p.publisher_id = ${publisherId} and p.attribution_id = r.attribution_id
      and p.transaction_date <= ${heldAfter} and greatest(p.reversed_at, p.part_at) > ${since}
      and (p.reinstated_at is null or p.reinstated_at <= ${since})
      and (p.payout_batch_id is null or p.payout_batch_id = any(${[...batchIds]}::uuid[]))
    offset 0
  ) p
  cross join lateral (
    select a.transaction_id
    from attribution a
    where a.publisher_id = ${publisherId} and a.attribution_id = r.attribution_id
    offset 0
  ) a
  where r.publisher_id = ${publisherId} and r.refund_id >= ${rowIdFloor(since)}::uuid and r.reverses_money`;

/** Reinstatements, as a relation like `reversals`. The rows are left for the next payout. */
const reinstatements = ({
  scope: { publisherId, heldAfter },
  since,
}: ReasonScope): RawBuilder<unknown> => sql`
  select p.membership_id, p.currency, 'reinstatement', i.reinstatement_id::text
  from reinstatement i
  join payment p on p.publisher_id = ${publisherId} and p.attribution_id = i.attribution_id
  where i.publisher_id = ${publisherId} and i.reinstatement_id >= ${rowIdFloor(since)}::uuid
    and p.payout_batch_id is null and p.reinstated_at > ${since} and p.transaction_date <= ${heldAfter}`;

/** Holds that were placed and not released, or released, as a relation like `reversals`. */
const holdChanges = ({
  scope: { publisherId, groupId, asOf, heldAfter },
  payables,
  since,
}: ReasonScope): RawBuilder<unknown> => sql`
  select of_members.membership_id, of_members.currency, changed.reason, changed.hold_id::text
  from (
    select h.attribution_id, h.account_id, h.group_id, 'hold' as reason, h.hold_id
    from payment_hold h
    left join payment_hold_release r on r.publisher_id = ${publisherId} and r.hold_id = h.hold_id
    where h.publisher_id = ${publisherId} and h.hold_id >= ${rowIdFloor(since)}::uuid and h.placed_at > ${since}
      and r.hold_id is null
    union all
    select h.attribution_id, h.account_id, h.group_id, 'release', h.hold_id
    from payment_hold_release r
    join payment_hold h on h.publisher_id = ${publisherId} and h.hold_id = r.hold_id
    where r.publisher_id = ${publisherId} and r.released_at > ${since} and h.placed_at <= ${asOf}
  ) changed
  cross join lateral (
    select p.membership_id, p.currency
    from payment p
    where p.publisher_id = ${publisherId} and p.attribution_id = changed.attribution_id
      and p.transaction_date <= ${heldAfter}
    union all
    select m.membership_id, currency
    from membership m
    cross join unnest(${[...new Set(payables.map(({ currency }) => currency))]}::text[]) as currency
    where m.publisher_id = ${publisherId} and m.account_id = changed.account_id and m.group_id = ${groupId}
      and (changed.group_id is null or changed.group_id = m.group_id)
  ) of_members`;
