import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';

/** Name that an erased account gets. It is the same for all, so it can't be traced to a person. */
export const erasedName = 'Former creator';

export interface CreatorToErase {
  /** The account, and the accounts that it has claimed. */
  accountIds: AccountId[];
  publishers: CreatorAtPublisher[];
}

export interface CreatorAtPublisher {
  publisherId: string;
  membershipIds: MembershipId[];
  /** Current and former ids in the publisher's games. */
  playerIds: string[];
  /** Names that the publisher stored with the player ids. */
  displayNames: string[];
  /** Codes that the creator applied with and didn't get, so no one keeps them. */
  wantedCodes: string[];
}

/**
 * Finds everything that belongs to a creator.
 * @throws Refusal NotFound; Conflict if another account has claimed this one
 */
export async function readCreator(db: Db, accountId: AccountId): Promise<CreatorToErase> {
  const account = await db
    .selectFrom('creator_account')
    .select('claimed_by')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (account === undefined) throw new Refusal('NotFound', `There is no account ${accountId}.`);
  if (account.claimed_by !== null)
    throw new Refusal(
      'Conflict',
      `Account ${accountId} was claimed and is part of ${account.claimed_by}. Nothing was erased. Erase ${account.claimed_by}.`,
    );
  const claimed = await db
    .selectFrom('creator_account')
    .select('account_id')
    .where('claimed_by', '=', accountId)
    .orderBy('account_id')
    .execute();
  const accountIds = [accountId, ...claimed.map(({ account_id }) => account_id)];
  const { rows } = await sql<{
    publisher_id: string;
    membership_id: MembershipId;
    player_id: string | null;
    display_name: string | null;
  }>`
    select publisher_id, membership_id, player_id, player_metadata ->> 'displayName' as display_name
    from membership
    where account_id = any(${accountIds}::text[])
    order by publisher_id, membership_id`.execute(db);
  const publishers: CreatorAtPublisher[] = [];
  for (const [publisherId, memberships] of Map.groupBy(rows, ({ publisher_id }) => publisher_id)) {
    const membershipIds = memberships.map(({ membership_id }) => membership_id);
    const former = await db
      .selectFrom('former_player')
      .select('player_id')
      .where('publisher_id', '=', publisherId)
      .where('membership_id', 'in', membershipIds)
      .execute();
    const applications = await db
      .selectFrom('creator_application')
      .select('code')
      .where('publisher_id', '=', publisherId)
      .where('membership_id', 'in', membershipIds)
      .where(({ or, eb }) => or([eb('decision', 'is', null), eb('decision', '<>', 'Approved')]))
      .execute();
    const wantedCodes = [...new Set(applications.flatMap(({ code }) => code ?? []))];
    const players = [...memberships, ...former].flatMap(({ player_id }) => player_id ?? []);
    const displayNames = memberships.flatMap(({ display_name }) => display_name ?? []);
    publishers.push({
      publisherId,
      membershipIds,
      playerIds: [...new Set(players)],
      displayNames,
      wantedCodes,
    });
  }
  return { accountIds, publishers };
}

/**
 * Returns the texts that name the accounts: names, pictures and logins at providers, which other tables may repeat. The name of an erased account is left out.
 */
export async function readNames(db: Db, accountIds: readonly AccountId[]): Promise<string[]> {
  const { rows } = await sql<{ text: string | null }>`
    select name as text from creator_account where account_id = any(${[...accountIds]}::text[])
    union select logo_image from creator_account where account_id = any(${[...accountIds]}::text[])
    union select profile_image from creator_account where account_id = any(${[...accountIds]}::text[])
    union select provider_account_id from creator_identity where account_id = any(${[...accountIds]}::text[])`.execute(
    db,
  );
  return rows.flatMap(({ text }) => (text === null || text === '' || text === erasedName ? [] : [text]));
}
