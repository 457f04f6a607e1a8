import { type RawBuilder, sql } from 'kysely';
import { isPosted } from '../../attributions/posted.ts';
import { referenceOfRow } from '../../attributions/row-reference.ts';
import type { TransactionStatus } from '../../attributions/transaction-schema.ts';
import type { OwnHistory, OwnMembership } from '../../members/read/list-own-memberships.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AttributionId, MembershipId, PayoutItemId } from '../../platform/database/tables.generated.ts';

/**
 * States of an earning, as its creator sees it. arriving: recorded, and added to the balance within seconds. earned: in the
 * balance. in-payout: in a payout that isn't paid yet. paid: paid out. owed-again: in a payout whose payment failed or
 * came back, so the amount is in the balance again. taken-back: nothing is left of it.
 */
export const earningStates = ['arriving', 'earned', 'in-payout', 'paid', 'owed-again', 'taken-back'] as const;
export type EarningState = (typeof earningStates)[number];

/** A creator's part of a purchase, without anything about the buyer. */
export interface Earning {
  earningId: AttributionId;
  /** Text by which the publisher's support finds the row. */
  reference: string;
  membership: OwnMembership;
  code: string;
  description: string;
  transactionDate: Date;
  status: TransactionStatus;
  state: EarningState;
  currency: string;
  /** Share as it was recorded. */
  shareMinor: bigint;
  /** Part of the share that was taken back. */
  takenBackMinor: bigint;
  payout: { lineId: PayoutItemId | null; number: number } | null;
}

interface Row {
  attribution_id: AttributionId;
  membership_id: MembershipId;
  code: string;
  description: string;
  transaction_date: Date;
  status: TransactionStatus;
  currency: string;
  share_minor: bigint;
  is_posted: boolean;
  is_reversed: boolean;
  reversed_minor: bigint;
  is_paid: boolean;
  payout_number: bigint | null;
  item_id: PayoutItemId | null;
  is_owed_again: boolean;
}

/**
 * Reads the earnings of a subquery of keys, newest first. Only rows of the creator's memberships are returned. Related rows
 * are looked up by key: `offset 0` keeps a planner without statistics from choosing another join.
 * @param keys subquery of attribution_id
 */
export async function readEarnings(
  db: Db,
  publisherId: string,
  own: OwnHistory,
  keys: RawBuilder<unknown>,
): Promise<Earning[]> {
  const ids = [...own.keys()];
  const standingIds = [...own.values()].map(({ membershipId }) => membershipId);
  const { rows } = await sql<Row>`
    select a.attribution_id, a.membership_id, a.code, a.description, a.transaction_date, a.status, a.currency, a.share_minor,
           ${isPosted(publisherId, 'a')} as is_posted, p.reversed_at is not null as is_reversed,
           case when p.reversed_at is null then coalesce(p.reversed_minor, 0) else a.share_minor end as reversed_minor,
           coalesce(p.paid_at, b.paid_at) is not null as is_paid, b.number as payout_number, line.item_id,
           coalesce(line.is_owed_again, false) as is_owed_again
    from (${keys}) k
    cross join lateral (
      select attribution_id, membership_id, code, description, transaction_date, status, currency, share_minor
      from attribution
      where publisher_id = ${publisherId} and attribution_id = k.attribution_id and not is_test
      offset 0
    ) a
    join unnest(${ids}::uuid[], ${standingIds}::uuid[]) as own (membership_id, standing_id)
      on own.membership_id = a.membership_id
    left join lateral (
      select paid_at, payout_batch_id, reversed_at, reversed_minor
      from payment
      where publisher_id = ${publisherId} and attribution_id = a.attribution_id
      offset 0
    ) p on true
    left join lateral (
      select paid_at, number
      from payout_batch
      where publisher_id = ${publisherId} and batch_id = p.payout_batch_id
      offset 0
    ) b on true
    left join lateral (
      select i.item_id, exists (
               select 1
               from payout_result s
               where s.publisher_id = ${publisherId} and s.item_id = i.item_id and s.result in ('Failed', 'Returned')
             ) as is_owed_again
      from payout_item i
      where i.publisher_id = ${publisherId} and i.batch_id = p.payout_batch_id
        and i.membership_id in (
          select o.membership_id
          from unnest(${ids}::uuid[], ${standingIds}::uuid[]) as o (membership_id, standing_id)
          where o.standing_id = own.standing_id)
      -- If memberships were merged after the payout, each of them has a line of its own.
      order by i.membership_id = own.membership_id desc, i.membership_id = own.standing_id desc
      limit 1
    ) line on true
    order by a.transaction_date desc, a.attribution_id desc`.execute(db);
  return rows.map((row) => toEarning(row, own));
}

function toEarning(row: Row, own: OwnHistory): Earning {
  const membership = own.get(row.membership_id);
  if (membership === undefined) throw new Error('the row belongs to another creator');
  return {
    earningId: row.attribution_id,
    reference: referenceOfRow(row.attribution_id),
    membership,
    code: row.code,
    description: row.description,
    transactionDate: row.transaction_date,
    status: row.status,
    state: stateOf(row),
    currency: row.currency,
    shareMinor: row.share_minor,
    takenBackMinor: row.reversed_minor,
    payout: row.payout_number === null ? null : { lineId: row.item_id, number: Number(row.payout_number) },
  };
}

function stateOf(row: Row): EarningState {
  if (row.is_reversed) return 'taken-back';
  if (!row.is_posted) return 'arriving';
  if (row.is_owed_again) return 'owed-again';
  if (row.is_paid) return 'paid';
  return row.payout_number === null ? 'earned' : 'in-payout';
}
