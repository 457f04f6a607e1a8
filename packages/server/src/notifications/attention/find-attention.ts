import { sql } from 'kysely';
import { stands } from '../../members/standing.ts';
import type { AnswerCache } from '../../platform/answer-cache.ts';
import type { Db } from '../../platform/database/database.ts';
import type { EndpointId, EventId, RecordingId } from '../../platform/database/tables.generated.ts';
import { timeOfRowId } from '../../platform/ids.ts';
import { laterBy } from '../../publishers/publisher-time.ts';
import { countDisputes } from '../../settlement/gates/count-disputes.ts';
import { countEndingClearances } from '../../settlement/gates/ending-clearances.ts';
import { type Due, findDue } from '../../settlement/payouts/read/find-due.ts';
import { readLastVerdict } from '../../settlement/verify/jobs/read-last-verdict.ts';
import { readHealth } from '../../webhooks/endpoints/read-health.ts';
import { readOverdue } from '../../webhooks/endpoints/read-overdue.ts';
import { shownReason, switchedOffByHand } from '../../webhooks/endpoints/switch-endpoint.ts';
import { findErasures, type RequestedErasure } from './find-erasures.ts';
import { findOverdue, type OverduePayout } from './find-overdue.ts';

export interface Attention {
  endpoints: {
    endpointId: EndpointId;
    failingSince: Date | null;
    disabledReason: string | null;
    /** Time at which the oldest overdue delivery should have been attempted; null if none is overdue. */
    overdueSince: Date | null;
    /** True if a person turned the endpoint off, so that being off is no failure. */
    isOffByTeam: boolean;
    /** Newest event whose last attempt failed; null if there is none among the latest 50 deliveries. */
    lastFailedEventId: EventId | null;
  }[];
  /** Recording time of the oldest unposted purchase; null if there are none. */
  unpostedSince: Date | null;
  /** Groups and currencies in which at least one member is due a payout. */
  due: Due[];
  /** Planned payouts that weren't created in time, earliest first. */
  overdue: OverduePayout[];
  /** Number of payouts that have been created but not paid. */
  unpaidPayouts: number;
  /** Sums of these payouts, by currency. */
  unpaidTotals: CurrencyTotal[];
  /** Number of payout lines that failed or were returned and whose amounts are waiting for the next payout. */
  returnedLines: number;
  /** Sums of these lines, by currency. */
  returnedTotals: CurrencyTotal[];
  /** Number of payout methods that are waiting for a second person. */
  waitingPayees: number;
  /** Number of creators who took back a change of their payout method, and whose payouts wait for the staff. */
  disputedPayees: number;
  /** Number of creators whose tax clearance ends within 30 days. */
  endingClearances: number;
  applicants: { groupId: string; memberCount: number }[];
  /** Creators who requested their erasure in the portal, at most 20. */
  erasures: RequestedErasure[];
  /** Time of the last ledger verification if it found a difference; otherwise null. */
  ledgerUnsoundSince: Date | null;
  /** Number of channels that the service disabled because sending to them failed. */
  disabledChannels: number;
}

interface CurrencyTotal {
  currency: string;
  totalMinor: bigint;
}

interface AttentionQuery {
  publisherId: string;
  groupIds: readonly string[];
  /** Current time on the service's clock. */
  now: Date;
  /** Milliseconds by which the publisher's clock is ahead of the service's. */
  aheadMs: number;
}

/** Maximum length of each list and maximum value of each count. A count equal to this means "at least this many". */
export const maxShown = 250;

/**
 * Finds the items that need the staff's attention. Each part reads a few index entries, except for `due`, which is
 * cached and shared by all callers for publishers with thousands of members.
 */
