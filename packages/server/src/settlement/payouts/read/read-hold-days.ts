import { type RawBuilder, sql } from 'kysely';
import { isPosted } from '../../../attributions/posted.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { MembershipId } from '../../../platform/database/tables.generated.ts';
import { inSnapshot, type StandingMember, waitingIn } from './read-member-waiting.ts';

const dayMs = 86_400_000;
/** Maximum number of days that are listed. A hold period can have ten years. */
const maxDays = 62;

/** Amount whose hold period ends on a day. */
interface HoldDay {
  /** Start of the UTC day on the publisher's clock. */
  day: Date;
  /** Negative if more was taken back than earned on the day. */
  amountMinor: bigint;
}

/** Amount of a creator in its hold period, in one currency. */
export interface HeldByDay {
  currency: string;
  /** Amount of the reason `hold-period`. The days and the rest add up to it. */
  amountMinor: bigint;
  days: HoldDay[];
  /** Amount of the days that are not listed. */
  laterMinor: bigint;
}

/**
 * Reads on which days the hold periods of a creator's money end. Reads one snapshot, so that the amounts add up to what
 * `readMemberWaiting` returns as waiting for the end of the hold period.
 */
export const readHoldDays = (
  db: Db,
  standing: StandingMember,
): Promise<{ asOf: Date; currencies: HeldByDay[] }> =>
  inSnapshot(db, async (tx) => {
    const { member, membershipIds, preview } = await waitingIn(tx, standing);
    const { asOf, rows } = member;
    const held = new Map(
      rows.flatMap(({ currency, waiting }) => {
        const found = waiting.find(({ reasons }) => reasons[0]?.kind === 'hold-period');
        return found === undefined ? [] : [[currency, found.amountMinor] as const];
      }),
    );
    if (held.size === 0) return { asOf, currencies: [] };
    const { holdMs, heldAfter } = preview;
    const earned = await readEarnedDays(tx, standing.publisherId, { membershipIds, heldAfter });
    const byCurrency = Map.groupBy(earned, ({ currency }) => currency);
    return {
      asOf,
      currencies: [...held].map(([currency, amountMinor]) => {
        const days = (byCurrency.get(currency) ?? []).map((row) => ({
          day: new Date(row.day.getTime() + holdMs),
          amountMinor: row.amountMinor,
        }));
        return { currency, amountMinor, ...listed(days, amountMinor, startOfDay(asOf)) };
      }),
    };
  });

/**
 * Limits the days to the first ones. An amount that was posted while the preview was read is past its hold period, but
 * not yet in the preview's amount to pay, so it belongs to the current day.
 */
function listed(
  days: readonly HoldDay[],
  amountMinor: bigint,
  today: Date,
): Pick<HeldByDay, 'days' | 'laterMinor'> {
  const missing = amountMinor - sumOf(days);
  const [first] = days;
  const isToday = first?.day.getTime() === today.getTime();
  const all = [
    { day: today, amountMinor: missing + (isToday ? first.amountMinor : 0n) },
    ...days.slice(isToday ? 1 : 0),
  ].filter((each) => each.amountMinor !== 0n);
  return { days: all.slice(0, maxDays), laterMinor: sumOf(all.slice(maxDays)) };
}

const sumOf = (days: readonly HoldDay[]): bigint =>
  days.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);

const startOfDay = (at: Date): Date => new Date(Math.floor(at.getTime() / dayMs) * dayMs);

/** Member whose amounts are read, and the latest purchase date that is past the hold period. */
interface HeldMember {
  membershipIds: readonly MembershipId[];
  heldAfter: Date;
}

/**
 * Adds up what a member earned after the latest purchase date that is past the hold period, and hasn't been taken back or
 * assigned to a payout, by UTC day. Whole days are read from the sums that posting maintains. The rows of the day in which
 * the hold period ends are read one by one, and so are the rows that have a payment, as in `sums-of-days.ts`.
 */
async function readEarnedDays(
  tx: Tx,
  publisherId: string,
  { membershipIds, heldAfter }: HeldMember,
): Promise<(HoldDay & { currency: string })[]> {
  const nextDay = new Date(startOfDay(heldAfter).getTime() + dayMs);
  const isOfMember = (of: string) =>
    sql`${sql.ref(`${of}.membership_id`)} = any(${[...membershipIds]}::uuid[])`;
  const { rows } = await sql<{ currency: string; day: string; amount_minor: string }>`
    select currency, day::text, sum(amount)::text as amount_minor
    from (
      select e.currency, e.day, e.share_minor as amount
      from earning_rollup e
      where e.publisher_id = ${publisherId} and ${isOfMember('e')} and e.day >= ${utcDay(sql`${nextDay}::timestamptz`)}
      union all
      select p.currency, ${utcDay(sql`p.transaction_date`)}, ${leftOf('p.share_minor')} - p.share_minor
      from payment p
      where p.publisher_id = ${publisherId} and ${isOfMember('p')} and p.transaction_date >= ${nextDay} and ${isPosted(publisherId, 'p')}
      union all
      select a.currency, ${utcDay(sql`a.transaction_date`)}, ${leftOf('a.share_minor')}
      from attribution a
      left join lateral (
        select p.payout_batch_id, p.reversed_at, p.reversed_minor
        from payment p
        where p.publisher_id = ${publisherId} and p.attribution_id = a.attribution_id
        offset 0
      ) p on true
      where a.publisher_id = ${publisherId} and ${isOfMember('a')} and a.transaction_date > ${heldAfter} and a.transaction_date < ${nextDay} and not a.is_test
        and ${isPosted(publisherId, 'a')}
      union all
      select w.currency, ${utcDay(sql`w.earned_at`)}, w.amount_minor
      from reward_payment w
      where w.publisher_id = ${publisherId} and ${isOfMember('w')} and w.earned_at > ${heldAfter} and w.payout_batch_id is null
    ) each_amount
    group by currency, day
    having sum(amount) <> 0
    order by currency, day`.execute(tx);
  return rows.map(({ currency, day, amount_minor }) => ({
    currency,
    day: new Date(`${day}T00:00:00Z`),
    amountMinor: BigInt(amount_minor),
  }));
}

/** Returns the day of a time, as posting determines it. */
const utcDay = (at: RawBuilder<unknown>): RawBuilder<unknown> => sql`(${at} at time zone 'UTC')::date`;

/** Returns what is left to pay of a row, from its payment `p`, if it has one. */
const leftOf = (share: string): RawBuilder<unknown> => sql`
  case
    when p.payout_batch_id is null and p.reversed_at is null then ${sql.ref(share)} - coalesce(p.reversed_minor, 0)
    else 0
  end`;
