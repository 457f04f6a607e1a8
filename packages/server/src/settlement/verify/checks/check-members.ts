import { type RawBuilder, sql } from 'kysely';
import { mergedInto, stands } from '../../../members/standing.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { Check } from './check.ts';
import { type IdRange, lookUpEntry, within } from './row-rules.ts';
import { type Finding, firstFinding, rule } from './rules.ts';

const lowestId = '00000000-0000-0000-0000-000000000000';

/**
 * Adds up what every member is owed, from rollups, rewards and payout items, each of which is compared elsewhere with
 * what it stands for: balances are so explained without reading the ledger again, and all of them every time.
 * @returns the first that is not explained, or null
 */
export async function checkMembers(check: Check): Promise<Finding | null> {
  const { snapshots, publisherId, looked } = check;
  for (let from: string | null = lowestId; from !== null; ) {
    const start: string = from;
    const { finding, balances, to } = await snapshots.read(snapshots.rows, async (tx) => {
      const range: IdRange = {
        from: start,
        to: await endOfPiece(tx, publisherId, start, snapshots.rows.value),
      };
      const finding = await firstFinding(tx, broken(publisherId, range));
      const balances = await countBalances(tx, publisherId, range);
      return { finding, balances, to: range.to, taken: snapshots.rows.value };
    });
    if (finding !== null) return finding;
    looked.balances += balances;
    check.progress();
    from = to;
  }
  return null;
}

/** Where a piece ends, by whichever of the tables has the most in it; null at the end of all. */
async function endOfPiece(tx: Tx, publisherId: string, from: string, size: number): Promise<string | null> {
  const nth = (table: string, offset: number): RawBuilder<unknown> => sql`(
    select membership_id
    from ${sql.table(table)}
    where publisher_id = ${publisherId} and membership_id > ${from}::uuid
    order by membership_id
    offset ${offset}
    limit 1)`;
  const { rows } = await sql<{ id: string | null }>`
    select least(
      ${nth('membership', Math.ceil(size / 4))},
      ${nth('member_balance', Math.ceil(size / 4))},
      ${nth('earning_rollup', size)},
      ${nth('reward_payment', size)},
      ${nth('payout_item', Math.ceil(size / 4))}
    ) as id`.execute(tx);
  return rows[0]?.id ?? null;
}

async function countBalances(tx: Tx, publisherId: string, range: IdRange): Promise<number> {
  const { rows } = await sql<{ balances: bigint }>`
    select count(*) as balances
    from member_balance
    where publisher_id = ${publisherId} and ${within(sql`membership_id`, range)}`.execute(tx);
  return Number(rows[0]?.balances ?? 0);
}

const broken = (publisherId: string, range: IdRange): RawBuilder<unknown> => sql`
  select ${rule('merged')} as rule, 'membership ' || m.membership_id as row
  from membership m
  join membership surviving on surviving.publisher_id = ${publisherId} and surviving.membership_id = ${mergedInto('m')}
  where m.publisher_id = ${publisherId} and ${within(sql`m.membership_id`, range)} and not (${stands('surviving')})
  union all
  select ${rule('balance')},
         'membership ' || coalesce(b.membership_id, o.membership_id) || ' in ' || coalesce(b.currency, o.currency)
  from (
    select membership_id, currency, balance_minor
    from member_balance
    where publisher_id = ${publisherId} and ${within(sql`membership_id`, range)}
  ) b
  full join (
    select membership_id, currency, sum(amount) as amount
    from (
      select membership_id, currency, sum(share_minor - reversed_share_minor) as amount
      from earning_rollup
      where publisher_id = ${publisherId} and ${within(sql`membership_id`, range)}
      group by membership_id, currency
      union all
      select membership_id, currency, sum(amount_minor)
      from reward_payment
      where publisher_id = ${publisherId} and ${within(sql`membership_id`, range)}
      group by membership_id, currency
      union all
      select i.membership_id, b.currency, -coalesce(sum(i.amount_minor) filter (where r.subject_id is null), 0)
      from payout_item i
      join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = i.batch_id
      ${lookUpEntry(publisherId, 'r', 'i.item_id', sql`kind = 'payout-return'`)}
      where i.publisher_id = ${publisherId} and ${within(sql`i.membership_id`, range)}
      group by i.membership_id, b.currency
    ) part
    group by membership_id, currency
  ) o on o.membership_id = b.membership_id and o.currency = b.currency
  where b.balance_minor is distinct from o.amount`;
