import { type RawBuilder, sql } from 'kysely';
import { isPosted } from '../../src/attributions/posted.ts';
import type { Db } from '../../src/platform/database/database.ts';
import { earns, type Row } from './model/records.ts';
import type { GroupModel } from './model.ts';
import { accountOf, members } from './wave.ts';

/**
 * Reads all amounts in a publisher's groups from the database, as a sorted list of strings for each group.
 */
export async function readMoney(db: Db, publisherId: string): Promise<Map<string, string[]>> {
  const parts = [rowsOf, balancesOf, payoutsOf, earningsOf, countsOf, rowsBelowTheMark];
  const { rows } = await sql<{ group_id: string; text: string }>`
    ${sql.join(
      parts.map((part) => part(publisherId)),
      sql` union all `,
    )}`.execute(db);
  const money = new Map<string, string[]>();
  for (const { group_id, text } of rows) {
    const texts = money.get(group_id) ?? [];
    texts.push(text);
    money.set(group_id, texts);
  }
  for (const texts of money.values()) texts.sort();
  return money;
}

type Part = (publisherId: string) => RawBuilder<unknown>;

const rowsOf: Part = (publisherId) => sql`
  select a.group_id,
         concat_ws(' ', 'row', a.attribution_id, a.status, a.share_millionths, a.share_minor,
                   case when ${isPosted(publisherId, 'a')} then 'posted' else 'waiting' end,
                   case when p.reversed_at is null then 'kept' else 'reversed' end,
                   case when p.reversed_at is null then coalesce(p.refunded_minor, 0) else a.subtotal_minor end,
                   case when p.reversed_at is null then coalesce(p.reversed_minor, 0) else a.share_minor end,
                   coalesce(p.payout_batch_id::text, '-'), case when b.paid_at is null then 'unpaid' else 'paid' end,
                   (select count(*) from refund_record r
                    where r.publisher_id = a.publisher_id and r.attribution_id = a.attribution_id)) as text
  from attribution a
  left join payment p on p.publisher_id = a.publisher_id and p.attribution_id = a.attribution_id
  left join payout_batch b on b.publisher_id = p.publisher_id and b.batch_id = p.payout_batch_id
  where a.publisher_id = ${publisherId}`;

const balancesOf: Part = (publisherId) => sql`
  select m.group_id, concat_ws(' ', 'balance', m.account_id, b.currency, sum(b.balance_minor))
  from member_balance b
  join membership r on r.publisher_id = b.publisher_id and r.membership_id = b.membership_id
  join membership m on m.publisher_id = b.publisher_id and m.membership_id = coalesce(r.merged_into, r.membership_id)
  where b.publisher_id = ${publisherId}
  group by m.group_id, m.account_id, b.currency
  having sum(b.balance_minor) <> 0`;

const payoutsOf: Part = (publisherId) => sql`
  select group_id, concat_ws(' ', 'batch', batch_id, currency, status, total_minor, row_count, member_count)
  from payout_batch
  where publisher_id = ${publisherId} and not was_undone
  union all
  select b.group_id, concat_ws(' ', 'item', i.batch_id, m.account_id, i.amount_minor, coalesce(i.method_id::text, '-'))
  from payout_item i
  join payout_batch b on b.publisher_id = i.publisher_id and b.batch_id = i.batch_id
  join membership m on m.publisher_id = i.publisher_id and m.membership_id = i.membership_id
  where i.publisher_id = ${publisherId} and not b.was_undone`;

/** Earnings by member and by group. A claimed member's earnings count for its claimer. */
const earningsOf: Part = (publisherId) => sql`
  select e.group_id,
         concat_ws(' ', 'earned', m.account_id, e.day, e.code, e.currency, sum(e.row_count), sum(e.gross_minor),
                   sum(e.share_minor), sum(e.reversed_count), sum(e.reversed_gross_minor), sum(e.reversed_share_minor),
                   'of', sum(e.all_count), sum(e.test_count), sum(e.refund_count), sum(e.fraud_count),
                   sum(e.chargeback_count))
  from earning_rollup e
  join membership r on r.publisher_id = e.publisher_id and r.membership_id = e.membership_id
  join membership m on m.publisher_id = e.publisher_id and m.membership_id = coalesce(r.merged_into, r.membership_id)
  where e.publisher_id = ${publisherId}
  group by e.group_id, m.account_id, e.day, e.code, e.currency
  union all
  select group_id, concat_ws(' ', 'earned', day, currency, row_count, gross_minor, share_minor, reversed_count,
                             reversed_gross_minor, reversed_share_minor)
  from group_rollup
  where publisher_id = ${publisherId} and row_count <> 0`;

