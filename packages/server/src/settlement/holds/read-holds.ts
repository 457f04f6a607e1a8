import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { standing } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId, AttributionId, HoldId } from '../../platform/database/tables.generated.ts';
import { joinRelease } from './held.ts';

export interface Hold {
  holdId: HoldId;
  /** Row on hold; null for a hold on a creator. */
  row: HeldRow | null;
  memberId: AccountId;
  name: string;
  /** Group of the row, or of the creator's payouts; null for a hold on a creator in all groups. */
  groupId: string | null;
  reason: string;
  /** Time on the publisher's clock at which the hold ends automatically; null if it only ends when it is released. */
  endsAt: Date | null;
  placedAt: Date;
  placedBy: Pick<Actor, 'name'> & { kind: string };
  /** Null until the hold is released. */
  release: { reason: string; at: Date; by: Pick<Actor, 'name'> & { kind: string } } | null;
}

export interface HeldRow {
  rowId: AttributionId;
  transactionId: string;
  currency: string;
  /** Share of the row, less what was taken back. */
  amountMinor: bigint;
}

/**
 * Reads holds. The creator of a row is the one who would be paid for it.
 * @param rest condition on the hold `h`, its release `r` and its creator's account `account`, with order and limit
 */
export async function readHolds(
  db: Db | Tx,
  publisherId: string,
  rest: RawBuilder<unknown>,
): Promise<Hold[]> {
  const { rows } = await sql<HoldRow>`
    select h.hold_id, h.attribution_id, a.transaction_id, a.currency,
           case when p.reversed_at is null then a.share_minor - coalesce(p.reversed_minor, 0) else 0 end as amount_minor,
           account.account_id, account.name, h.group_id, h.reason, h.ends_at, h.placed_at, h.placed_by_kind, h.placed_by_name,
           r.reason as release_reason, r.released_at, r.released_by_kind, r.released_by_name
    from payment_hold h
    ${joinRelease(publisherId)}
    left join lateral (
      select transaction_id, currency, share_minor, membership_id
      from attribution
      where publisher_id = ${publisherId} and attribution_id = h.attribution_id
      offset 0
    ) a on true
    left join lateral (
      select reversed_at, reversed_minor
      from payment
      where publisher_id = ${publisherId} and attribution_id = h.attribution_id
      offset 0
    ) p on true
    left join membership recorded on recorded.publisher_id = ${publisherId} and recorded.membership_id = a.membership_id
    left join membership m on m.publisher_id = ${publisherId} and m.membership_id = ${standing('recorded')}
    join creator_account account on account.account_id = coalesce(h.account_id, m.account_id)
    where h.publisher_id = ${publisherId} and ${rest}`.execute(db);
  return rows.map(toHold);
}

interface HoldRow {
  hold_id: HoldId;
  attribution_id: AttributionId | null;
  transaction_id: string | null;
  currency: string | null;
  amount_minor: bigint | null;
  account_id: AccountId;
  name: string;
  group_id: string | null;
  reason: string;
  ends_at: Date | null;
  placed_at: Date;
  placed_by_kind: string;
  placed_by_name: string;
  release_reason: string | null;
  released_at: Date | null;
  released_by_kind: string | null;
  released_by_name: string | null;
}

const toHold = (row: HoldRow): Hold => ({
  holdId: row.hold_id,
  row:
    row.attribution_id === null
      ? null
      : {
          rowId: row.attribution_id,
          transactionId: row.transaction_id ?? '',
          currency: row.currency ?? '',
          amountMinor: row.amount_minor ?? 0n,
        },
  memberId: row.account_id,
  name: row.name,
  groupId: row.group_id,
  reason: row.reason,
  endsAt: row.ends_at,
  placedAt: row.placed_at,
  placedBy: { kind: row.placed_by_kind, name: row.placed_by_name },
  release:
    row.released_at === null
      ? null
      : {
          reason: row.release_reason ?? '',
          at: row.released_at,
          by: { kind: row.released_by_kind ?? '', name: row.released_by_name ?? '' },
        },
});
