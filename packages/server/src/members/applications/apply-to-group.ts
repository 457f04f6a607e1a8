import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { OpenGroup } from '../../publishers/applications/find-open-group.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import type { MemberStatus } from '../lock-members.ts';
import { putMember } from '../put/put-member.ts';
import { foldCode } from '../read/resolve-codes.ts';
import { judgeWantedCode } from './judge-wanted-code.ts';
import {
  type Application,
  countOpenApplications,
  endOfApplication,
  mayApplyAgainAt,
  readApplicationsOf,
} from './read-applications.ts';

export interface ApplicationToMake {
  group: OpenGroup;
  /** Account that applies. */
  accountId: AccountId;
  /** Name of the account if it is new; null for an existing account, whose name doesn't change. */
  name: string | null;
  /** All of the person's accounts at the publisher. */
  ownAccountIds: readonly AccountId[];
  code: string;
  /** SHA-256 of the terms that the person read. */
  termsSha256: string;
  now: Date;
}

/**
 * Applies to a group: saves a Pending membership with a code that isn't approved yet, the application, and the accepted terms.
 * The caller holds the program's lock, so applications to a publisher are made one after another. Repeating an open application
 * changes nothing.
 * @returns whether it is new
 * @throws Refusal Stale if the terms have changed; InvalidInput for a code of another form; Conflict if the code is taken, the
 * group takes no more applications, or the person may not apply to it now
 */
export async function applyToGroup(
  tx: ProgramTx,
  actor: Actor,
  application: ApplicationToMake,
): Promise<{ isNew: boolean }> {
  const { group, accountId, name, code, now } = application;
  const { publisherId, groupId, terms } = group;
  const applications = await readApplicationsOf(tx, publisherId, application.ownAccountIds);
  // A phone may repeat a request whose response it has not received.
  if (applications.some((each) => isOpenFor(each, application))) return { isNew: false };
  await requireMayApply(tx, application, applications);
  if (application.termsSha256 !== terms.sha256)
    throw new Refusal(
      'Stale',
      'The terms have changed. Nothing was sent. Read the new ones, then apply again.',
    );
  if ((await countOpenApplications(tx, group)) >= group.maxPending)
    throw new Refusal(
      'Conflict',
      `${group.publisherName} has many applications to decide, and takes no more at the moment. Try again later.`,
    );
  const isOwnCode = await requireFreeCode(tx, application);
  await putMember(tx, actor, {
    publisherId,
    groupId,
    id: accountId,
    status: 'Pending',
    ...(name !== null && { name }),
    ...(!isOwnCode && { codes: [{ code, group: groupId, approved: false }] }),
  });
  const { membershipId } = await requireMembership(tx, application);
  await tx
    .insertInto('creator_application')
    .values({
      publisher_id: publisherId,
      application_id: newRowId(),
      group_id: groupId,
      membership_id: membershipId,
      code,
      terms_version: terms.version,
      applied_at: now,
      expires_at: endOfApplication(now),
    })
    .execute();
  await tx
    .insertInto('terms_acceptance')
    .values({
      publisher_id: publisherId,
      account_id: accountId,
      group_id: groupId,
      version: terms.version,
      sha256: terms.sha256,
      accepted_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return { isNew: true };
}

const isOpenFor = (
  { state, groupId, code }: Application,
  { group, code: wanted }: ApplicationToMake,
): boolean =>
  state === 'Open' && groupId === group.groupId && code !== null && foldCode(code) === foldCode(wanted);

/** @returns true if the applicant already has the code */
async function requireFreeCode(
  tx: ProgramTx,
  { group, accountId, code }: ApplicationToMake,
): Promise<boolean> {
  const state = await judgeWantedCode(tx, { ...group, accountId, code });
  if (state === 'invalid')
    throw new Refusal('InvalidInput', 'A code has 2 to 32 letters, digits, _ and -.', { path: ['code'] });
  if (state === 'taken')
    throw new Refusal('Conflict', `The code ${code} is not available. Choose another one.`, {
      path: ['code'],
    });
  return state === 'own';
}

/** @throws Refusal Conflict */
async function requireMayApply(
  tx: ProgramTx,
  application: ApplicationToMake,
  applications: readonly Application[],
): Promise<void> {
  const { group, now } = application;
  const open = applications.find(({ state }) => state === 'Open');
  if (open !== undefined)
    throw new Refusal(
      'Conflict',
      `You have already applied to ${open.groupName}. Wait until ${group.publisherName} has decided.`,
    );
  const own = await readMembershipsIn(tx, application);
  const current = own.find(({ status }) => status !== 'Removed');
  if (current !== undefined)
    throw new Refusal(
      'Conflict',
      current.status === 'Approved'
        ? `You are already a creator in ${group.groupName}.`
        : `${group.publisherName} hasn't approved you for ${group.groupName} yet. Wait until it has decided.`,
    );
  const removals = own.flatMap(({ removedAt }) => removedAt ?? []);
  const again = mayApplyAgainAt(
    removals,
    applications.find(({ groupId }) => groupId === group.groupId),
  );
  if (again !== null && again > now)
    throw new Refusal(
      'Conflict',
      `You can apply to ${group.groupName} again on ${again.toISOString().slice(0, 10)}.`,
    );
}

interface OwnMembershipHere {
  membershipId: MembershipId;
  accountId: AccountId;
  status: MemberStatus;
  removedAt: Date | null;
}

async function readMembershipsIn(
  tx: ProgramTx,
  { group: { publisherId, groupId }, ownAccountIds }: ApplicationToMake,
): Promise<OwnMembershipHere[]> {
  const { rows } = await sql<{
    membership_id: MembershipId;
    account_id: AccountId;
    status: MemberStatus;
    removed_at: Date | null;
  }>`
    select membership_id, account_id, status, removed_at
    from membership
    where publisher_id = ${publisherId} and group_id = ${groupId} and account_id = any(${[...ownAccountIds]}::text[])`.execute(
    tx,
  );
  return rows.map((row) => ({
    membershipId: row.membership_id,
    accountId: row.account_id,
    status: row.status,
    removedAt: row.removed_at,
  }));
}

async function requireMembership(tx: ProgramTx, application: ApplicationToMake): Promise<OwnMembershipHere> {
  const { accountId } = application;
  const [found] = await readMembershipsIn(tx, { ...application, ownAccountIds: [accountId] });
  if (found === undefined) throw new Error('the membership of an applicant was not saved');
  return found;
}
