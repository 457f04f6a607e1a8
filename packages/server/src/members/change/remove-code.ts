import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { changingProgram, type ProgramTx, programChanged } from '../../publishers/changing-program.ts';
import { publishersOf } from '../read/publishers-of.ts';
import { type ManagedCode, type ManagedMember, readManaged } from '../read/read-managed.ts';
import { foldCode } from '../read/resolve-codes.ts';
import type { MemberKey } from './changing-member.ts';
import { requireOurs } from './require-ours.ts';

interface CodeToRemove extends MemberKey {
  code: string;
  scope: ManagedCode['scope'];
}

/**
 * Removes a member's code, which other members can then use. Purchases already credited by the code don't change. If it
 * was primary, the oldest remaining code becomes primary.
 * @throws Refusal NotFound for an unknown member or code; Forbidden for a global code of an account that the publisher
 * doesn't own
 */
export const removeCode = (
  db: Db,
  actor: Actor,
  { publisherId, groupId, memberId, code, scope }: CodeToRemove,
): Promise<void> =>
  inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      const member = await readManaged(tx, { publisherId, groupId, memberId });
      const folded = foldCode(code);
      const known = member.codes.find((each) => each.scope === scope && foldCode(each.code) === folded);
      if (known === undefined) throw new Refusal('NotFound', `${member.name} has no ${scope} code ${code}.`);
      if (scope === 'global') requireOurs(member, 'global codes');
      const place = { publisherId, member };
      await deleteCode(tx, place, known);
      const primary = known.isPrimary ? nextPrimary(member, known) : null;
      if (primary !== null) await makePrimary(tx, place, primary);
      programChanged(tx, publisherId);
      if (scope === 'global')
        for (const each of await publishersOf(tx, [member.memberId])) programChanged(tx, each);
      await recordChange(tx, actor, {
        publisherId,
        action: 'member.remove-code',
        target: `member:${member.memberId}`,
        before: { group: groupId, code: known.code, scope, primary: known.isPrimary },
        after: primary === null ? null : { group: groupId, primary: primary.code },
      });
    }),
  );

/**
 * Returns the next primary code, from the removed code's scope; null if none is left there or another code is already
 * primary.
 */
const nextPrimary = ({ codes }: ManagedMember, gone: ManagedCode): ManagedCode | null => {
  const left = codes.filter((code) => code !== gone);
  if (left.some(({ isPrimary }) => isPrimary)) return null;
  return left.find(({ scope }) => scope === gone.scope) ?? null;
};

interface Place {
  publisherId: string;
  member: ManagedMember;
}

async function deleteCode(
  tx: ProgramTx,
  { publisherId, member }: Place,
  { code, scope }: ManagedCode,
): Promise<void> {
  const folded = foldCode(code);
  const { numAffectedRows } =
    scope === 'global'
      ? await sql`
          delete from global_code where code_folded = ${folded} and account_id = ${member.memberId}`.execute(
          tx,
        )
      : await sql`
          delete from group_code
          where publisher_id = ${publisherId} and group_id = ${member.groupId} and code_folded = ${folded}`.execute(
          tx,
        );
  if (numAffectedRows !== 1n) throw new Error('a code that was found is gone');
}

async function makePrimary(
  tx: ProgramTx,
  { publisherId, member }: Place,
  { code, scope }: ManagedCode,
): Promise<void> {
  const folded = foldCode(code);
  if (scope === 'global')
    await sql`update global_code set is_primary = true where code_folded = ${folded}`.execute(tx);
  else
    await sql`
      update group_code
      set is_primary = true
      where publisher_id = ${publisherId} and group_id = ${member.groupId} and code_folded = ${folded}`.execute(
      tx,
    );
}
