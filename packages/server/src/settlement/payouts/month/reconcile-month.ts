import { type RawBuilder, sql } from 'kysely';
import { lastRowOf } from '../../../attributions/posted.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import { rowIdAt } from '../../../platform/ids.ts';
import { laterBy } from '../../../publishers/publisher-time.ts';
import { pinLookUps } from '../../pin-plans.ts';
import { boundsOfMonth, type MonthSum, readMonthSums } from '../read/read-month.ts';
import { isOtherIn, isPaymentIn, spanOfBalance } from './entries-of-month.ts';
import type { MonthSpan } from './month-span.ts';

/*
 * A month's sums on the dashboard are by purchase date, and the month-end files are by booking date. For each group and
 * currency, this compares the two: files = page + onlyFiles − onlyPage. The amounts of the files are read from the ledger. The
 * amounts that are in both are read from the ledger as well, by the dates of the entries' purchases
 * (docs/adr/0115-month-reconciliation.md).
 */

/** One amount by purchase date and by booking date. */
export interface Difference {
  /** Amount of the month's purchases, as in `readMonth`. */
  pageMinor: bigint;
  /** Part of `filesMinor` that isn't in `pageMinor`; null if it wasn't read, because there were too many rows. */
  onlyFilesMinor: bigint | null;
  /** Part of `pageMinor` that isn't in `filesMinor`; null if `onlyFilesMinor` is. */
  onlyPageMinor: bigint | null;
  /** Amount that the ledger booked in the month, as in the month-end files. */
  filesMinor: bigint;
}

export interface ReconciledLine {
  groupId: string;
  currency: string;
  earned: Difference;
  /** Negative amounts. Those of the files are `reversed` and `clawedBack`. */
  reversed: Difference;
  /** Part of `reversed.filesMinor` that is `clawedBack` in the files. */
  clawedBackMinor: bigint;
  bounties: Difference;
  /** Payouts: marked as paid in the month, and put into payouts in the month, less what was returned. */
  paid: Difference;
}

interface Limits {
  /**
   * Maximum number of rows to read of postings with purchases of other months. Only an import books that many late: a million
   * rows take a second.
   */
  maxRows: number;
  /** Time before the end of a month within which purchases that are dated after the end are looked for. */
  earlyMs: number;
}
const limits: Limits = { maxRows: 1_000_000, earlyMs: 3_600_000 };

/** Time by which a posting's time may differ from that of its ledger entries, which is the start of their transaction. */
const slackMs = 600_000;

/** Time by which the time in a reward's id may differ from its entry's time, as in `isPaymentIn`. */
const idSlackMs = 86_400_000;

/**
 * Compares a month by purchase date with the month by booking date, from one snapshot.
 * @param groupId null for all groups
 */
export const reconcileMonth = (
  db: Db,
  span: MonthSpan,
  groupId: string | null,
  changed: Partial<Limits> = {},
): Promise<ReconciledLine[]> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const { publisherId, month } = span;
      const page = await readMonthSums(tx, { publisherId, groupId, month });
      await sql`select ${pinLookUps}`.execute(tx);
      const booked = await readBooked(tx, span, groupId);
      const paid = await readPaidInMonth(tx, span, groupId);
      const rewards = await readRewards(tx, span, groupId);
      const others = await readOfOtherMonths(tx, span, groupId, { ...limits, ...changed });
      return linesOf({ page, booked, paid, rewards, others });
    });

interface Place {
  group_id: string;
  currency: string;
}

const keyOf = ({ group_id, currency }: Place): string => `${group_id}\n${currency}`;

interface Parts {
  page: readonly MonthSum[];
  booked: readonly Booked[];
  paid: readonly Paid[];
  rewards: readonly Rewards[];
  others: readonly OfOtherMonths[] | null;
}

function linesOf({ page, booked, paid, rewards, others }: Parts): ReconciledLine[] {
  const byKey = <Row extends Place>(rows: readonly Row[]) => new Map(rows.map((row) => [keyOf(row), row]));
  const pages = new Map(page.map((sum) => [keyOf({ group_id: sum.groupId, currency: sum.currency }), sum]));
  const [ofBooked, ofPaid] = [byKey(booked), byKey(paid)];
  const [ofRewards, ofOthers] = [byKey(rewards), byKey(others ?? [])];
  const keys = new Set([...pages.keys(), ...ofBooked.keys(), ...ofRewards.keys()]);
  return [...keys]
    .sort()
    .map((key): ReconciledLine => {
      const [groupId = '', currency = ''] = key.split('\n');
      const sum = pages.get(key);
      const entries = ofBooked.get(key);
      const reward = ofRewards.get(key);
      const rewardsMinor = BigInt(reward?.booked ?? 0);
      const earnedMinor = BigInt(entries?.payments ?? 0) - rewardsMinor;
      const clawedBackMinor = BigInt(entries?.clawed_back ?? 0);
      return {
        groupId,
        currency,
        earned: differenceOf(
          sum?.earnedMinor ?? 0n,
          earnedMinor,
          others === null ? null : earnedMinor - BigInt(ofOthers.get(key)?.share ?? 0),
        ),
        reversed: differenceOf(
          -(sum?.reversedMinor ?? 0n),
          BigInt(entries?.reversed ?? 0) + clawedBackMinor,
          BigInt(entries?.reversed_of_month ?? 0),
        ),
        clawedBackMinor,
        bounties: differenceOf(sum?.bountiesMinor ?? 0n, rewardsMinor, BigInt(reward?.of_month ?? 0)),
        paid: differenceOf(
          sum?.paidMinor ?? 0n,
          -BigInt(entries?.paid ?? 0),
          -BigInt(ofPaid.get(key)?.minor ?? 0),
        ),
      };
    })
    .filter(({ earned, reversed, bounties, paid }) =>
      [earned, reversed, bounties, paid].some((each) => Object.values(each).some((minor) => minor !== 0n)),
    );
}