export async function findAttention(
  { db, dues }: { db: Db; dues: AnswerCache<Attention['due']> },
  { publisherId, groupIds, now, aheadMs }: AttentionQuery,
): Promise<Attention> {
  const [
    endpoints,
    oldest,
    due,
    payouts,
    returned,
    applicants,
    verdict,
    channels,
    payees,
    ending,
    disputes,
    erasures,
  ] = await Promise.all([
    failingEndpoints(db, publisherId, now),
    db
      .selectFrom('unposted')
      .select('recording_id')
      .where('publisher_id', '=', publisherId)
      .orderBy('recording_id')
      .limit(1)
      .executeTakeFirst(),
    dues.get([publisherId, groupIds, aheadMs], () =>
      findDue(db, { publisherId, groupIds, now: laterBy(now, aheadMs) }),
    ),
    db
      .selectFrom('payout_batch')
      .select(['currency', countAll, sql<string>`sum(total_minor)`.as('total_minor')])
      .where('publisher_id', '=', publisherId)
      .where(sql<boolean>`group_id = any(${[...groupIds]}::text[])`)
      .where('status', 'in', ['Preparing', 'Created'])
      .groupBy('currency')
      .orderBy('currency')
      .execute(),
    db
      .selectFrom('payout_return')
      .select(['currency', countAll, sql<string>`sum(amount_minor)`.as('total_minor')])
      .where('publisher_id', '=', publisherId)
      .where(sql<boolean>`group_id = any(${[...groupIds]}::text[])`)
      .where('payout_batch_id', 'is', null)
      .groupBy('currency')
      .orderBy('currency')
      .execute(),
    findApplicants(db, publisherId, groupIds),
    readLastVerdict(db, publisherId),
    db
      .selectFrom('notification_channel')
      .select(({ fn }) => fn.countAll<bigint>().as('n'))
      .where('publisher_id', '=', publisherId)
      .where('disabled_reason', 'is not', null)
      .executeTakeFirst(),
    db
      .selectFrom('payee_method')
      .select(({ fn }) => fn.countAll<bigint>().as('n'))
      .where('publisher_id', '=', publisherId)
      .where('approved_at', 'is', null)
      .where('ended_at', 'is', null)
      .executeTakeFirst(),
    countEndingClearances(db, { publisherId, clockAt: laterBy(now, aheadMs), max: maxShown }),
    countDisputes(db, { publisherId, clockAt: laterBy(now, aheadMs), max: maxShown }),
    findErasures(db, publisherId, groupIds),
  ]);
  return {
    endpoints,
    unpostedSince: oldest === undefined ? null : timeOfRowId(oldest.recording_id as RecordingId),
    due,
    overdue: await findOverdue({ db, dues }, { publisherId, due, now: laterBy(now, aheadMs) }),
    unpaidPayouts: countOf(payouts),
    unpaidTotals: totalsOf(payouts),
    returnedLines: countOf(returned),
    returnedTotals: totalsOf(returned),
    waitingPayees: Number(payees?.n ?? 0),
    disputedPayees: disputes,
    endingClearances: ending,
    applicants,
    erasures,
    ledgerUnsoundSince: verdict?.isSound === false ? verdict.endedAt : null,
    disabledChannels: Number(channels?.n ?? 0),
  };
}

/** Finds endpoints that fail, are off, or get their events late. */
async function failingEndpoints(db: Db, publisherId: string, now: Date): Promise<Attention['endpoints']> {
  const overdue = await readOverdue(db, publisherId, now);
  const rows = await db
    .selectFrom('webhook_endpoint')
    .select(['endpoint_id', 'failing_since', 'disabled_reason'])
    .where('publisher_id', '=', publisherId)
    .where((eb) =>
      eb.or([
        eb('failing_since', 'is not', null),
        eb('disabled_reason', 'is not', null),
        sql<boolean>`endpoint_id = any(${[...overdue.keys()]}::text[])`,
      ]),
    )
    .orderBy('failing_since')
    .limit(maxShown)
    .execute();
  if (rows.length === 0) return [];
  const health = await readHealth(db, publisherId);
  return rows.map((row) => ({
    endpointId: row.endpoint_id,
    failingSince: row.failing_since,
    disabledReason: shownReason(row.disabled_reason),
    overdueSince: overdue.get(row.endpoint_id) ?? null,
    isOffByTeam: row.disabled_reason === switchedOffByHand,
    lastFailedEventId: health.get(row.endpoint_id)?.lastFailedEventId ?? null,
  }));
}

async function findApplicants(
  db: Db,
  publisherId: string,
  groupIds: readonly string[],
): Promise<Attention['applicants']> {
  const { rows } = await sql<{ group_id: string; n: bigint }>`
    select one.group_id, pending.n
    from unnest(${[...groupIds]}::text[]) as one (group_id)
    cross join lateral (
      select count(*) as n
      from (
        select 1
        from membership m
        where m.publisher_id = ${publisherId} and m.group_id = one.group_id and m.status = 'Pending' and ${stands('m')}
        limit ${maxShown}
      ) waiting
    ) pending
    where pending.n > 0
    order by one.group_id`.execute(db);
  return rows.map((row) => ({ groupId: row.group_id, memberCount: Number(row.n) }));
}

const countAll = sql<bigint>`count(*)`.as('n');

interface SumRow {
  currency: string;
  n: bigint;
  total_minor: string;
}

const countOf = (rows: readonly SumRow[]): number => rows.reduce((count, { n }) => count + Number(n), 0);

const totalsOf = (rows: readonly SumRow[]): CurrencyTotal[] =>
  rows.map(({ currency, total_minor }) => ({ currency, totalMinor: BigInt(total_minor) }));
