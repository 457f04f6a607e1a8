import { sql } from 'kysely';
import { changeMemberStatus, type MemberStatus } from '../members/change-status.ts';
import { foldCode } from '../members/resolve-codes.ts';
import { violatedConstraint } from '../platform/database/database-errors.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { AccountId, MembershipId } from '../platform/database/tables.generated.ts';
import { newRowId, toAccountId } from '../platform/ids.ts';
import { refusingAt } from '../platform/refusal.ts';
import { tierNamed } from '../publishers/tier-named.ts';
import { differs } from './differs.ts';
import type { ProgramCode, ProgramGroup, ProgramMember } from './program-schema.ts';
import type { ProgramFile } from './read-program.ts';

interface Place {
  tx: Tx;
  file: ProgramFile;
  publisherId: string;
  group: ProgramGroup;
  member: ProgramMember;
  accountId: AccountId;
  path: readonly (string | number)[];
  changed: Set<Changed>;
}

/** `account`: what the account has in common everywhere; `member`: what it is and has in the group. */
type Changed = 'account' | 'member';

export interface AppliedMember {
  /**
   * Nothing was changed, for a creator claimed the account: what it was goes on under the creator's own account, and
   * applying the file again must not undo that.
   */
  isClaimed: boolean;
  isChanged: boolean;
  /** Something is different now wherever the account is a member. */
  isAccountChanged: boolean;
}

/** Makes or changes a member of a group: account, membership, codes, identities. */
export async function applyMember(
  tx: Tx,
  file: ProgramFile,
  groupIndex: number,
  memberIndex: number,
): Promise<AppliedMember> {
  const { publisher, groups = [] } = file.program;
  const group = groups[groupIndex];
  const member = group?.members?.[memberIndex];
  if (group === undefined || member === undefined) throw new Error('no such member in the file');
  const place: Place = {
    tx,
    file,
    publisherId: publisher.id,
    group,
    member,
    accountId: toAccountId(member.id),
    path: ['groups', groupIndex, 'members', memberIndex],
    changed: new Set(),
  };
  const account = await applyAccount(place);
  if (account === 'closed') return { isClaimed: true, isChanged: false, isAccountChanged: false };
  const { membershipId, isNew } = await applyMembership(place);
  const isNamed = (code: ProgramCode): boolean => account === 'ours' || code.group !== undefined;
  for (const [index, code] of (member.codes ?? []).entries())
    if (isNamed(code)) await applyCode(place, membershipId, code, index);
  await choosePrimary(place, membershipId, member.codes?.filter(isNamed) ?? []);
  if (account === 'ours')
    for (const [index] of (member.identities ?? []).entries()) await applyIdentity(place, index);
  // Last, because what the publisher is told of a new member names the code.
  await applyStatus(place, membershipId, isNew);
  return {
    isClaimed: false,
    isChanged: place.changed.size > 0,
    isAccountChanged: place.changed.has('account'),
  };
}

/**
 * An account that a file made belongs to its publisher until a creator claims it. One that does not belong to
 * the publisher may be named only as the member it is already, and then the file changes nothing of the account:
 * no name, no global code, no identity.
 */
async function applyAccount({
  tx,
  file,
  publisherId,
  member,
  accountId,
  path,
  changed,
}: Place): Promise<'ours' | "another's" | 'closed'> {
  const { rows } = await sql<{
    owner_publisher_id: string | null;
    is_closed: boolean;
    is_member: boolean;
  }>`
    select a.owner_publisher_id, a.closed_at is not null as is_closed,
           exists (select from membership m where m.publisher_id = ${publisherId} and m.account_id = a.account_id) as is_member
    from creator_account a
    where a.account_id = ${accountId}
    for no key update`.execute(tx);
  const account = rows[0];
  const named = {
    ...(member.name !== undefined && { name: member.name }),
    ...(member.logoImage !== undefined && { logo_image: member.logoImage }),
    ...(member.profileImage !== undefined && { profile_image: member.profileImage }),
  };
  if (account === undefined) {
    await tx
      .insertInto('creator_account')
      .values({ account_id: accountId, owner_publisher_id: publisherId, name: member.id, ...named })
      .execute();
    return 'ours';
  }
  if (account.owner_publisher_id !== publisherId) {
    if (account.is_member) return "another's";
    throw file.errorAt(
      [...path, 'id'],
      `the account ${member.id} does not belong to publisher ${publisherId}; use another id`,
    );
  }
  if (account.is_closed) return 'closed';
  if (Object.keys(named).length > 0) {
    const { numUpdatedRows } = await tx
      .updateTable('creator_account')
      .set(named)
      .where('account_id', '=', accountId)
      .where(differs('creator_account', named))
      .executeTakeFirst();
    if (numUpdatedRows > 0n) changed.add('account');
  }
  return 'ours';
}

