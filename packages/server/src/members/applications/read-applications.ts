import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';

/** Days after which an undecided application ends. */
export const daysToDecide = 30;
/** Days after a refusal or a removal before a creator can apply to the group again. */
export const daysToApplyAgain = 30;
const dayMs = 86_400_000;

export const applicationStates = ['Open', 'Approved', 'Refused', 'Expired'] as const;
export type ApplicationState = (typeof applicationStates)[number];

/** Latest application of a membership. */
export interface Application {
  membershipId: MembershipId;
  groupId: string;
  groupName: string;
  state: ApplicationState;
  /** Code that the applicant wants; null after an erasure. */
  code: string | null;
  appliedAt: Date;
  expiresAt: Date;
  decidedAt: Date | null;
  /** Reason for a refusal. */
  reason: string | null;
  terms: { version: number; sha256: string };
}

interface Row {
  membership_id: MembershipId;
  group_id: string;
  group_name: string;
  decision: Exclude<ApplicationState, 'Open'> | null;
  code: string | null;
  applied_at: Date;
  expires_at: Date;
  decided_at: Date | null;
  reason: string | null;
  terms_version: number;
  sha256: string;
}

/** Returns the time at which an application ends if no one decides it. */
export const endOfApplication = (appliedAt: Date): Date =>
  new Date(appliedAt.getTime() + daysToDecide * dayMs);

/** Returns the latest application of each membership of accounts at a publisher, the newest first. */
export async function readApplicationsOf(
  db: Db | Tx,
  publisherId: string,
  accountIds: readonly AccountId[],
): Promise<Application[]> {
  if (accountIds.length === 0) return [];
  const { rows } = await sql<Row>`
    select m.membership_id, m.group_id, g.name as group_name, a.decision, a.code, a.applied_at, a.expires_at, a.decided_at,
           a.reason, a.terms_version, t.sha256
    from membership m
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = m.group_id
    cross join lateral (
      select decision, code, applied_at, expires_at, decided_at, reason, terms_version
      from creator_application
      where publisher_id = ${publisherId} and membership_id = m.membership_id
      order by applied_at desc, application_id desc
      limit 1
    ) a
    join group_terms t
      on t.publisher_id = ${publisherId} and t.group_id = m.group_id and t.version = a.terms_version
    where m.publisher_id = ${publisherId} and m.account_id = any(${[...accountIds]}::text[])
    order by a.applied_at desc, m.membership_id`.execute(db);
  return rows.map((row) => ({
    membershipId: row.membership_id,
    groupId: row.group_id,
    groupName: row.group_name,
    state: row.decision ?? 'Open',
    code: row.code,
    appliedAt: row.applied_at,
    expiresAt: row.expires_at,
    decidedAt: row.decided_at,
    reason: row.reason,
    terms: { version: row.terms_version, sha256: row.sha256 },
  }));
}

/** Counts a group's undecided applications. */
export async function countOpenApplications(
  db: Db | Tx,
  { publisherId, groupId }: { publisherId: string; groupId: string },
): Promise<number> {
  const { count } = await db
    .selectFrom('creator_application')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .where('decided_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Returns the time from which a creator whose memberships in a group have ended can apply to it again; null for at once.
 * @param removals times at which the memberships ended
 * @param latest latest application to the group
 */
export function mayApplyAgainAt(
  removals: readonly Date[],
  latest: Pick<Application, 'state'> | undefined,
): Date | null {
  // No one refused an application that expired.
  if (removals.length === 0 || latest?.state === 'Expired') return null;
  const last = Math.max(...removals.map((each) => each.getTime()));
  return new Date(last + daysToApplyAgain * dayMs);
}
