import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { readMoment } from '../platform/database/moment.ts';
import { timeOfRowId } from '../platform/ids.ts';

/** Sums in one currency. earned − reversed + bounties − paid − owed must be zero. */
export interface ZeroSum {
  currency: string;
  earnedMinor: bigint;
  reversedMinor: bigint;
  bountiesMinor: bigint;
  /** Amounts in payouts, whether paid or in progress. */
  paidMinor: bigint;
  /** Part of `paidMinor` that is in payouts not marked as paid yet. */
  toBePaidMinor: bigint;
  owedMinor: bigint;
  /** Always zero unless there is a fault. */
  differenceMinor: bigint;
}

export interface LedgerState {
  /** Time of the snapshot that all sums were read from. */
  at: Date;
  zeroSums: ZeroSum[];
  unposted: {
    rowCount: number;
    /** True if there are more unposted rows than were counted. */
    isAtLeast: boolean;
    /** Time when the oldest unposted row was recorded; null if there are none. */
    oldestAt: Date | null;
  };
  /**
   * Times of the last verification that passed and the last full verification that passed; null if none has passed
   * since a discrepancy was found.
   */
  proven: { lastAt: Date; allAt: Date } | null;
}

const maxCountedRecordings = 10_000;

/** Reads the state of a publisher's ledger (sums of rollups, rewards, payouts and balances) from one snapshot. */
export const readLedger = (db: Db, publisherId: string): Promise<LedgerState> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const { rows: sums } = await sql<Record<SumName | 'currency', string>>`
        select currency, sum(earned)::text as earned, sum(reversed)::text as reversed, sum(bounties)::text as bounties,
               sum(paid)::text as paid, sum(to_be_paid)::text as to_be_paid, sum(owed)::text as owed
        from (
          select currency, share_minor as earned, reversed_share_minor as reversed, 0::numeric as bounties,
                 0::numeric as paid, 0::numeric as to_be_paid, 0::numeric as owed
          from group_rollup g
          where g.publisher_id = ${publisherId}
          union all
          select currency, 0, 0, amount_minor, 0, 0, 0
          from reward_payment w
          where w.publisher_id = ${publisherId}
          union all
          select currency, 0, 0, 0, total_minor, case when status = 'Paid' then 0 else total_minor end, 0
          from payout_batch b
          where b.publisher_id = ${publisherId} and status in ('Preparing', 'Created', 'Paid')
          union all
          -- Lines of payouts that failed or were returned.
          select r.currency, 0, 0, 0, -r.amount_minor, case when b.status = 'Paid' then 0 else -r.amount_minor end, 0
          from payout_return r
          join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = r.from_batch_id
          where r.publisher_id = ${publisherId}
          union all
          -- Items that have not been returned yet, of a payout that is being canceled.
          select b.currency, 0, 0, 0, i.amount_minor, i.amount_minor, 0
          from payout_batch b
          join payout_item i on i.publisher_id = ${publisherId} and i.batch_id = b.batch_id
          where b.publisher_id = ${publisherId} and b.status = 'Cancelling'
            and not exists (
              select 1
              from ledger_entry e
              where e.publisher_id = ${publisherId} and e.membership_id = i.membership_id and e.currency = b.currency
                and e.subject_id = i.item_id and e.kind = 'payout-return')
          union all
          select currency, 0, 0, 0, 0, 0, balance_minor
          from member_balance balance
          where balance.publisher_id = ${publisherId}
        ) parts
        group by currency
        order by currency`.execute(tx);
      const { rows: unposted } = await sql<{
        recordings: bigint;
        row_count: bigint | null;
        oldest: string | null;
      }>`
        select count(*) as recordings, sum(row_count)::bigint as row_count, min(recording_id::text) as oldest
        from (
          select recording_id, row_count
          from unposted
          where publisher_id = ${publisherId}
          order by recording_id
          limit ${maxCountedRecordings}
        ) waiting`.execute(tx);
      const proven = await tx
        .selectFrom('ledger_check')
        .select(['last_at as lastAt', 'all_at as allAt'])
        .where('publisher_id', '=', publisherId)
        .executeTakeFirst();
      const [queue] = unposted;
      return {
        at: await readMoment(tx),
        zeroSums: sums.map(toZeroSum),
        unposted: {
          rowCount: Number(queue?.row_count ?? 0),
          isAtLeast: Number(queue?.recordings ?? 0) === maxCountedRecordings,
          oldestAt: queue?.oldest ? timeOfRowId(queue.oldest) : null,
        },
        proven: proven ?? null,
      };
    });

type SumName = 'earned' | 'reversed' | 'bounties' | 'paid' | 'to_be_paid' | 'owed';

function toZeroSum(row: Record<SumName | 'currency', string>): ZeroSum {
  const [earnedMinor, reversedMinor] = [BigInt(row.earned), BigInt(row.reversed)];
  const [bountiesMinor, paidMinor, owedMinor] = [BigInt(row.bounties), BigInt(row.paid), BigInt(row.owed)];
  return {
    currency: row.currency,
    earnedMinor,
    reversedMinor,
    bountiesMinor,
    paidMinor,
    toBePaidMinor: BigInt(row.to_be_paid),
    owedMinor,
    differenceMinor: earnedMinor - reversedMinor + bountiesMinor - paidMinor - owedMinor,
  };
}
