import type { AccountId } from '../../platform/database/tables.generated.ts';
import { newPublicId, newRowId, toAccountId } from '../../platform/ids.ts';
import type { ProgrammeTx } from '../../publishers/changing-programme.ts';
import type { CodeToCopy, MemberToCopy } from './read-members-to-copy.ts';

/** What a statement takes of rows at a time. */
const rowsAtOnce = 1_000;
/** What may stand as an id in a program file. */
const longestId = 64;

/**
 * Makes members of a publisher that has none, as others have them. Their accounts are its own, whoever owns those that
 * they are copied from, and so are their codes, which are each group's: accounts, and codes that are good everywhere,
 * are shared by all publishers. For the same reason nobody of them has an identity at a provider.
 */
export async function copyMembers(
  tx: ProgrammeTx,
  publisherId: string,
  members: readonly MemberToCopy[],
): Promise<void> {
  const accounts = new Map(members.map((member) => [member.accountId, member]));
  const ids = await newIds(tx, publisherId, [...accounts.keys()]);
  const idOf = (accountId: AccountId): AccountId => ids.get(accountId) ?? accountId;
  for (const some of inSets([...accounts.values()]))
    await tx
      .insertInto('creator_account')
      .values(
        some.map(({ accountId, name, logoImage, profileImage }) => ({
          account_id: idOf(accountId),
          owner_publisher_id: publisherId,
          name,
          logo_image: logoImage,
          profile_image: profileImage,
        })),
      )
      .execute();
  for (const some of inSets(members)) await copySet(tx, publisherId, some, idOf);
}

async function copySet(
  tx: ProgrammeTx,
  publisherId: string,
  members: readonly MemberToCopy[],
  idOf: (accountId: AccountId) => AccountId,
): Promise<void> {
  const copies = members.map((member) => ({
    row: {
      publisher_id: publisherId,
      membership_id: newRowId<MemberToCopy['membershipId']>(),
      group_id: member.groupId,
      account_id: idOf(member.accountId),
      player_id: member.playerId,
      player_metadata: member.playerMetadata,
      status: member.status,
      is_visible: member.isVisible,
      tier_id: member.tierId,
      removed_at: member.removedAt,
      removal_reason: member.removalReason,
    },
    codes: member.codes,
  }));
  await tx
    .insertInto('membership')
    .values(copies.map(({ row }) => row))
    .execute();
  const codes = copies.flatMap(({ row: { group_id, membership_id }, codes }) => {
    // The group's own primary code goes before the account's.
    const primary = codes.find(({ isPrimary }) => isPrimary);
    return codes.map((code) => ({
      publisher_id: publisherId,
      group_id,
      membership_id,
      ...codeColumns(code),
      is_primary: code === primary,
    }));
  });
  for (const some of inSets(codes)) await tx.insertInto('group_code').values(some).execute();
}

const codeColumns = ({ code, folded, isGenerated, isManaged, isApproved }: CodeToCopy) => ({
  code,
  code_folded: folded,
  is_generated: isGenerated,
  is_managed: isManaged,
  is_approved: isApproved,
});

/** Ids that say whom they are copied from, where nobody has them and a program file can say them. */
async function newIds(
  tx: ProgrammeTx,
  publisherId: string,
  accountIds: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, AccountId>> {
  const wanted = new Map(accountIds.map((id) => [id, toAccountId(`${publisherId}:${id}`)]));
  const taken = new Set<AccountId>();
  for (const some of inSets([...wanted.values()])) {
    const rows = await tx
      .selectFrom('creator_account')
      .select('account_id')
      .where('account_id', 'in', some)
      .execute();
    for (const { account_id } of rows) taken.add(account_id);
  }
  return new Map(
    [...wanted].map(([id, readable]) => [
      id,
      readable.length > longestId || taken.has(readable) ? toAccountId(newPublicId()) : readable,
    ]),
  );
}

function* inSets<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += rowsAtOnce) yield items.slice(start, start + rowsAtOnce);
}
