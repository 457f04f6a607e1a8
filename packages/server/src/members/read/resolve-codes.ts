import { sql } from 'kysely';
import type { LRUCache } from 'lru-cache';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { MembershipId, TierId } from '../../platform/database/tables.generated.ts';
import type { Program } from '../../publishers/programs.ts';

/** Member that a code credits in a group, with the values stored in a row. */
export interface CreditedMember {
  readonly membershipId: MembershipId;
  /** Code in the member's spelling. */
  readonly code: string;
  readonly playerId: string | null;
  readonly tierId: TierId | null;
  readonly tierShareMillionths: number | null;
}

/**
 * Folds the case of a code. Non-ASCII text can't be a code and isn't folded, so that a Kelvin sign doesn't match a
 * k.
 */
export const foldCode = (code: string): string => (isAscii.test(code) ? code.toLowerCase() : code);

const isAscii = /^\p{ASCII}*$/u;

// Cached per program, so that a new version starts with an empty cache.
const codeCaches = new WeakMap<Program, LRUCache<string, CreditedMember>>();
const maxCachedCodes = 100_000;

/**
 * Returns the Approved members that codes credit in a group. A group code takes precedence over a global code with the
 * same text. Unapproved codes don't credit a member.
 * @param codes folded
 * @returns members by folded code; codes that don't credit a member are absent and aren't cached
 */
export async function resolveCodes(
  db: Db | Tx,
  program: Program,
  groupId: string,
  codes: ReadonlySet<string>,
): Promise<ReadonlyMap<string, CreditedMember>> {
  const cache = cacheFor(program);
  const found = new Map<string, CreditedMember>();
  const unknown: string[] = [];
  for (const code of codes) {
    const member = cache.get(`${groupId}\0${code}`);
    if (member === undefined) unknown.push(code);
    else found.set(code, member);
  }
  if (unknown.length === 0) return found;
  for (const [code, member] of await readCodes(db, program.publisherId, groupId, unknown)) {
    cache.set(`${groupId}\0${code}`, member);
    found.set(code, member);
  }
  return found;
}

function cacheFor(program: Program): LRUCache<string, CreditedMember> {
  const cache = codeCaches.get(program) ?? boundedCache<CreditedMember>(maxCachedCodes);
  codeCaches.set(program, cache);
  return cache;
}

async function readCodes(
  db: Db | Tx,
  publisherId: string,
  groupId: string,
  codes: string[],
): Promise<[string, CreditedMember][]> {
  const { rows } = await sql<{
    code_folded: string;
    code: string;
    membership_id: MembershipId;
    status: string;
    player_id: string | null;
    tier_id: TierId | null;
    share_millionths: number | null;
  }>`
    select distinct on (found.code_folded)
           found.code_folded, found.code, m.membership_id, m.status, m.player_id, m.tier_id, t.share_millionths
    from (
      select g.code_folded, g.code, g.membership_id, 1 as preference
      from group_code g
      where g.publisher_id = ${publisherId} and g.group_id = ${groupId}
        and g.code_folded = any(${codes}::text[]) and g.is_approved
      union all
      select c.code_folded, c.code, m.membership_id, 2
      from global_code c
      join membership m on m.publisher_id = ${publisherId} and m.group_id = ${groupId} and m.account_id = c.account_id
      where c.code_folded = any(${codes}::text[]) and c.is_approved
    ) found
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = found.membership_id
    left join tier t on t.publisher_id = ${publisherId} and t.tier_id = m.tier_id
    order by found.code_folded, found.preference`.execute(db);
  return rows
    .filter(({ status }) => status === 'Approved')
    .map((row) => [
      row.code_folded,
      {
        membershipId: row.membership_id,
        code: row.code,
        playerId: row.player_id,
        tierId: row.tier_id,
        tierShareMillionths: row.share_millionths,
      },
    ]);
}
