import { sql } from 'kysely';
import { stands } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import type { EndpointId, RecordingId } from '../../platform/database/tables.generated.ts';
import { timeOfRowId } from '../../platform/ids.ts';
import type { KeptAnswers } from '../../platform/kept-answers.ts';
import { laterBy } from '../../publishers/publisher-time.ts';
import { type Due, findDue } from '../../settlement/payouts/read/find-due.ts';

export interface Attention {
  endpoints: { endpointId: EndpointId; failingSince: Date | null; disabledReason: string | null }[];
  /** When the oldest purchase was recorded that does not count yet; null where none waits. */
  unpostedSince: Date | null;
  /** Where somebody could be paid now. */
  due: Due[];
  /** Payouts that were made and not paid. */
  unpaidPayouts: number;
  applicants: { groupId: string; memberCount: number }[];
}

interface AskedAttention {
  publisherId: string;
  groupIds: readonly string[];
  /** By the service's clock. */
  now: Date;
  /** By how much the publisher's is ahead of it. */
  aheadMs: number;
}

/** Nobody reads more; a count that reaches it means "at least". */
export const maxShown = 250;

/**
 * What somebody should look at, each part from a few entries of an index, but for who could be paid: of thousands of
 * members that is shared by everybody who asks.
 */
export async function findAttention(
  { db, dues }: { db: Db; dues: KeptAnswers<Attention['due']> },
  { publisherId, groupIds, now, aheadMs }: AskedAttention,
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
    dues.ask([publisherId, groupIds, aheadMs], () =>
      findDue(db, { publisherId, groupIds, now: laterBy(now, aheadMs) }),
    ),
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
    .limit(maxShown)
    .execute();
  return rows.map((row) => ({
    endpointId: row.endpoint_id,
    failingSince: row.failing_since,
    disabledReason: row.disabled_reason,
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
