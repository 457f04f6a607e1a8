import { sql } from 'kysely';
import { stands } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import type { EndpointId, RecordingId } from '../../platform/database/tables.generated.ts';
import { timeOfRowId } from '../../platform/ids.ts';
import type { KeptAnswers, Weighed } from '../../platform/kept-answers.ts';

export interface Attention {
  endpoints: { endpointId: EndpointId; failingSince: Date | null; disabledReason: string | null }[];
  /** When the oldest purchase was recorded that does not count yet; null where none waits. */
  unpostedSince: Date | null;
  /** Groups and currencies in which somebody could be paid now. */
  due: { groupId: string; currency: string; memberCount: number }[];
  /** Payouts that were made and not paid. */
  unpaidPayouts: number;
  applicants: { groupId: string; memberCount: number }[];
}

/** Nobody reads more; a count that reaches it means "at least". */
export const mostShown = 250;

/**
 * What somebody should look at, each part from a few entries of an index, but for who could be paid: of thousands of
 * members that is shared by everybody who asks.
 */
export async function findAttention(
  { db, dues }: { db: Db; dues: KeptAnswers<Attention['due']> },
  { publisherId, groupIds, now }: { publisherId: string; groupIds: readonly string[]; now: Date },
): Promise<Attention> {
  const [endpoints, oldest, due, payouts, applicants] = await Promise.all([
    failingEndpoints(db, publisherId),
    db
      .selectFrom('unposted')
      .select('recording_id')
      .where('publisher_id', '=', publisherId)
      .orderBy('recording_id')
      .limit(1)
      .executeTakeFirst(),
    dues.ask([publisherId, groupIds], () => findDue(db, publisherId, groupIds, now)),
    db
      .selectFrom('payout_batch')
      .select(({ fn }) => fn.countAll<bigint>().as('n'))
      .where('publisher_id', '=', publisherId)
      .where(sql<boolean>`group_id = any(${[...groupIds]}::text[])`)
      .where('status', 'in', ['Preparing', 'Created'])
      .executeTakeFirst(),
    findApplicants(db, publisherId, groupIds),
  ]);
  return {
    endpoints,
    unpostedSince: oldest === undefined ? null : timeOfRowId(oldest.recording_id as RecordingId),
    due,
    unpaidPayouts: Number(payouts?.n ?? 0),
    applicants,
  };
}

async function failingEndpoints(db: Db, publisherId: string): Promise<Attention['endpoints']> {
  const rows = await db
    .selectFrom('webhook_endpoint')
    .select(['endpoint_id', 'failing_since', 'disabled_reason'])
    .where('publisher_id', '=', publisherId)
    .where((eb) => eb.or([eb('failing_since', 'is not', null), eb('disabled_reason', 'is not', null)]))
    .orderBy('failing_since')
    .limit(mostShown)
    .execute();
  return rows.map((row) => ({
    endpointId: row.endpoint_id,
    failingSince: row.failing_since,
    disabledReason: row.disabled_reason,
  }));
}

/** Members whose oldest unpaid row is out of the hold period, with as much as is paid at least: a preview says exactly. */
async function findDue(
  db: Db,
  publisherId: string,
  groupIds: readonly string[],
  now: Date,
): Promise<Weighed<Attention['due']>> {
  const { rows } = await sql<{ group_id: string; currency: string; n: bigint }>`
    select m.group_id, b.currency, count(*) as n
    from member_balance b
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = b.membership_id
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = m.group_id
    where b.publisher_id = ${publisherId} and b.balance_minor > 0 and ${stands('m')}
      and g.group_id = any(${[...groupIds]}::text[])
      and b.unpaid_from <= ${now}::timestamptz - make_interval(days => g.hold_days)
      and b.balance_minor >= coalesce(g.payout_minimums ->> b.currency, '0')::numeric
    group by 1, 2
    order by 1, 2`.execute(db);
  const answer = rows.map((row) => ({
    groupId: row.group_id,
    currency: row.currency,
    memberCount: Number(row.n),
  }));
  return { answer, weight: answer.reduce((sum, { memberCount }) => sum + memberCount, 0) };
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
        limit ${mostShown}
      ) waiting
    ) pending
    where pending.n > 0
    order by one.group_id`.execute(db);
  return rows.map((row) => ({ groupId: row.group_id, memberCount: Number(row.n) }));
}