async function applyMembership(place: Place): Promise<{ membershipId: MembershipId; isNew: boolean }> {
  const { tx, publisherId, group, member, accountId, changed } = place;
  const metadata =
    member.playerMetadata !== undefined ? { player_metadata: JSON.stringify(member.playerMetadata) } : {};
  const named = {
    ...(member.playerId !== undefined && { player_id: member.playerId }),
    ...(member.visible !== undefined && { is_visible: member.visible }),
    ...(member.tier !== undefined && {
      tier_id:
        member.tier === null
          ? null
          : await refusingAt(['tier'], () => tierNamed(tx, publisherId, group.id, member.tier ?? '')),
    }),
  };
  const known = await tx
    .selectFrom('membership')
    .select('membership_id')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', group.id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const membershipId = known?.membership_id ?? newRowId<MembershipId>();
  await refusingTakenPlayer(place, async () => {
    if (known === undefined) {
      await tx
        .insertInto('membership')
        .values({
          publisher_id: publisherId,
          membership_id: membershipId,
          group_id: group.id,
          account_id: accountId,
          status: 'Removed', // until applyStatus, which also finds a player id that is taken
          ...named,
          ...metadata,
        })
        .execute();
      changed.add('member');
    } else if (Object.keys(named).length > 0 || metadata.player_metadata !== undefined) {
      const { numUpdatedRows } = await tx
        .updateTable('membership')
        .set({ ...named, ...metadata })
        .where('publisher_id', '=', publisherId)
        .where('membership_id', '=', membershipId)
        .where(differs('membership', named, metadata))
        .executeTakeFirst();
      if (numUpdatedRows > 0n) changed.add('member');
    }
  });
  return { membershipId, isNew: known === undefined };
}

/** A new member is Approved unless the file says otherwise; one that was there keeps its status. */
async function applyStatus(place: Place, membershipId: MembershipId, isNew: boolean): Promise<void> {
  const { tx, publisherId, member } = place;
  const status = member.status ?? (isNew ? 'Approved' : undefined);
  if (status === undefined) return;
  const isChanged = await refusingTakenPlayer(place, () =>
    changeMemberStatus(
      tx,
      publisherId,
      membershipId,
      status as MemberStatus,
      member.removalReason ?? `${status} in the program file`,
    ),
  );
  if (isChanged) place.changed.add('member');
}

/** Members that are not Removed have a player id of their own in the group. */
async function refusingTakenPlayer<Result>(
  { file, group, member, path }: Place,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) !== 'membership_one_player') throw error;
    throw file.errorAt(
      member.playerId === undefined ? [...path] : [...path, 'playerId'],
      `another member of group ${group.id} has the playerId ${member.playerId ?? `of ${member.id}`}`,
    );
  }
}

