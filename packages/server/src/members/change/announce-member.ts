import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import { publishEvents } from '../../webhooks/publish-events.ts';
import { codesOf } from '../read/member-record.ts';

/** Publishes the event for a newly Approved membership, in the same transaction. */
export async function announceNewMember(
  tx: Tx,
  publisherId: string,
  membershipId: MembershipId,
): Promise<void> {
  const { accountId, code, name, logoImage } = await readAnnounced(tx, publisherId, membershipId);
  await publishEvents(tx, publisherId, [
    { kind: 'GroupManagement/NewMember', event: { memberId: accountId, code, name, logoImage } },
  ]);
}

/** Publishes the event for a membership that is no longer Approved, in the same transaction. */
export async function announceRemovedMember(
  tx: Tx,
  publisherId: string,
  membershipId: MembershipId,
  { removedAt, reason }: { removedAt: Date; reason: string },
): Promise<void> {
  const { accountId, code } = await readAnnounced(tx, publisherId, membershipId);
  await publishEvents(tx, publisherId, [
    {
      kind: 'GroupManagement/RemovedMember',
      event: {
        memberId: accountId,
        code,
        removalDate: removedAt.toISOString(),
        removalReason: reason,
      },
    },
  ]);
}

interface Announced {
  accountId: AccountId;
  name: string;
  /** The member's primary code; absent if the member has none. */
  code: string | undefined;
  logoImage: string | undefined;
}

async function readAnnounced(tx: Tx, publisherId: string, membershipId: MembershipId): Promise<Announced> {
  const { rows } = await sql<{
    account_id: AccountId;
    name: string;
    logo_image: string | null;
    code: string | null;
  }>`
    select m.account_id, a.name, a.logo_image, ${codesOf(publisherId)} -> 0 ->> 'code' as code
    from membership m
    join creator_account a on a.account_id = m.account_id
    where m.publisher_id = ${publisherId} and m.membership_id = ${membershipId}::uuid`.execute(tx);
  const [member] = rows;
  if (member === undefined) throw new Error('a membership to announce does not exist');
  return {
    accountId: member.account_id,
    name: member.name,
    code: member.code ?? undefined,
    logoImage: member.logo_image ?? undefined,
  };
}
