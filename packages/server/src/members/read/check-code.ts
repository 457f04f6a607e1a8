import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import type { MemberStatus } from '../lock-members.ts';
import { stands } from '../standing.ts';
import { type CodeHolder, type CodeVerdict, isCode, judgeCode } from './judge-code.ts';
import { foldCode } from './resolve-codes.ts';

export interface CheckedCode extends CodeVerdict {
  /** Code as typed. */
  code: string;
  groupId: string;
  groupName: string;
  /** All of the publisher's members with the code in any group, starting with this group's members. */
  holders: CodeHolder[];
}

/**
 * Explains why a code credits a member in a group, or why a purchase with the code is rejected. A code whose creator
 * isn't a member of any of the publisher's groups is treated as unknown.
 * @param code as typed
 */
export async function checkCode(
  db: Db | Tx,
  { publisherId, group }: { publisherId: string; group: { groupId: string; name: string } },
  code: string,
): Promise<CheckedCode> {
  const found = isCode(code) ? await readHolders(db, publisherId, code) : [];
  const rank = (holder: CodeHolder): number =>
    (holder.groupId === group.groupId ? 0 : 2) + (holder.scope === 'group' ? 0 : 1);
  const holders = found.sort((one, other) => rank(one) - rank(other));
  const { groupId, name } = group;
  return { code, groupId, groupName: name, holders, ...judgeCode({ code, group, holders }) };
}

interface HolderRow {
  code: string;
  is_global: boolean;
  is_approved: boolean;
  account_id: AccountId;
  name: string;
  group_id: string;
  group_name: string;
  status: MemberStatus;
  removed_at: Date | null;
  removal_reason: string | null;
}

async function readHolders(db: Db | Tx, publisherId: string, code: string): Promise<CodeHolder[]> {
  const folded = foldCode(code);
  const { rows } = await sql<HolderRow>`
    select found.code, found.is_global, found.is_approved, m.account_id, a.name, m.group_id, g.name as group_name,
           m.status, m.removed_at, m.removal_reason
    from (
      select own.code, own.is_approved, own.membership_id, false as is_global
      from creator_group g
      join group_code own on own.publisher_id = ${publisherId} and own.group_id = g.group_id and own.code_folded = ${folded}
      where g.publisher_id = ${publisherId}
      union all
      select c.code, c.is_approved, m.membership_id, true
      from global_code c
      join membership m on m.publisher_id = ${publisherId} and m.account_id = c.account_id
      where c.code_folded = ${folded} and ${stands('m')}
    ) found
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = found.membership_id
    join creator_account a on a.account_id = m.account_id
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = m.group_id
    order by m.group_id, found.is_global, m.membership_id`.execute(db);
  return rows.map((row) => ({
    memberId: row.account_id,
    name: row.name,
    groupId: row.group_id,
    groupName: row.group_name,
    scope: row.is_global ? 'global' : 'group',
    code: row.code,
    isCodeApproved: row.is_approved,
    status: row.status,
    removedAt: row.removed_at,
    removalReason: row.removal_reason,
  }));
}
