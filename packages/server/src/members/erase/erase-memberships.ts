import { sql } from 'kysely';
import { readMoment } from '../../platform/database/moment.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import { type ProgramTx, programChanged } from '../../publishers/changing-program.ts';
import { endApplication } from '../applications/decide-application.ts';
import { writeStatus } from '../change/write-status.ts';
import { lockMemberships } from '../lock-members.ts';
import { publishersOf } from '../read/publishers-of.ts';
import { erasedName } from './read-creator.ts';

/** Reason for the removal of an erased member, in the RemovedMember event. */
export const erasedReason = 'Erased';

interface MembershipsToErase {
  publisherId: string;
  accountIds: readonly AccountId[];
  membershipIds: readonly MembershipId[];
}

/** Removes a creator's memberships at a publisher, so that no purchase is credited to them anymore. @returns their number */
export async function removeMemberships(
  tx: ProgramTx,
  { publisherId, membershipIds }: MembershipsToErase,
): Promise<number> {
  const locked = await lockMemberships(tx, publisherId, membershipIds);
  let removed = 0;
  for (const { membershipId, status } of locked) {
    if (status === 'Removed') continue;
    await endApplication(tx, {
      ...{ publisherId, membershipId, decision: 'Refused', reason: null },
      ...{ decidedAt: await readMoment(tx), isTold: false },
    });
    await writeStatus(tx, { publisherId, membershipId, status: 'Removed', reason: erasedReason });
    removed += 1;
  }
  if (removed > 0) programChanged(tx, publisherId);
  return removed;
}

/**
 * Blanks the player ids, metadata and removal reasons of a creator's memberships and applications, and deletes the publisher's notes and tags.
 * @returns the number of rows changed
 */
export async function blankMemberships(
  tx: ProgramTx,
  { publisherId, accountIds, membershipIds }: MembershipsToErase,
): Promise<number> {
  await lockMemberships(tx, publisherId, membershipIds);
  const blanked = await sql`
    update membership
    set player_id = null, player_metadata = null, removal_reason = ${erasedReason}
    where publisher_id = ${publisherId} and membership_id = any(${[...membershipIds]}::uuid[])
      and (player_id is not null or player_metadata is not null or removal_reason is distinct from ${erasedReason})`.execute(
    tx,
  );
  const former = await tx
    .deleteFrom('former_player')
    .where('publisher_id', '=', publisherId)
    .where('membership_id', 'in', [...membershipIds])
    .executeTakeFirst();
  const applications = await tx
    .updateTable('creator_application')
    .set({ code: null, reason: null, mail_status: null })
    .where('publisher_id', '=', publisherId)
    .where('membership_id', 'in', [...membershipIds])
    .where(({ or, eb }) => or([eb('code', 'is not', null), eb('reason', 'is not', null)]))
    .executeTakeFirst();
  const notes = await tx
    .deleteFrom('creator_note')
    .where('publisher_id', '=', publisherId)
    .where('account_id', 'in', [...accountIds])
    .executeTakeFirst();
  const tags = await tx
    .deleteFrom('creator_tagged')
    .where('publisher_id', '=', publisherId)
    .where('account_id', 'in', [...accountIds])
    .executeTakeFirst();
  const changed = blanked.numAffectedRows ?? 0n;
  if (changed > 0n) programChanged(tx, publisherId);
  return Number(
    changed +
      former.numDeletedRows +
      applications.numUpdatedRows +
      notes.numDeletedRows +
      tags.numDeletedRows,
  );
}

/**
 * Blanks the accounts' names and pictures, deletes their logins at providers, and closes them, so that neither a program file
 * nor a person can fill them again. @returns the number of rows changed
 */
export async function blankAccounts(
  tx: ProgramTx,
  accountIds: readonly AccountId[],
  now: Date,
): Promise<number> {
  const ids = [...accountIds];
  const blanked = await sql`
    update creator_account
    set name = ${erasedName}, logo_image = null, profile_image = null, closed_at = coalesce(closed_at, ${now}::timestamptz)
    where account_id = any(${ids}::text[])
      and (name <> ${erasedName} or logo_image is not null or profile_image is not null or closed_at is null)`.execute(
    tx,
  );
  const identities = await tx
    .deleteFrom('creator_identity')
    .where('account_id', 'in', ids)
    .executeTakeFirst();
  const changed = Number((blanked.numAffectedRows ?? 0n) + identities.numDeletedRows);
  if (changed > 0) for (const each of await publishersOf(tx, ids)) programChanged(tx, each);
  return changed;
}