/** @param inBothMinor part that is on the page and in the files; null if it wasn't read */
const differenceOf = (pageMinor: bigint, filesMinor: bigint, inBothMinor: bigint | null): Difference => ({
  pageMinor,
  onlyFilesMinor: inBothMinor === null ? null : filesMinor - inBothMinor,
  onlyPageMinor: inBothMinor === null ? null : pageMinor - inBothMinor,
  filesMinor,
});

const isInMonth = (at: RawBuilder<unknown>, { month }: MonthSpan): RawBuilder<boolean> => {
  const { from, until } = boundsOfMonth(month);
  return sql<boolean>`(${at} >= ${from} and ${at} < ${until})`;
};

const inGroup = (column: string, groupId: string | null): RawBuilder<unknown> =>
  groupId === null ? sql`` : sql`and ${sql.ref(column)} = ${groupId}`;

interface Booked extends Place {
  /** Entries of postings and rewards. */
  payments: string;
  reversed: string;
  clawed_back: string;
  /** Part of `reversed` and `clawed_back` whose purchases are of the month. */
  reversed_of_month: string;
  paid: string;
}

/**
 * Reads the sums of a month's ledger entries, one balance at a time: 70 ms for 10,000 balances. Each membership is looked up by
 * key, because the planner expects few balances and would compare each with all memberships, which took four seconds.
 */
async function readBooked(tx: Tx, span: MonthSpan, groupId: string | null): Promise<Booked[]> {
  const { publisherId, entriesFrom, entriesBefore } = span;
  const ofBalance = spanOfBalance(publisherId, 'b', { from: entriesFrom, before: entriesBefore });
  const { rows } = await sql<Booked>`
    select m.group_id, b.currency, sum(posted.minor)::text as payments, sum(other.reversed)::text as reversed,
           sum(other.clawed_back)::text as clawed_back, sum(other.reversed_of_month)::text as reversed_of_month,
           sum(other.paid)::text as paid
    from member_balance b
    cross join lateral (
      select m.group_id
      from membership m
      where m.publisher_id = ${publisherId} and m.membership_id = b.membership_id
      offset 0
    ) m
    cross join lateral (
      select coalesce(sum(e.amount_minor), 0) as minor
      from ledger_entry e
      where e.publisher_id = ${publisherId} and ${isPaymentIn(ofBalance)}
      offset 0
    ) posted
    cross join lateral (
      select coalesce(sum(amount_minor) filter (where kind in ('refund', 'reinstatement')), 0) as reversed,
             coalesce(sum(amount_minor) filter (where kind = 'adjustment'), 0) as clawed_back,
             coalesce(sum(amount_minor) filter (where is_of_month), 0) as reversed_of_month,
             coalesce(sum(amount_minor) filter (where kind in ('payout', 'payout-return')), 0) as paid
      from (
        select e.kind, e.amount_minor,
               e.kind in ('refund', 'reinstatement', 'adjustment') and ${isReversalOfMonth(span)} as is_of_month
        from ledger_entry e
        where e.publisher_id = ${publisherId} and ${isOtherIn(ofBalance)}
      ) moved
      offset 0
    ) other
    where b.publisher_id = ${publisherId} ${inGroup('m.group_id', groupId)}
    group by m.group_id, b.currency`.execute(tx);
  return rows;
}

interface Paid extends Place {
  minor: string;
}

/** Reads the amounts that were put into payouts in the month and marked as paid in it. */
async function readPaidInMonth(tx: Tx, span: MonthSpan, groupId: string | null): Promise<Paid[]> {
  const { publisherId, entriesFrom, entriesBefore } = span;
  const { rows } = await sql<Paid>`
    select p.group_id, p.currency, sum(e.amount_minor)::text as minor
    from payout_batch p
    cross join lateral (
      select i.item_id, i.membership_id
      from payout_item i
      where i.publisher_id = ${publisherId} and i.batch_id = p.batch_id
      offset 0
    ) i
    cross join lateral (
      select e.amount_minor, e.created_at
      from ledger_entry e
      where e.publisher_id = ${publisherId} and e.membership_id = i.membership_id and e.currency = p.currency
        and e.subject_id = i.item_id and e.kind = 'payout'
      offset 0
    ) e
    where p.publisher_id = ${publisherId} and ${isInMonth(sql`p.paid_at`, span)} ${inGroup('p.group_id', groupId)}
      and e.created_at >= ${entriesFrom} and e.created_at < ${entriesBefore}
    group by p.group_id, p.currency`.execute(tx);
  return rows;
}