async function applyCode(
  place: Place,
  membershipId: MembershipId,
  code: ProgramCode,
  index: number,
): Promise<void> {
  const { tx, file, publisherId, group, accountId, path, changed } = place;
  const folded = foldCode(code.code);
  const named = {
    code: code.code,
    ...(code.generated !== undefined && { is_generated: code.generated }),
    ...(code.managed !== undefined && { is_managed: code.managed }),
    ...(code.approved !== undefined && { is_approved: code.approved }),
  };
  if (code.group !== undefined && code.group !== group.id) {
    throw file.errorAt(
      [...path, 'codes', index, 'group'],
      `stands under group ${group.id}; name the code where group ${code.group} names the member`,
    );
  }
  const taken = (): Error =>
    file.errorAt(
      [...path, 'codes', index, 'code'],
      `the code ${code.code} belongs to another member; choose another one`,
    );
  if (code.group === undefined) {
    const known = await tx
      .selectFrom('global_code')
      .select('account_id')
      .where('code_folded', '=', folded)
      .forUpdate()
      .executeTakeFirst();
    if (known !== undefined && known.account_id !== accountId) throw taken();
    if (code.primary === true) {
      await sql`
        update global_code
        set is_primary = false
        where account_id = ${accountId} and is_primary and code_folded <> ${folded}`.execute(tx);
    }
    const values = { ...named, ...(code.primary !== undefined && { is_primary: code.primary }) };
    const { numInsertedOrUpdatedRows = 0n } = await tx
      .insertInto('global_code')
      .values({ code_folded: folded, account_id: accountId, ...values })
      .onConflict((conflict) =>
        conflict.column('code_folded').doUpdateSet(values).where(differs('global_code', values)),
      )
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows > 0n) changed.add('account');
    return;
  }
  const known = await tx
    .selectFrom('group_code')
    .select('membership_id')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', group.id)
    .where('code_folded', '=', folded)
    .executeTakeFirst();
  if (known !== undefined && known.membership_id !== membershipId) throw taken();
  if (code.primary === true) {
    await sql`
      update group_code
      set is_primary = false
      where publisher_id = ${publisherId} and membership_id = ${membershipId}::uuid and is_primary
        and code_folded <> ${folded}`.execute(tx);
  }
  const values = { ...named, ...(code.primary !== undefined && { is_primary: code.primary }) };
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('group_code')
    .values({
      publisher_id: publisherId,
      group_id: group.id,
      code_folded: folded,
      membership_id: membershipId,
      ...values,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['publisher_id', 'group_id', 'code_folded'])
        .doUpdateSet(values)
        .where(differs('group_code', values)),
    )
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows > 0n) changed.add('member');
}

/** A member with codes has a primary one: when nobody said which, the first that was made. */
async function choosePrimary(
  { tx, publisherId, accountId, changed }: Place,
  membershipId: MembershipId,
  codes: readonly ProgramCode[],
): Promise<void> {
  const { rows } = await sql<{ has_primary: boolean }>`
    select exists (select from global_code where account_id = ${accountId} and is_primary)
        or exists (select from group_code
                   where publisher_id = ${publisherId} and membership_id = ${membershipId}::uuid and is_primary) as has_primary`.execute(
    tx,
  );
  if (rows[0]?.has_primary !== false) return;
  const first = codes.find((code) => code.primary !== false);
  if (first === undefined) return;
  if (first.group === undefined) {
    await sql`update global_code set is_primary = true where code_folded = ${foldCode(first.code)}`.execute(
      tx,
    );
    changed.add('account');
  } else {
    await sql`
      update group_code
      set is_primary = true
      where publisher_id = ${publisherId} and group_id = ${first.group} and code_folded = ${foldCode(first.code)}`.execute(
      tx,
    );
    changed.add('member');
  }
}

async function applyIdentity(
  { tx, file, member, accountId, path, changed }: Place,
  index: number,
): Promise<void> {
  const identity = member.identities?.[index];
  if (identity === undefined) throw new Error('no such identity in the file');
  const { provider, id } = identity;
  const { numAffectedRows = 0n } = await sql`
    insert into creator_identity (provider, provider_account_id, account_id)
    values (${provider}, ${id}, ${accountId})
    on conflict (provider, provider_account_id) do nothing`.execute(tx);
  if (numAffectedRows > 0n) {
    changed.add('account');
    return;
  }
  const holder = await tx
    .selectFrom('creator_identity')
    .select('account_id')
    .where('provider', '=', provider)
    .where('provider_account_id', '=', id)
    .executeTakeFirst();
  if (holder?.account_id !== accountId) {
    throw file.errorAt(
      [...path, 'identities', index],
      `the ${provider} identity ${id} belongs to another account`,
    );
  }
}
