import { sql } from 'kysely';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import type { MemberStatus } from '../lock-members.ts';
import { foldCode } from '../read/resolve-codes.ts';

interface OfMembership {
  publisherId: string;
  membershipId: MembershipId;
}

/**
 * Approves the code that an applicant asked for. A member without an open application keeps its codes as they are.
 * @throws Refusal Conflict if another creator got the code as a global code since then, because the applicant would take over
 * purchases with it
 */
export async function approveWantedCode(
  tx: ProgramTx,
  { publisherId, membershipId }: OfMembership,
): Promise<void> {
  const { rows } = await sql<{ code: string; group_id: string; account_id: AccountId }>`
    select a.code, a.group_id, m.account_id
    from creator_application a
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = a.membership_id
    where a.publisher_id = ${publisherId} and a.membership_id = ${membershipId}::uuid
      and a.decided_at is null and a.code is not null`.execute(tx);
  const [wanted] = rows;
  if (wanted === undefined) return;
  const folded = foldCode(wanted.code);
  const { numAffectedRows } = await sql`
    update group_code
    set is_approved = true
    where publisher_id = ${publisherId} and group_id = ${wanted.group_id} and code_folded = ${folded}
      and membership_id = ${membershipId}::uuid and not is_approved`.execute(tx);
  if (numAffectedRows === 0n) return;
  const other = await tx
    .selectFrom('global_code')
    .select('account_id')
    .where('code_folded', '=', folded)
    .where('account_id', '<>', wanted.account_id)
    .executeTakeFirst();
  if (other !== undefined)
    throw new Refusal(
      'Conflict',
      `Another creator now has the code ${wanted.code}. Remove the code from the applicant, or give them another one, then approve.`,
    );
}

interface Decision extends OfMembership {
  status: MemberStatus;
  /** Reason for a refusal, which the applicant sees. */
  reason: string;
  decidedAt: Date;
}

/**
 * Ends a membership's open application when the membership's status changes. If it was refused, its code becomes free, unless
 * someone approved it.
 */
export async function decideApplication(
  tx: ProgramTx,
  { publisherId, membershipId, status, reason, decidedAt }: Decision,
): Promise<void> {
  if (status === 'Pending') return;
  const decision = status === 'Approved' ? 'Approved' : 'Refused';
  await endApplication(tx, {
    publisherId,
    membershipId,
    decision,
    reason: decision === 'Refused' ? reason : null,
    decidedAt,
  });
}

interface ApplicationEnd extends OfMembership {
  decision: 'Approved' | 'Refused' | 'Expired';
  reason: string | null;
  decidedAt: Date;
  /** False to send no email about it. */
  isTold?: boolean;
}

/** Ends a membership's open application, and has an email about it sent. @returns false if it has none */
export async function endApplication(
  tx: ProgramTx,
  { publisherId, membershipId, decision, reason, decidedAt, isTold = true }: ApplicationEnd,
): Promise<boolean> {
  if (decision !== 'Approved')
    await sql`
      delete from group_code
      where publisher_id = ${publisherId} and membership_id = ${membershipId}::uuid and not is_approved
        and code_folded in (
          select lower(a.code)
          from creator_application a
          where a.publisher_id = ${publisherId} and a.membership_id = ${membershipId}::uuid and a.decided_at is null)`.execute(
      tx,
    );
  const { numUpdatedRows } = await tx
    .updateTable('creator_application')
    .set({
      decision,
      reason,
      decided_at: decidedAt,
      ...(isTold && { mail_status: 'Waiting', mail_next_at: decidedAt }),
    })
    .where('publisher_id', '=', publisherId)
    .where('membership_id', '=', membershipId)
    .where('decided_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