/**
 * Builds a condition for the entry `e` of a reversal, clawback or reinstatement: its purchase is of the month. The subject of
 * the entry is the row, or the record of what was taken back or given back of it.
 */
const isReversalOfMonth = (span: MonthSpan): RawBuilder<boolean> => sql<boolean>`
  exists (
    select 1
    from attribution a
    where a.publisher_id = ${span.publisherId} and ${isInMonth(sql`a.transaction_date`, span)}
      and a.attribution_id = coalesce(
        (select r.attribution_id from refund_record r where r.publisher_id = ${span.publisherId} and r.refund_id = e.subject_id),
        (select r.attribution_id
         from reinstatement r
         where r.publisher_id = ${span.publisherId} and r.reinstatement_id = e.subject_id),
        e.subject_id
      )
  )`;

interface Rewards extends Place {
  booked: string;
  /** Part of `booked` for bounties that were completed in the month. */
  of_month: string;
}

/** Reads the rewards that the ledger booked in the month. Their ids are in the order of time. */
async function readRewards(tx: Tx, span: MonthSpan, groupId: string | null): Promise<Rewards[]> {
  const { publisherId, entriesFrom, entriesBefore } = span;
  const { rows } = await sql<Rewards>`
    select w.group_id, w.currency, sum(w.amount_minor)::text as booked,
           coalesce(sum(w.amount_minor) filter (where ${isInMonth(sql`w.earned_at`, span)}), 0)::text as of_month
    from reward_payment w
    cross join lateral (
      select e.created_at
      from ledger_entry e
      where e.publisher_id = ${publisherId} and e.membership_id = w.membership_id and e.currency = w.currency
        and e.subject_id = w.progress_reward_id and e.kind = 'payment'
      offset 0
    ) e
    where w.publisher_id = ${publisherId} ${inGroup('w.group_id', groupId)}
      and w.progress_reward_id >= ${rowIdAt(laterBy(entriesFrom, -idSlackMs))}::uuid
      and w.progress_reward_id < ${rowIdAt(laterBy(entriesBefore, idSlackMs))}::uuid
      and e.created_at >= ${entriesFrom} and e.created_at < ${entriesBefore}
    group by w.group_id, w.currency`.execute(tx);
  return rows;
}

interface OfOtherMonths extends Place {
  /** Shares that the ledger booked in the month for purchases of other months. */
  share: string;
}

/**
 * Reads the shares of purchases of other months that the ledger booked in the month. Only postings with an earlier purchase, or
 * at the end of the month, can have any, which are few unless purchases are recorded late.
 * @returns null if these postings have more than `maxRows` rows
 */
async function readOfOtherMonths(
  tx: Tx,
  span: MonthSpan,
  groupId: string | null,
  { maxRows, earlyMs }: Limits,
): Promise<OfOtherMonths[] | null> {
  const { publisherId, from, entriesFrom, entriesBefore } = span;
  const { rows } = await sql<OfOtherMonths & { read: bigint }>`
    with read as materialized (
      select p.posting_id, a.*
      from posting p
      cross join lateral unnest(p.recording_ids) as recording (first_id)
      cross join lateral (
        select a.group_id, a.membership_id, a.currency, a.share_minor,
               a.is_test or ${isInMonth(sql`a.transaction_date`, span)} as is_left_out
        from attribution a
        where a.publisher_id = ${publisherId}
          and a.attribution_id between recording.first_id and ${lastRowOf('recording.first_id')}
        offset 0
      ) a
      where p.publisher_id = ${publisherId} and p.posted_at >= ${laterBy(entriesFrom, -slackMs)}
        and p.posted_at < ${laterBy(entriesBefore, slackMs)}
        and (p.earliest_date < ${from} or p.posted_at >= ${laterBy(entriesBefore, -earlyMs)})
      limit ${maxRows + 1}
    ),
    other as (
      select posting_id, group_id, membership_id, currency, sum(share_minor) as share
      from read
      where not is_left_out ${inGroup('group_id', groupId)} and (select count(*) from read) <= ${maxRows}
      group by posting_id, group_id, membership_id, currency
    )
    select booked.group_id, booked.currency, booked.share::text, counted.read
    from (select count(*) as read from read) counted
    left join (
      select other.group_id, other.currency, sum(other.share) as share
      from other
      cross join lateral (
        select e.created_at
        from ledger_entry e
        where e.publisher_id = ${publisherId} and e.membership_id = other.membership_id and e.currency = other.currency
          and e.subject_id = other.posting_id and e.kind = 'payment'
        offset 0
      ) e
      where e.created_at >= ${entriesFrom} and e.created_at < ${entriesBefore}
      group by other.group_id, other.currency
    ) booked on true`.execute(tx);
  if (Number(rows[0]?.read ?? 0) > maxRows) return null;
  return rows.filter(({ group_id }) => group_id !== null);
}
