import { type RawBuilder, sql } from 'kysely';
import { mergedInto, stands } from '../../../members/standing.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { Check } from './check.ts';
import { explainEntries, strayEntries, wrongEntries } from './entry-rules.ts';
import { type IdRange, lookUpEntry, lowestId, within } from './look-up.ts';
import { type Finding, firstFinding, rule } from './rules.ts';

/**
 * Compares each member's balance with the sum of the member's rollups, rewards and payout items, which are themselves
 * checked elsewhere. This accounts for every balance in every run without rereading the ledger. A full run also adds up
 * the ledger.
 * @returns the first difference, or null
 */
export async function checkMembers(check: Check): Promise<Finding | null> {
  const { snapshots, publisherId, coverage } = check;
  for (let from: string | null = lowestId; from !== null; ) {
    const start: string = from;
    const { finding, counts, to } = await snapshots.read(snapshots.rows, async (tx) => {
      const range: IdRange = { from: start, to: await endOfPiece(tx, check, start) };
      const finding =
        (addsUpEntries(check)
          ? ((await firstFinding(tx, strayEntries(check, range))) ??
            (await findWrongEntries(tx, check, range)))
          : null) ?? (await firstFinding(tx, broken(publisherId, range)));
      const counts = await count(tx, check, range);
      return { finding, counts, to: range.to, taken: snapshots.rows.value };
    });
    if (finding !== null) return finding;
    coverage.balances += counts.balances;
    coverage.entries += counts.entries;
    check.progress();
    from = to;
  }
  return null;
}

const addsUpEntries = ({ rowsBefore }: Check): boolean => rowsBefore === null;

/** Returns a piece's exclusive end, based on the table with the most rows; null after the last piece. */
async function endOfPiece(tx: Tx, check: Check, from: string): Promise<string | null> {
  const size = check.snapshots.rows.value;
  const nth = (table: string, offset: number): RawBuilder<unknown> => sql`(
    select membership_id
    from ${sql.table(table)}
    where publisher_id = ${check.publisherId} and membership_id > ${from}::uuid
    order by membership_id
    offset ${offset}
    limit 1)`;
  const { rows } = await sql<{ id: string | null }>`
    select least(
      ${nth('membership', Math.ceil(size / 4))},
      ${nth('member_balance', Math.ceil(size / 4))},
      ${nth('earning_rollup', size)},
      ${nth('reward_payment', size)},
      ${nth('payout_item', Math.ceil(size / 4))},
      ${addsUpEntries(check) ? nth('ledger_entry', size) : sql`null`}
    ) as id`.execute(tx);
  return rows[0]?.id ?? null;
}

async function count(tx: Tx, check: Check, range: IdRange): Promise<{ balances: number; entries: number }> {
  const ofRange = sql`publisher_id = ${check.publisherId} and ${within(sql`membership_id`, range)}`;
  const { rows } = await sql<{ balances: bigint; entries: bigint }>`
    select (select count(*) from member_balance where ${ofRange}) as balances,
           (select count(*) from ledger_entry where ${addsUpEntries(check)} and ${ofRange}) as entries`.execute(
    tx,
  );
  return { balances: Number(rows[0]?.balances ?? 0), entries: Number(rows[0]?.entries ?? 0) };
}

/**
 * Returns the first member whose entries don't add up, with the posting and rows that cause the difference if they can
 * be found.
 */
async function findWrongEntries(tx: Tx, check: Check, range: IdRange): Promise<Finding | null> {
  const { rows } = await sql<{ rule: 'earned' | 'balance'; membership_id: string; currency: string }>`
    ${wrongEntries(check.publisherId, range)}
    order by membership_id, currency
    limit 1`.execute(tx);
  const [wrong] = rows;
  if (wrong === undefined) return null;
  const { membership_id, currency } = wrong;
  const member = { membershipId: membership_id, currency };
  const cause = wrong.rule === 'earned' ? await explainEntries(tx, check.publisherId, member) : null;
  return cause ?? { rule: wrong.rule, row: `membership ${membership_id} in ${currency}` };
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
      having sum(row_count) > 0
      union all
      select membership_id, currency, sum(amount_minor)
      from reward_payment
      where publisher_id = ${publisherId} and ${within(sql`membership_id`, range)}
      group by membership_id, currency
      union all
      select i.membership_id, b.currency, -coalesce(sum(i.amount_minor) filter (where e.subject_id is null), 0)
      from payout_item i
      join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = i.batch_id
      ${lookUpEntry(
        publisherId,
        'e',
        { membership: 'i.membership_id', currency: 'b.currency', subject: 'i.item_id' },
        'payout-return',
      )}
      where i.publisher_id = ${publisherId} and ${within(sql`i.membership_id`, range)}
      group by i.membership_id, b.currency
    ) part
    group by membership_id, currency
  ) o on o.membership_id = b.membership_id and o.currency = b.currency
  where b.balance_minor is distinct from o.amount`;
