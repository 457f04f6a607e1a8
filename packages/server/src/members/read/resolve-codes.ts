import { sql } from 'kysely';
import type { LRUCache } from 'lru-cache';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { MembershipId, TierId } from '../../platform/database/tables.generated.ts';
import type { Program } from '../../publishers/programs.ts';

/** The member that a code credits in a group, with what a row keeps of it. */
export interface CreditedMember {
  readonly membershipId: MembershipId;
  /** The code in the member's own spelling. */
  readonly code: string;
  readonly playerId: string | null;
  readonly tierId: TierId | null;
  readonly tierShareMillionths: number | null;
}

/** Codes are ASCII; two that differ in case alone are the same. Other text is left as it is: a Kelvin sign is no k. */
export const foldCode = (code: string): string => (isAscii.test(code) ? code.toLowerCase() : code);

const isAscii = /^\p{ASCII}*$/u;

// Found codes live as long as the program they were read for: a new version starts empty.
const foundCodes = new WeakMap<Program, LRUCache<string, CreditedMember>>();
const maxCodesKept = 100_000;

/**
 * The Approved members that codes credit in a group. A code of the group's own wins over a global one of
 * the same text; unapproved codes credit nobody.
 * @param codes folded
 * @returns by folded code; a code that credits nobody is absent (and asked for again next time)
 */
export async function resolveCodes(
  db: Db | Tx,
  program: Program,
  groupId: string,
  codes: ReadonlySet<string>,
): Promise<ReadonlyMap<string, CreditedMember>> {
  const kept = keptFor(program);
  const found = new Map<string, CreditedMember>();
  const unknown: string[] = [];
  for (const code of codes) {
    const member = kept.get(`${groupId}\0${code}`);
    if (member === undefined) unknown.push(code);
    else found.set(code, member);
  }
  if (unknown.length === 0) return found;
  for (const [code, member] of await readCodes(db, program.publisherId, groupId, unknown)) {
    kept.set(`${groupId}\0${code}`, member);
    found.set(code, member);
  }
  return found;
}

function keptFor(program: Program): LRUCache<string, CreditedMember> {
  const kept = foundCodes.get(program) ?? boundedCache<CreditedMember>(maxCodesKept);
  foundCodes.set(program, kept);
  return kept;
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
