import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';

/** The first row that is not explained, or none. */
export type LedgerVerdict =
  | { isSound: true; entries: number; balances: number }
  | { isSound: false; rule: string; publisherId: string; row: string };

/**
 * What must hold on every database at every moment. Each query finds one row that breaks its rule:
 * publisher_id, and the row in words.
 */
const rules: readonly { rule: string; broken: RawBuilder<unknown> }[] = [
  {
    rule: 'every row credits a membership of its group',
    broken: sql`
      select a.publisher_id, 'attribution ' || a.attribution_id as row
      from attribution a
      left join membership m
        on m.publisher_id = a.publisher_id and m.membership_id = a.membership_id and m.group_id = a.group_id
      where m.membership_id is null`,
  },
  {
    rule: 'a merged membership leads to the membership of a member, in one step',
    broken: sql`
      select m.publisher_id, 'membership ' || m.membership_id as row
      from membership m
      join membership s on s.publisher_id = m.publisher_id and s.membership_id = m.merged_into
      where s.merged_into is not null`,
  },
  {
    rule: 'every row but a Test row is settled or waits to be, and a Test row has no payment',
    broken: sql`
      select a.publisher_id, 'attribution ' || a.attribution_id as row
      from attribution a
      left join payment p on p.publisher_id = a.publisher_id and p.attribution_id = a.attribution_id
      left join (
        select distinct publisher_id, unnest(attribution_ids) as attribution_id from unsettled
      ) u on u.publisher_id = a.publisher_id and u.attribution_id = a.attribution_id
      where case when a.is_test then p.attribution_id is not null or u.attribution_id is not null
                 else (p.settled_at is null) <> (u.attribution_id is not null) end`,
  },
  {
    rule: 'every payment is of a recorded row',
    broken: sql`
      select p.publisher_id, 'attribution ' || p.attribution_id as row
      from payment p
      left join attribution a on a.publisher_id = p.publisher_id and a.attribution_id = p.attribution_id
      where a.attribution_id is null`,
  },
  {
    rule: "a settled payment's share is its percent of the row's subtotal",
    broken: sql`
      select p.publisher_id, 'attribution ' || p.attribution_id as row
      from payment p
      join attribution a on a.publisher_id = p.publisher_id and a.attribution_id = p.attribution_id
      where p.settled_at is not null
        and (p.share_minor, p.currency) is distinct from (share_of(a.subtotal_minor, p.share_millionths), a.currency)`,
  },
  {
    rule: 'a settled payment has a ledger entry of its share, a reward one of its amount, and every entry of a payment has its payment',
    broken: sql`
      select coalesce(p.publisher_id, e.publisher_id) as publisher_id,
             coalesce(p.what, 'attribution') || ' ' || coalesce(p.subject_id, e.subject_id) as row
      from (
        select publisher_id, 'attribution' as what, attribution_id as subject_id, membership_id, currency, share_minor as amount
        from payment
        where settled_at is not null
        union all
        select publisher_id, 'bounty reward', progress_reward_id, membership_id, currency, amount_minor
        from reward_payment
      ) p
      full join (select * from ledger_entry where kind = 'payment') e
        on e.publisher_id = p.publisher_id and e.subject_id = p.subject_id
      where (e.amount_minor, e.membership_id, e.currency) is distinct from (p.amount::numeric, p.membership_id, p.currency)`,
  },
  {
    rule: 'a Payment reward that was given is paid its amount once, and no other is paid',
    broken: sql`
      select coalesce(g.publisher_id, w.publisher_id) as publisher_id,
             'bounty reward ' || coalesce(g.progress_reward_id, w.progress_reward_id) as row
      from (
        select g.publisher_id, g.progress_reward_id, d.amount_minor, d.currency
        from progress_reward g
        join bounty_reward d on d.publisher_id = g.publisher_id and d.reward_id = g.reward_id
        where d.type = 'Payment'
      ) g
      full join reward_payment w on w.publisher_id = g.publisher_id and w.progress_reward_id = g.progress_reward_id
      where (g.amount_minor, g.currency) is distinct from (w.amount_minor, w.currency)`,
  },
  {
    rule: 'the money of a settled payment went back exactly if it is reversed, once and whole',
    broken: sql`
      select coalesce(p.publisher_id, e.publisher_id) as publisher_id,
             'attribution ' || coalesce(p.attribution_id, e.subject_id) as row
      from (select * from payment where settled_at is not null and reversed_at is not null) p
      full join (select * from ledger_entry where kind in ('refund', 'adjustment')) e
        on e.publisher_id = p.publisher_id and e.subject_id = p.attribution_id
      where (e.amount_minor, e.membership_id, e.currency) is distinct from (-p.share_minor::numeric, p.membership_id, p.currency)`,
  },
  {
    rule: 'a reversed payment has one refund record that reverses money, and no other has one',
    broken: sql`
      select coalesce(p.publisher_id, r.publisher_id) as publisher_id,
             'attribution ' || coalesce(p.attribution_id, r.attribution_id) as row
      from (select * from payment where reversed_at is not null) p
      full join (select * from refund_record where reverses_money) r
        on r.publisher_id = p.publisher_id and r.attribution_id = p.attribution_id
      where p.attribution_id is null or r.attribution_id is null`,
  },
  {
    rule: 'what was taken back after a payout is a clawback of a row that is in one, and no other row in one went back',
    broken: sql`
      select coalesce(e.publisher_id, c.publisher_id) as publisher_id,
             'attribution ' || coalesce(e.subject_id, c.attribution_id) as row
      from (select * from ledger_entry where kind = 'adjustment') e
      full join clawback c on c.publisher_id = e.publisher_id and c.attribution_id = e.subject_id
      where (e.amount_minor, e.membership_id, e.currency) is distinct from (-c.amount_minor::numeric, c.membership_id, c.currency)
      union all
      select p.publisher_id, 'attribution ' || p.attribution_id as row
      from payment p
      left join clawback c on c.publisher_id = p.publisher_id and c.attribution_id = p.attribution_id
      where (p.payout_batch_id is not null and p.reversed_at is not null) <> (c.attribution_id is not null)`,
  },
  {
    // Before payouts were paid by their batch alone, rows carried the time too.
    rule: 'a row or reward says when it was paid only as its payout does',
    broken: sql`
      select p.publisher_id, 'attribution ' || p.attribution_id as row
      from payment p
      left join payout_batch b on b.publisher_id = p.publisher_id and b.batch_id = p.payout_batch_id
      where p.payout_payment_id is null and p.paid_at is not null and p.paid_at is distinct from b.paid_at
      union all
      select w.publisher_id, 'bounty reward ' || w.progress_reward_id
      from reward_payment w
      left join payout_batch b on b.publisher_id = w.publisher_id and b.batch_id = w.payout_batch_id
      where w.paid_at is not null and w.paid_at is distinct from b.paid_at`,
  },
  {
    rule: 'a payout item has a ledger entry of its amount, and every payout entry has its item',
    broken: sql`
      select coalesce(i.publisher_id, e.publisher_id) as publisher_id,
             'payout item ' || coalesce(i.item_id, e.subject_id) as row
      from payout_item i
      full join (select * from ledger_entry where kind = 'payout') e
        on e.publisher_id = i.publisher_id and e.subject_id = i.item_id
      where (e.amount_minor, e.membership_id) is distinct from (-i.amount_minor, i.membership_id)`,
  },
  {
    // While a payout is being cancelled, its items come back one set after another.
    rule: 'an item of a cancelled payout came back to its member, and no other did',
    broken: sql`
      select coalesce(i.publisher_id, e.publisher_id) as publisher_id,
             'payout item ' || coalesce(i.item_id, e.subject_id) as row
      from (
        select i.*, b.status
        from payout_item i
        join payout_batch b on b.publisher_id = i.publisher_id and b.batch_id = i.batch_id
        where b.status in ('Cancelling', 'Cancelled')
      ) i
      full join (select * from ledger_entry where kind = 'payout-return') e
        on e.publisher_id = i.publisher_id and e.subject_id = i.item_id
      where (e.amount_minor, e.membership_id) is distinct from (i.amount_minor, i.membership_id)
        and not (e.subject_id is null and i.status = 'Cancelling')`,
  },
  {
    // By member: a batch made before two memberships merged has an item for each, one made later a single item.
    // A member of one being prepared has its item with its last rows; more may be stamped for who merged with it.
    rule: 'the items of a payout are the sum of the rows, rewards and clawbacks that carry its batch, member by member',
    broken: sql`
      select i.publisher_id, 'payout item ' || i.item_id as row
      from (
        select i.publisher_id, i.batch_id, b.status, coalesce(m.merged_into, m.membership_id) as member_id,
               (array_agg(i.item_id order by i.item_id))[1] as item_id, sum(i.row_count) as row_count,
               sum(i.payments_minor) as payments_minor, sum(i.reward_count) as reward_count,
               sum(i.rewards_minor) as rewards_minor, sum(i.adjustments_minor) as adjustments_minor
        from payout_item i
        join payout_batch b
          on b.publisher_id = i.publisher_id and b.batch_id = i.batch_id and b.status in ('Preparing', 'Created', 'Paid')
        join membership m on m.publisher_id = i.publisher_id and m.membership_id = i.membership_id
        group by 1, 2, 3, 4
      ) i
      left join (
        select p.publisher_id, p.payout_batch_id, coalesce(m.merged_into, m.membership_id) as member_id,
               count(*) as row_count, sum(p.share_minor) as amount
        from payment p
        join membership m on m.publisher_id = p.publisher_id and m.membership_id = p.membership_id
        where p.payout_batch_id is not null
        group by 1, 2, 3
      ) p on p.publisher_id = i.publisher_id and p.payout_batch_id = i.batch_id and p.member_id = i.member_id
      left join (
        select w.publisher_id, w.payout_batch_id, coalesce(m.merged_into, m.membership_id) as member_id,
               count(*) as reward_count, sum(w.amount_minor) as amount
        from reward_payment w
        join membership m on m.publisher_id = w.publisher_id and m.membership_id = w.membership_id
        where w.payout_batch_id is not null
        group by 1, 2, 3
      ) w on w.publisher_id = i.publisher_id and w.payout_batch_id = i.batch_id and w.member_id = i.member_id
      left join (
        select c.publisher_id, c.payout_batch_id, coalesce(m.merged_into, m.membership_id) as member_id,
               sum(c.amount_minor) as amount
        from clawback c
        join membership m on m.publisher_id = c.publisher_id and m.membership_id = c.membership_id
        where c.payout_batch_id is not null
        group by 1, 2, 3
      ) c on c.publisher_id = i.publisher_id and c.payout_batch_id = i.batch_id and c.member_id = i.member_id
      where (i.row_count, i.payments_minor, i.reward_count, i.rewards_minor, i.adjustments_minor)
        is distinct from (coalesce(p.row_count, 0), coalesce(p.amount, 0), coalesce(w.reward_count, 0), coalesce(w.amount, 0),
                          -coalesce(c.amount, 0))
        and not (i.status = 'Preparing' and coalesce(p.row_count, 0) >= i.row_count and coalesce(p.amount, 0) >= i.payments_minor
                 and coalesce(w.reward_count, 0) >= i.reward_count and coalesce(w.amount, 0) >= i.rewards_minor
                 and coalesce(c.amount, 0) >= -i.adjustments_minor)`,
  },
  {
    rule: 'a payout is the sum of its items, and every stamped row or reward has an item',
    broken: sql`
      select b.publisher_id, 'payout ' || b.batch_id as row
      from payout_batch b
      left join (
        select publisher_id, batch_id, count(*) as members, sum(row_count) as row_count, sum(amount_minor) as amount
        from payout_item
        group by publisher_id, batch_id
      ) i on i.publisher_id = b.publisher_id and i.batch_id = b.batch_id
      left join (
        select publisher_id, payout_batch_id, count(*) as row_count
        from payment
        where payout_batch_id is not null
        group by publisher_id, payout_batch_id
      ) p on p.publisher_id = b.publisher_id and p.payout_batch_id = b.batch_id
      where (b.member_count, b.row_count, b.total_minor)
              is distinct from (coalesce(i.members, 0), coalesce(i.row_count, 0), coalesce(i.amount, 0))
         or case b.status
              when 'Preparing' then coalesce(p.row_count, 0) < b.row_count
              when 'Cancelling' then false
              when 'Cancelled' then p.row_count is not null
              else coalesce(p.row_count, 0) <> b.row_count
            end
      union all
      select w.publisher_id, 'bounty reward ' || w.progress_reward_id
      from reward_payment w
      left join payout_batch b on b.publisher_id = w.publisher_id and b.batch_id = w.payout_batch_id
      where w.payout_batch_id is not null and b.status not in ('Preparing', 'Cancelling') and (b.status = 'Cancelled' or not exists (
        select
        from payout_item i
        join membership m on m.publisher_id = i.publisher_id and m.membership_id = i.membership_id
        join membership r on r.publisher_id = w.publisher_id and r.membership_id = w.membership_id
        where i.publisher_id = w.publisher_id and i.batch_id = w.payout_batch_id
          and coalesce(m.merged_into, m.membership_id) = coalesce(r.merged_into, r.membership_id)))`,
  },
  {
    rule: 'a balance is the sum of its ledger entries',
    broken: sql`
      select coalesce(b.publisher_id, e.publisher_id) as publisher_id,
             'membership ' || coalesce(b.membership_id, e.membership_id) || ' in ' || coalesce(b.currency, e.currency) as row
      from member_balance b
      full join (
        select publisher_id, membership_id, currency, sum(amount_minor) as amount
        from ledger_entry
        group by publisher_id, membership_id, currency
      ) e on e.publisher_id = b.publisher_id and e.membership_id = b.membership_id and e.currency = b.currency
      where b.balance_minor is distinct from e.amount`,
  },
  {
    rule: 'a rollup is the sum of its settled rows',
    broken: sql`
      select coalesce(e.publisher_id, s.publisher_id) as publisher_id,
             'rollup of ' || coalesce(e.day, s.day) || ', membership ' || coalesce(e.membership_id, s.membership_id) as row
      from earning_rollup e
      full join (
        select a.publisher_id, a.group_id, (a.transaction_date at time zone 'UTC')::date as day, a.membership_id, a.code, a.currency,
               count(*) as row_count, sum(a.subtotal_minor) as gross, sum(p.share_minor) as share,
               count(*) filter (where p.reversed_at is not null) as reversed_count,
               coalesce(sum(a.subtotal_minor) filter (where p.reversed_at is not null), 0) as reversed_gross,
               coalesce(sum(p.share_minor) filter (where p.reversed_at is not null), 0) as reversed_share
        from payment p
        join attribution a on a.publisher_id = p.publisher_id and a.attribution_id = p.attribution_id
        where p.settled_at is not null
        group by 1, 2, 3, 4, 5, 6
      ) s on s.publisher_id = e.publisher_id and s.group_id = e.group_id and s.day = e.day
         and s.membership_id = e.membership_id and s.code = e.code and s.currency = e.currency
      where (e.row_count, e.gross_minor, e.share_minor, e.reversed_count, e.reversed_gross_minor, e.reversed_share_minor)
        is distinct from (s.row_count, s.gross, s.share, s.reversed_count, s.reversed_gross, s.reversed_share)`,
  },
];

/**
 * Proves on a live database that every balance is explained: all rules are looked at in one moment of it.
 * Reads the whole ledger; changes nothing and locks nobody out.
 */
export function verifyLedger(db: Db): Promise<LedgerVerdict> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      for (const { rule, broken } of rules) {
        const { rows } = await sql<{ publisher_id: string; row: string }>`
          select publisher_id, row from (${broken}) broken order by publisher_id, row limit 1`.execute(tx);
        const [first] = rows;
        if (first !== undefined)
          return { isSound: false, rule, publisherId: first.publisher_id, row: first.row };
      }
      const { rows } = await sql<{ entries: bigint; balances: bigint }>`
        select (select count(*) from ledger_entry) as entries, (select count(*) from member_balance) as balances`.execute(
        tx,
      );
      return {
        isSound: true,
        entries: Number(rows[0]?.entries ?? 0),
        balances: Number(rows[0]?.balances ?? 0),
      };
    });
}
