import { type RawBuilder, sql } from 'kysely';
import { mergedInto, standing, standingAt } from '../../../members/standing.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { AccountId, MembershipId } from '../../../platform/database/tables.generated.ts';
import { PieceSize } from '../../verify/snapshots.ts';
import { entriesIn, spanOfBalance } from './entries-of-month.ts';
import type { MonthSpan } from './month-span.ts';
import { readByKey } from './read-by-key.ts';

/**
 * Sums of a member's ledger entries in one currency. The opening balance plus all the parts is the closing balance;
 * reductions are negative.
 */
export interface Statement extends Movements {
  groupId: string;
  memberId: AccountId;
  playerId: string | null;
  name: string;
  currency: string;
}

export interface Movements {
  openingMinor: bigint;
  earnedMinor: bigint;
  /** Shares reversed before they were paid, less all shares that were reinstated. */
  reversedMinor: bigint;
  /** Shares reversed after they were paid. */
  clawedBackMinor: bigint;
  bountiesMinor: bigint;
  /** Amounts put into payouts, minus those returned by canceled payouts. */
  paidMinor: bigint;
  closingMinor: bigint;
}

/** Runs a read as a separate request with its own timeout. */
export type Separately = <Result>(work: () => Promise<Result>) => Promise<Result>;

const noMembership = '00000000-0000-0000-0000-000000000000';
const maxMembersPerRead = 1_000;

/**
 * Yields a month's statements by member id, a page at a time. Each page reads the current balances and all entries
 * since the start of the month from one snapshot and works backward from there, so pages agree even though they are
 * read one after another. Memberships merged before the end of the span count as one member.
 */
export async function* readStatements(
  db: Db,
  span: MonthSpan,
  separately: Separately,
): AsyncGenerator<Statement[]> {
  const size = new PieceSize(1, maxMembersPerRead);
  for (let after: string = noMembership; ; ) {
    const startedAt = performance.now();
    const limit = size.value;
    const rows: Row[] = await separately(() => readByKey(db, pageQuery(span, after, limit)));
    const last = rows.at(-1);
    if (last === undefined) return;
    const memberCount = new Set(rows.map(({ membership_id }) => membership_id)).size;
    size.adjust(memberCount, performance.now() - startedAt);
    yield rows.flatMap((row) => toStatement(row));
    if (memberCount < limit) return;
    after = last.membership_id;
  }
}

interface Row {
  membership_id: MembershipId;
  group_id: string;
  account_id: AccountId;
  player_id: string | null;
  name: string;
  /** Null for a member without a balance, as are all the sums. */
  currency: string | null;
  balance: string;
  later: string;
  earned: string;
  reversed: string;
  clawed_back: string;
  bounties: string;
  paid: string;
}

function pageQuery(span: MonthSpan, after: string, limit: number): RawBuilder<Row> {
  const { publisherId, entriesFrom, entriesBefore } = span;
  const since = spanOfBalance(publisherId, 'b', { from: entriesFrom, before: null });
  return sql<Row>`
    select p.membership_id, p.group_id, p.account_id, p.player_id, a.name, s.currency, s.balance::text, s.later::text,
           s.earned::text, s.reversed::text, s.clawed_back::text, s.bounties::text, s.paid::text
    from (
      select m.membership_id, ${standing('m')} as standing_id, m.group_id, m.account_id, m.player_id
      from membership m
      where m.publisher_id = ${publisherId} and m.membership_id > ${after}::uuid
        and ${standingAt(publisherId, 'm', entriesBefore)} = m.membership_id
      order by m.membership_id
      limit ${limit}
    ) p
    join creator_account a on a.account_id = p.account_id
    left join lateral (
      select b.currency, sum(b.balance_minor) as balance, sum(e.later) as later, sum(e.earned) as earned,
             sum(e.reversed) as reversed, sum(e.clawed_back) as clawed_back, sum(e.bounties) as bounties, sum(e.paid) as paid
      from (
        select p.membership_id
        union all
        select merged.membership_id
        from membership merged
        where merged.publisher_id = ${publisherId} and ${mergedInto('merged')} = p.standing_id
          and merged.membership_id <> p.membership_id and ${standingAt(publisherId, 'merged', entriesBefore)} = p.membership_id
      ) included
      join member_balance b on b.publisher_id = ${publisherId} and b.membership_id = included.membership_id
      cross join lateral (
        select coalesce(sum(amount_minor) filter (where is_later), 0) as later,
               coalesce(sum(amount_minor) filter (where not is_later and kind = 'payment'), 0) as earned,
               coalesce(sum(amount_minor) filter (where not is_later and kind = 'reward'), 0) as bounties,
               coalesce(sum(amount_minor) filter (where not is_later and kind in ('refund', 'reinstatement')), 0) as reversed,
               coalesce(sum(amount_minor) filter (where not is_later and kind = 'adjustment'), 0) as clawed_back,
               coalesce(sum(amount_minor) filter (where not is_later and kind in ('payout', 'payout-return')), 0) as paid
        from (
          select entry.kind, entry.amount_minor, entry.created_at >= ${entriesBefore} as is_later
          from (${entriesIn(since)}) entry
        ) moved
        offset 0
      ) e
      group by b.currency
      offset 0
    ) s on true
    order by p.membership_id, s.currency`;
}

/** @returns an empty list for a member who has no balance or whose figures are all zero */
function toStatement(row: Row): Statement[] {
  if (row.currency === null) return [];
  const closingMinor = BigInt(row.balance) - BigInt(row.later);
  const parts = {
    earnedMinor: BigInt(row.earned),
    reversedMinor: BigInt(row.reversed),
    clawedBackMinor: BigInt(row.clawed_back),
    bountiesMinor: BigInt(row.bounties),
    paidMinor: BigInt(row.paid),
  };
  const figures = Object.values(parts);
  if (closingMinor === 0n && figures.every((each) => each === 0n)) return [];
  return [
    {
      groupId: row.group_id,
      memberId: row.account_id,
      playerId: row.player_id,
      name: row.name,
      currency: row.currency,
      openingMinor: figures.reduce((left, each) => left - each, closingMinor),
      ...parts,
      closingMinor,
    },
  ];
}
