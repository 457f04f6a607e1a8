import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { MembershipId } from '../../platform/database/tables.generated.ts';

type Codes = readonly (readonly [from: string, to: string])[];

/**
 * Replaces the codes in a member's sums of a UTC day, and stores the new codes as credited. The caller has locked the member and
 * replaces the codes of the rows.
 */
export async function replaceCodesInSums(
  tx: Tx,
  { publisherId, membershipId, day }: { publisherId: string; membershipId: MembershipId; day: string },
  codes: Codes,
): Promise<void> {
  await sql`
    update earning_rollup r
    set code = n.new_code
    from unnest(${codes.map(([from]) => from)}::text[], ${codes.map(([, to]) => to)}::text[]) as n (old_code, new_code)
    where r.publisher_id = ${publisherId} and r.membership_id = ${membershipId}::uuid and r.day = ${day}::date
      and r.code = n.old_code`.execute(tx);
  await sql`
    insert into credited_code (publisher_id, group_id, code_folded, membership_id)
    select distinct ${publisherId}, r.group_id, lower(r.code), r.membership_id
    from earning_rollup r
    where r.publisher_id = ${publisherId} and r.membership_id = ${membershipId}::uuid and r.day = ${day}::date
      and r.code = any(${codes.map(([, to]) => to)}::text[])
    on conflict do nothing`.execute(tx);
}

/**
 * Deletes the codes that no sum of a member contains anymore, from those that lists of purchases can be filtered by. The caller
 * has locked out posting of the member. @returns the number of codes
 */
export async function deleteUnusedCodes(
  tx: Tx,
  { publisherId, membershipIds }: { publisherId: string; membershipIds: readonly MembershipId[] },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from credited_code c
    where c.publisher_id = ${publisherId} and c.membership_id = any(${[...membershipIds]}::uuid[])
      and not exists (
        select 1
        from earning_rollup r
        where r.publisher_id = ${publisherId} and r.membership_id = c.membership_id and lower(r.code) = c.code_folded)`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}
