import { sql } from 'kysely';
import { differences } from '../../audit/differences.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import { liveOf } from '../../publishers/sandboxes.ts';
import { foldCode } from '../read/resolve-codes.ts';
import type { MemberChanges } from './member-changes.ts';
import type { CodeInput } from './member-input.ts';

export interface CodeOwner {
  publisherId: string;
  groupId: string;
  accountId: AccountId;
  membershipId: MembershipId;
  changes: MemberChanges;
}

interface CodeFacts {
  /** Code in the member's spelling. */
  code: string;
  primary: boolean;
  generated: boolean;
  managed: boolean;
  approved: boolean;
  readonly [name: string]: unknown;
}

interface CodeRow {
  owner: string;
  code: string;
  is_primary: boolean;
  is_generated: boolean;
  is_managed: boolean;
  is_approved: boolean;
}

/**
 * Adds a code to a member, or updates the parts that the input specifies. Part of `putMember`. With a group, the code
 * belongs to the membership. Without one, it belongs to the account and applies in all of the account's groups.
 * @throws Refusal Conflict if the code belongs to another member
 */
export async function putCode(tx: ProgramTx, owner: CodeOwner, input: CodeInput): Promise<void> {
  const { group, code, primary, generated, managed, approved } = input;
  if (group !== undefined && group !== owner.groupId)
    throw new Refusal(
      'InvalidInput',
      `must be ${owner.groupId}, the member's group; add the code to the member in group ${group}`,
      { path: ['group'] },
    );
  const isGlobal = group === undefined;
  const folded = foldCode(code);
  const row = isGlobal ? await readGlobalCode(tx, folded) : await readGroupCode(tx, owner, folded);
  if (row !== null && row.owner !== (isGlobal ? owner.accountId : owner.membershipId)) throw codeTaken(code);
  const change = differences<CodeFacts>(row === null ? { code, ...asNew } : factsOf(row), {
    code,
    primary,
    generated,
    managed,
    approved,
  });
  if (row !== null && change === null) return;
  const written: CodeToWrite = {
    folded,
    isNew: row === null,
    columns: columnsOf({ code, ...change?.after }),
  };
  if (isGlobal) await writeGlobalCode(tx, owner, written);
  else await writeGroupCode(tx, owner, written);
  const before = row === null ? null : (change?.before ?? {});
  owner.changes.addCode(code, before, { ...(!isGlobal && { group }), ...change?.after }, isGlobal);
}

const asNew = { primary: false, generated: false, managed: false, approved: true };

const factsOf = (row: CodeRow): CodeFacts => ({
  code: row.code,
  primary: row.is_primary,
  generated: row.is_generated,
  managed: row.is_managed,
  approved: row.is_approved,
});

const columnsOf = ({
  code,
  primary,
  generated,
  managed,
  approved,
}: Partial<CodeFacts> & { code: string }) => ({
  code,
  ...(primary !== undefined && { is_primary: primary }),
  ...(generated !== undefined && { is_generated: generated }),
  ...(managed !== undefined && { is_managed: managed }),
  ...(approved !== undefined && { is_approved: approved }),
});

interface CodeToWrite {
  folded: string;
  isNew: boolean;
  columns: ReturnType<typeof columnsOf>;
}

async function readGlobalCode(tx: ProgramTx, folded: string): Promise<CodeRow | null> {
  const { rows } = await sql<CodeRow>`
    select account_id as owner, code, is_primary, is_generated, is_managed, is_approved
    from global_code
    where code_folded = ${folded}
    for update`.execute(tx);
  return rows[0] ?? null;
}

async function readGroupCode(
  tx: ProgramTx,
  { publisherId, groupId }: CodeOwner,
  folded: string,
): Promise<CodeRow | null> {
  const { rows } = await sql<CodeRow>`
    select membership_id as owner, code, is_primary, is_generated, is_managed, is_approved
    from group_code
    where publisher_id = ${publisherId} and group_id = ${groupId} and code_folded = ${folded}`.execute(tx);
  return rows[0] ?? null;
}

/** Writes a global code. If it is primary, demotes the previous primary code. */
async function writeGlobalCode(
  tx: ProgramTx,
  { publisherId, accountId, changes }: CodeOwner,
  { folded, isNew, columns }: CodeToWrite,
): Promise<void> {
  if (columns.is_primary === true) {
    const { rows } = await sql<{ code: string }>`
      update global_code set is_primary = false where account_id = ${accountId} and is_primary returning code`.execute(
      tx,
    );
    for (const { code } of rows) changes.addCode(code, { primary: true }, { primary: false }, true);
  }
  if (!isNew) {
    await tx.updateTable('global_code').set(columns).where('code_folded', '=', folded).execute();
    return;
  }
  if ((await liveOf(tx, publisherId)) !== null)
    throw new Refusal(
      'Conflict',
      'A sandbox can only have group codes, because global codes are unique across all publishers, including live ones. Set the group.',
      { path: ['group'] },
    );
  // Another publisher may be adding the same code concurrently.
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('global_code')
    .values({ code_folded: folded, account_id: accountId, ...columns })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw codeTaken(columns.code);
}

/** Writes a group code. If it is primary, demotes the previous primary code. */
async function writeGroupCode(
  tx: ProgramTx,
  { publisherId, groupId, membershipId, changes }: CodeOwner,
  { folded, isNew, columns }: CodeToWrite,
): Promise<void> {
  if (columns.is_primary === true) {
    const { rows } = await sql<{ code: string }>`
      update group_code
      set is_primary = false
      where publisher_id = ${publisherId} and membership_id = ${membershipId}::uuid and is_primary
      returning code`.execute(tx);
    for (const { code } of rows) changes.addCode(code, { primary: true }, { primary: false }, false);
  }
  if (isNew)
    await tx
      .insertInto('group_code')
      .values({
        publisher_id: publisherId,
        group_id: groupId,
        code_folded: folded,
        membership_id: membershipId,
        ...columns,
      })
      .execute();
  else
    await tx
      .updateTable('group_code')
      .set(columns)
      .where('publisher_id', '=', publisherId)
      .where('group_id', '=', groupId)
      .where('code_folded', '=', folded)
      .execute();
}

export const codeTaken = (code: string): Refusal =>
  new Refusal('Conflict', `the code ${code} belongs to another member; choose another code`, {
    path: ['code'],
  });
