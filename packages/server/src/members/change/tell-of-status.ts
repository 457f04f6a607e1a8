import { sql } from 'kysely';
import { tellCreators } from '../../notices/write-notices.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { MembershipId } from '../../platform/database/tables.generated.ts';
import type { MemberStatus } from '../lock-members.ts';

interface ChangedStatus {
  publisherId: string;
  membershipId: MembershipId;
  before: MemberStatus;
  status: MemberStatus;
}

/**
 * Writes an email to a creator who was approved, refused or removed. The reason for a removal isn't part of it, because it is
 * written for the publisher's servers. A creator who applied in the portal gets the email about that application instead
 * (`applications/decide-application.ts`), which has ended in the same transaction.
 */
export async function tellOfStatus(
  tx: Tx,
  { publisherId, membershipId, before, status }: ChangedStatus,
): Promise<void> {
  if (status === 'Pending') return;
  await tellCreators(tx, {
    publisherId,
    kind: status === 'Approved' ? 'approved' : before === 'Pending' ? 'refused' : 'removed',
    rows: sql`
      select membership_id as about_id, account_id
      from membership
      where publisher_id = ${publisherId} and membership_id = ${membershipId}::uuid
        and (${before !== 'Pending'} or not exists (
          select 1
          from creator_application
          where publisher_id = ${publisherId} and membership_id = ${membershipId}::uuid and mail_status = 'Waiting'
            and mail_attempts = 0
        ))`,
  });
}
