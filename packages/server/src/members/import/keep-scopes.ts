import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { foldCode } from '../read/resolve-codes.ts';
import type { MemberLine } from './parse-members.ts';

interface LinesToScope {
  lines: readonly MemberLine[];
  codeScope: 'group' | 'global';
}

/**
 * Sets the scope of codes that a line's creator already has to the scope in which the creator has them.
 * Otherwise, importing a creator's global code as a group code would add a second code with the same text.
 */
export async function keepScopes(
  db: Db,
  { publisherId, groupId }: { publisherId: string; groupId: string },
  { lines, codeScope }: LinesToScope,
): Promise<void> {
  const ids = lines.flatMap(({ input: { id, codes } }) =>
    id === undefined || codes === undefined ? [] : [id],
  );
  if (ids.length === 0) return;
  const { rows } = await sql<{ account_id: string; code: string; is_global: boolean }>`
    select m.account_id, c.code, false as is_global
    from membership m
    join group_code c on c.publisher_id = ${publisherId} and c.membership_id = m.membership_id
    where m.publisher_id = ${publisherId} and m.group_id = ${groupId} and m.account_id = any(${ids}::text[])
    union all
    select c.account_id, c.code, true
    from global_code c
    where c.account_id = any(${ids}::text[])
      and exists (
        select 1 from membership m where m.publisher_id = ${publisherId} and m.account_id = c.account_id)`.execute(
    db,
  );
  const inChosenScope = (row: { is_global: boolean }): boolean => row.is_global === (codeScope === 'global');
  const chosenFirst = [...rows.filter(inChosenScope), ...rows.filter((row) => !inChosenScope(row))];
  const scopeOf = new Map<string, boolean>();
  // A code may exist in both scopes, spelled differently. The exact spelling decides, then the chosen scope.
  for (const { account_id, code, is_global } of chosenFirst)
    for (const key of [`${account_id} ${code}`, `${account_id} folded ${foldCode(code)}`])
      if (!scopeOf.has(key)) scopeOf.set(key, is_global);
  for (const { input } of lines)
    for (const code of input.codes ?? []) {
      const isGlobal =
        scopeOf.get(`${input.id} ${code.code}`) ?? scopeOf.get(`${input.id} folded ${foldCode(code.code)}`);
      if (isGlobal === true) delete code.group;
      else if (isGlobal === false) code.group = groupId;
    }
}