const countsOf: Part = (publisherId) => sql`
  select group_id, concat_ws(' ', 'rows of', extract(epoch from hour)::bigint, all_count, test_count, refund_count,
                             fraud_count, chargeback_count)
  from transaction_count
  where publisher_id = ${publisherId} and all_count <> 0`;

/** Payable rows before their member's mark, where payouts can't find them. There must be none. */
const rowsBelowTheMark: Part = (publisherId) => sql`
  select a.group_id, concat_ws(' ', 'no payout finds', a.attribution_id)
  from attribution a
  left join payment p on p.publisher_id = a.publisher_id and p.attribution_id = a.attribution_id
  left join member_balance b
    on b.publisher_id = a.publisher_id and b.membership_id = a.membership_id and b.currency = a.currency
  where a.publisher_id = ${publisherId} and not a.is_test and ${isPosted(publisherId, 'a')}
    and p.payout_batch_id is null and p.reversed_at is null
    and a.transaction_date >= b.unpaid_from is not true`;

/** Returns the strings that `readMoney` must return, calculated from the model. */
export function expectedMoney(group: GroupModel): string[] {
  return [
    ...group.rows().map(rowText),
    ...balanceTexts(group),
    ...payoutTexts(group),
    ...memberTexts(group),
    ...groupTexts(group),
    ...hourTexts(group),
  ].sort();
}

const rowText = (row: Row): string =>
  [
    'row',
    row.id,
    row.status,
    row.share,
    row.amount,
    row.isPosted ? 'posted' : 'waiting',
    row.isReversed ? 'reversed' : 'kept',
    row.refunded,
    row.taken,
    row.batch?.id ?? '-',
    row.batch?.status === 'Paid' ? 'paid' : 'unpaid',
    row.refundRecords,
  ].join(' ');

const balanceTexts = (group: GroupModel): string[] =>
  [...new Set(group.rows().map((row) => row.currency))].flatMap((currency) =>
    members.flatMap((member) => {
      const balance = group.balance(member, currency);
      return balance === 0n ? [] : [`balance ${accountOf(group.groupId, member)} ${currency} ${balance}`];
    }),
  );

const payoutTexts = ({ groupId, batches }: GroupModel): string[] =>
  batches.flatMap(({ id, currency, status, total, rows, items, methods }) => [
    `batch ${id} ${currency} ${status} ${total} ${rows} ${items.size}`,
    ...[...items].map(
      ([member, amount]) =>
        `item ${id} ${accountOf(groupId, member)} ${amount} ${methods.get(member) ?? '-'}`,
    ),
  ]);

const memberTexts = (group: GroupModel): string[] =>
  cells(group, (row) => {
    const account = accountOf(group.groupId, group.creators.survivor(row.member));
    return `${account} ${dayOf(row)} ${row.code} ${row.currency}`;
  }).map(([cell, rows]) => `earned ${cell} ${sums(rows)} of ${counts(rows)}`);

const groupTexts = (group: GroupModel): string[] =>
  cells(group, (row) => `${dayOf(row)} ${row.currency}`).flatMap(([cell, rows]) =>
    rows.some(earns) ? [`earned ${cell} ${sums(rows)}`] : [],
  );

const hourTexts = (group: GroupModel): string[] =>
  cells(group, ({ date }) => String(Math.floor(date / 3_600_000) * 3_600)).map(
    ([hour, rows]) => `rows of ${hour} ${counts(rows)}`,
  );

/** Groups the posted rows by a key. */
const cells = (group: GroupModel, cellOf: (row: Row) => string): [string, Row[]][] => [
  ...Map.groupBy(
    group.rows().filter(({ isPosted }) => isPosted),
    cellOf,
  ),
];

const dayOf = ({ date }: Row): string => new Date(date).toISOString().slice(0, 10);

/** Formats the number and amount of the rows with earnings, and of what was taken back from them. */
function sums(rows: readonly Row[]): string {
  const earned = rows.filter(earns);
  const total = (of: (row: Row) => bigint): bigint => earned.reduce((sum, row) => sum + of(row), 0n);
  return [
    earned.length,
    total(({ subtotal }) => subtotal),
    total(({ amount }) => amount),
    earned.filter(({ isReversed }) => isReversed).length,
    total(({ refunded }) => refunded),
    total(({ taken }) => taken),
  ].join(' ');
}

/** Formats the number of rows, in total and for each status except Normal. */
const counts = (rows: readonly Row[]): string =>
  [
    rows.length,
    ...['Test', 'Refund', 'Fraud', 'Chargeback'].map(
      (status) => rows.filter((row) => row.status === status).length,
    ),
  ].join(' ');
