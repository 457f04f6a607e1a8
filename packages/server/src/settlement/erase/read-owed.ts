import { sql } from 'kysely';
import { lastRowOf } from '../../attributions/posted.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import { isOpenAt, joinRelease } from '../holds/held.ts';
import { readHoldTimes } from '../holds/save-holds.ts';

interface MembershipsOfCreator {
  publisherId: string;
  membershipIds: readonly MembershipId[];
}

/** Money that keeps a creator from being erased. */
export interface OpenMoney {
  /** Amounts by currency, negative if the creator owes money. */
  owed: { currency: string; amountMinor: bigint }[];
  /** Numbers of payouts with a line that is neither paid nor given back. */
  openPayouts: bigint[];
  /** True if purchases are recorded but not posted. */
  hasUnposted: boolean;
}

/** Reads what is owed to a creator's memberships, and what is on its way. */
export async function readOpenMoney(
  db: Db | Tx,
  { publisherId, membershipIds }: MembershipsOfCreator,
): Promise<OpenMoney> {
  const ids = sql`${[...membershipIds]}::uuid[]`;
  const { rows: owed } = await sql<{ currency: string; amount: string }>`
    select currency, sum(balance_minor)::text as amount
    from member_balance
    where publisher_id = ${publisherId} and membership_id = any(${ids})
    group by currency
    having sum(balance_minor) <> 0
    order by currency`.execute(db);
  const { rows: payouts } = await sql<{ number: bigint }>`
    select distinct b.number
    from payout_item i
    join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = i.batch_id
    where i.publisher_id = ${publisherId} and i.membership_id = any(${ids})
      and b.status in ('Preparing', 'Created', 'Cancelling')
      and not exists (
        select 1 from payout_result r
        where r.publisher_id = ${publisherId} and r.item_id = i.item_id and r.result in ('Paid', 'Failed', 'Returned'))
    order by b.number`.execute(db);
  const { rows: unposted } = await sql`
    select 1
    from unposted u
    cross join lateral (
      select 1
      from attribution a
      where a.publisher_id = ${publisherId} and a.attribution_id between u.recording_id and ${lastRowOf('u.recording_id')}
        and a.membership_id = any(${ids})
      limit 1
    ) a
    where u.publisher_id = ${publisherId}
    limit 1`.execute(db);
  return {
    owed: owed.map(({ currency, amount }) => ({ currency, amountMinor: BigInt(amount) })),
    openPayouts: payouts.map(({ number }) => number),
    hasUnposted: unposted.length > 0,
  };
}

/** Returns whether a hold keeps everything due to an account out of a publisher's payouts. */
export async function isCreatorHeld(tx: Tx, publisherId: string, accountId: AccountId): Promise<boolean> {
  const { clockAt } = await readHoldTimes(tx, publisherId);
  const { rows } = await sql`
    select 1
    from payment_hold h
    ${joinRelease(publisherId)}
    where h.publisher_id = ${publisherId} and h.account_id = ${accountId} and h.group_id is null and h.ends_at is null
      and ${isOpenAt(clockAt)}
    limit 1`.execute(tx);
  return rows.length > 0;
}
