import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import type { MemberStatus } from '../lock-members.ts';
import { mergedInto, stands } from '../standing.ts';
import { type CodeRefusal, globalCodeRefusal, groupCodeRefusal } from './code-refusals.ts';

/** Standing membership of one of a creator's accounts. */
export interface OwnMembership {
  membershipId: MembershipId;
  accountId: AccountId;
  accountName: string;
  groupId: string;
  groupName: string;
  status: MemberStatus;
}

/** Returns the standing memberships of accounts at a publisher, the default group's first. */
export async function listOwnMemberships(
  db: Db,
  publisherId: string,
  accountIds: readonly AccountId[],
): Promise<OwnMembership[]> {
  if (accountIds.length === 0) return [];
  const { rows } = await sql<{
    membership_id: MembershipId;
    account_id: AccountId;
    account_name: string;
    group_id: string;
    group_name: string;
    status: MemberStatus;
  }>`
    select m.membership_id, m.account_id, a.name as account_name, m.group_id, g.name as group_name, m.status
    from membership m
    join creator_account a on a.account_id = m.account_id
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = m.group_id
    where m.publisher_id = ${publisherId} and m.account_id = any(${[...accountIds]}::text[]) and ${stands('m')}
    order by g.is_default desc, m.group_id, m.account_id`.execute(db);
  return rows.map((row) => ({
    membershipId: row.membership_id,
    accountId: row.account_id,
    accountName: row.account_name,
    groupId: row.group_id,
    groupName: row.group_name,
    status: row.status,
  }));
}

/** Code of one of a creator's memberships. */
export interface OwnCode {
  membershipId: MembershipId;
  code: string;
  scope: 'group' | 'global';
  isPrimary: boolean;
  since: Date;
  /** Reason purchases with the code aren't credited; null if they are. */
  refusedFor: CodeRefusal | null;
}

/** Returns the codes of memberships; a global code once for each membership of its account. Primary codes come first. */
export async function listOwnCodes(
  db: Db,
  publisherId: string,
  membershipIds: readonly MembershipId[],
): Promise<OwnCode[]> {
  if (membershipIds.length === 0) return [];
  const { rows } = await sql<{
    membership_id: MembershipId;
    code: string;
    is_global: boolean;
    is_primary: boolean;
    created_at: Date;
    refused_for: CodeRefusal | null;
  }>`
    select own.membership_id, own.code, false as is_global, own.is_primary, own.created_at, ${groupCodeRefusal} as refused_for
    from membership m
    join group_code own on own.publisher_id = ${publisherId} and own.membership_id = m.membership_id
    where m.publisher_id = ${publisherId} and m.membership_id = any(${[...membershipIds]}::uuid[])
    union all
    select m.membership_id, c.code, true,
           c.is_primary and not exists (
             select 1
             from group_code own
             where own.publisher_id = ${publisherId} and own.membership_id = m.membership_id and own.is_primary),
           c.created_at, ${globalCodeRefusal(publisherId)}
    from membership m
    join global_code c on c.account_id = m.account_id
    where m.publisher_id = ${publisherId} and m.membership_id = any(${[...membershipIds]}::uuid[])
    order by 4 desc, 5, 2, 3`.execute(db);
  return rows.map((row) => ({
    membershipId: row.membership_id,
    code: row.code,
    scope: row.is_global ? 'global' : 'group',
    isPrimary: row.is_primary,
    since: row.created_at,
    refusedFor: row.refused_for,
  }));
}

/** Memberships that hold a creator's history, each with the standing one. */
export type OwnHistory = ReadonlyMap<MembershipId, OwnMembership>;

/** Reads the memberships of a creator's accounts at a publisher, and those that were merged into them. */
export async function readOwnHistory(
  db: Db,
  publisherId: string,
  accountIds: readonly AccountId[],
): Promise<OwnHistory> {
  const memberships = await listOwnMemberships(db, publisherId, accountIds);
  const own = new Map(memberships.map((membership) => [membership.membershipId, membership]));
  if (own.size === 0) return own;
  const { rows } = await sql<{ membership_id: MembershipId; standing_id: MembershipId }>`
    select merged.membership_id, ${mergedInto('merged')} as standing_id
    from membership merged
    where merged.publisher_id = ${publisherId} and ${mergedInto('merged')} = any(${[...own.keys()]}::uuid[])`.execute(
    db,
  );
  for (const { membership_id, standing_id } of rows) {
    const into = own.get(standing_id);
    if (into !== undefined) own.set(membership_id, into);
  }
  return own;
}
