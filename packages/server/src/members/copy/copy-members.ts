import { sql } from 'kysely';
import type { MembershipId } from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import { newAccountIds } from './new-account-ids.ts';
import type { MemberToCopy } from './read-members-to-copy.ts';

const rowsAtOnce = 1_000;

/**
 * Copies members to a publisher that doesn't have any. Each copy has its own account, which that publisher owns.
 * Accounts, global codes and provider identities are shared by all publishers, so copies only have group codes and no
 * identities.
 * @returns the new memberships by the memberships they were copied from
 */
export async function copyMembers(
  tx: ProgramTx,
  publisherId: string,
  members: readonly MemberToCopy[],
): Promise<ReadonlyMap<MembershipId, MembershipId>> {
  const accounts = new Map(members.map((member) => [member.accountId, member]));
  const ids = await newAccountIds(tx, publisherId, [...accounts.keys()]);
  const copies = members.map((member) => ({
    ...member,
    accountId: ids.get(member.accountId) ?? member.accountId,
    membershipId: newRowId<MembershipId>(),
  }));
  const byAccount = new Map(copies.map((copy) => [copy.accountId, copy]));
  for (const batch of batches([...byAccount.values()])) await insertAccounts(tx, publisherId, batch);
  for (const batch of batches(copies)) await insertMemberships(tx, publisherId, batch);
  for (const batch of batches(copies.flatMap(codesOf))) await insertCodes(tx, publisherId, batch);
  return new Map(
    members.flatMap(({ membershipId }, index) => {
      const copied = copies[index];
      return copied === undefined ? [] : [[membershipId, copied.membershipId]];
    }),
  );
}

/**
 * Returns a column's values for `unnest`. A statement with thousands of parameters would take several times as long.
 */
const column = <Row, Name extends keyof Row>(rows: readonly Row[], name: Name): Row[Name][] =>
  rows.map((row) => row[name]);

async function insertAccounts(
  tx: ProgramTx,
  publisherId: string,
  rows: readonly MemberToCopy[],
): Promise<void> {
  await sql`
    insert into creator_account (account_id, owner_publisher_id, name, logo_image, profile_image)
    select account_id, ${publisherId}, name, logo_image, profile_image
    from unnest(
      ${column(rows, 'accountId')}::text[], ${column(rows, 'name')}::text[], ${column(rows, 'logoImage')}::text[],
      ${column(rows, 'profileImage')}::text[]
    ) as c (account_id, name, logo_image, profile_image)`.execute(tx);
}

async function insertMemberships(
  tx: ProgramTx,
  publisherId: string,
  rows: readonly MemberToCopy[],
): Promise<void> {
  await sql`
    insert into membership (publisher_id, membership_id, group_id, account_id, player_id, player_metadata, status,
                            is_visible, tier_id, removed_at, removal_reason)
    select ${publisherId}, membership_id, group_id, account_id, player_id, player_metadata::json, status, is_visible,
           tier_id, removed_at, removal_reason
    from unnest(
      ${column(rows, 'membershipId')}::uuid[], ${column(rows, 'groupId')}::text[], ${column(rows, 'accountId')}::text[],
      ${column(rows, 'playerId')}::text[], ${column(rows, 'playerMetadata')}::text[], ${column(rows, 'status')}::text[],
      ${column(rows, 'isVisible')}::boolean[], ${column(rows, 'tierId')}::uuid[],
      ${column(rows, 'removedAt')}::timestamptz[], ${column(rows, 'removalReason')}::text[]
    ) as c (membership_id, group_id, account_id, player_id, player_metadata, status, is_visible, tier_id, removed_at,
            removal_reason)`.execute(tx);
}

type CopiedCode = ReturnType<typeof codesOf>[number];

function codesOf({ groupId, membershipId, codes }: MemberToCopy) {
  // The group's own primary code takes precedence over the account's.
  const primary = codes.find(({ isPrimary }) => isPrimary);
  return codes.map((code) => ({ ...code, groupId, membershipId, isPrimary: code === primary }));
}

async function insertCodes(tx: ProgramTx, publisherId: string, rows: readonly CopiedCode[]): Promise<void> {
  await sql`
    insert into group_code (publisher_id, group_id, membership_id, code, code_folded, is_primary, is_generated,
                            is_managed, is_approved)
    select ${publisherId}, group_id, membership_id, code, code_folded, is_primary, is_generated, is_managed, is_approved
    from unnest(
      ${column(rows, 'groupId')}::text[], ${column(rows, 'membershipId')}::uuid[], ${column(rows, 'code')}::text[],
      ${column(rows, 'folded')}::text[], ${column(rows, 'isPrimary')}::boolean[], ${column(rows, 'isGenerated')}::boolean[],
      ${column(rows, 'isManaged')}::boolean[], ${column(rows, 'isApproved')}::boolean[]
    ) as c (group_id, membership_id, code, code_folded, is_primary, is_generated, is_managed, is_approved)`.execute(
    tx,
  );
}

function* batches<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += rowsAtOnce) yield items.slice(start, start + rowsAtOnce);
}
