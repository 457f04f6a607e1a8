import { sql } from 'kysely';
import { differences } from '../../audit/differences.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import { liveOf } from '../../publishers/sandboxes.ts';
import { foldCode } from '../read/resolve-codes.ts';
import type { MemberChanges } from './member-changes.ts';
import type { CodeInput } from './member-input.ts';

export interface CodePlace {
  publisherId: string;
  groupId: string;
  accountId: AccountId;
  membershipId: MembershipId;
  changes: MemberChanges;
}

interface CodeFacts {
  /** In the member's own spelling. */
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
 * Gives a member a code, or changes what is named of it, as a part of `putMember`. With a group the code is the
 * membership's alone; without, the account's in all of its groups.
 * @throws Refusal Conflict for another member's code
 */
export async function putCode(tx: ProgramTx, place: CodePlace, input: CodeInput): Promise<void> {
  const { group, code, primary, generated, managed, approved } = input;
  if (group !== undefined && group !== place.groupId)
    throw new Refusal(
      'InvalidInput',
      `stands under group ${place.groupId}; name the code where group ${group} names the member`,
      { path: ['group'] },
    );
  const isGlobal = group === undefined;
  const folded = foldCode(code);
  const row = isGlobal ? await readGlobalCode(tx, folded) : await readGroupCode(tx, place, folded);
  if (row !== null && row.owner !== (isGlobal ? place.accountId : place.membershipId)) throw codeTaken(code);
  const change = differences<CodeFacts>(row === null ? { code, ...asNew } : factsOf(row), {
    code,
    primary,
    generated,
    managed,
    approved,
  });
  if (row !== null && change === null) return;
  const said: SaidCode = { folded, isNew: row === null, columns: columnsOf({ code, ...change?.after }) };
  if (isGlobal) await writeGlobalCode(tx, place, said);
  else await writeGroupCode(tx, place, said);
  const before = row === null ? null : (change?.before ?? {});
  place.changes.ofCode(code, before, { ...(!isGlobal && { group }), ...change?.after }, isGlobal);
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

interface SaidCode {
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
  { publisherId, groupId }: CodePlace,
  folded: string,
): Promise<CodeRow | null> {
  const { rows } = await sql<CodeRow>`
    select membership_id as owner, code, is_primary, is_generated, is_managed, is_approved
    from group_code
    where publisher_id = ${publisherId} and group_id = ${groupId} and code_folded = ${folded}`.execute(tx);
  return rows[0] ?? null;
}

/** The primary code before stops being it. */
async function writeGlobalCode(
  tx: ProgramTx,
  { publisherId, accountId, changes }: CodePlace,
  { folded, isNew, columns }: SaidCode,
): Promise<void> {
  if (columns.is_primary === true) {
    const { rows } = await sql<{ code: string }>`
      update global_code set is_primary = false where account_id = ${accountId} and is_primary returning code`.execute(
      tx,
    );
    for (const { code } of rows) changes.ofCode(code, { primary: true }, { primary: false }, true);
  }
  if (!isNew) {
    await tx.updateTable('global_code').set(columns).where('code_folded', '=', folded).execute();
    return;
  }
  if ((await liveOf(tx, publisherId)) !== null)
    throw new Refusal(
      'Conflict',
      'In a sandbox a code is good in one group: those for all groups are taken at every publisher, live ones too. Name the group.',
      { path: ['group'] },
    );
  // Another publisher may name the same code at this moment.
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('global_code')
    .values({ code_folded: folded, account_id: accountId, ...columns })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw codeTaken(columns.code);
}

/** The same. */
async function writeGroupCode(
  tx: ProgramTx,
  { publisherId, groupId, membershipId, changes }: CodePlace,
  { folded, isNew, columns }: SaidCode,
): Promise<void> {
  if (columns.is_primary === true) {
    const { rows } = await sql<{ code: string }>`
      update group_code
      set is_primary = false
      where publisher_id = ${publisherId} and membership_id = ${membershipId}::uuid and is_primary
      returning code`.execute(tx);
    for (const { code } of rows) changes.ofCode(code, { primary: true }, { primary: false }, false);
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
  new Refusal('Conflict', `the code ${code} belongs to another member; choose another one`, {
    path: ['code'],
  });
