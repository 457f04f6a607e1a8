import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { publisherNames } from '../publishers/publisher-names.ts';
import { sandboxesAmong } from '../publishers/sandboxes.ts';

/** Proof that an account belongs to a person. */
export const proofs = ['invitation', 'auth-code', 'application', 'provider'] as const;
export type Proof = (typeof proofs)[number];

/** Account that a person may see. */
export interface OwnAccount {
  accountId: AccountId;
  name: string;
  proof: Proof;
  provenAt: Date;
}

/** Publisher whose member a creator is. */
export interface PublisherOfCreator {
  publisherId: string;
  name: string;
  isSandbox: boolean;
}

/** Returns the open accounts of a person, in the order in which they were connected. */
export async function readOwnAccounts(db: Db | Tx, userId: string): Promise<OwnAccount[]> {
  const { rows } = await sql<{ account_id: AccountId; name: string; proof: Proof; proven_at: Date }>`
    select c.account_id, a.name, c.proof, c.proven_at
    from portal_user_account c
    join creator_account a on a.account_id = c.account_id
    where c.user_id = ${userId} and a.closed_at is null
    order by c.proven_at, c.account_id`.execute(db);
  return rows.map((row) => ({
    accountId: row.account_id,
    name: row.name,
    proof: row.proof,
    provenAt: row.proven_at,
  }));
}

/** Returns the publishers of accounts, by account and in order of their names. */
export async function readPublishersOf(
  db: Db | Tx,
  accountIds: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, PublisherOfCreator[]>> {
  if (accountIds.length === 0) return new Map();
  const { rows } = await sql<{ account_id: AccountId; publisher_id: string }>`
    select distinct account_id, publisher_id
    from membership
    where account_id = any(${[...accountIds]}::text[])`.execute(db);
  const ids = [...new Set(rows.map(({ publisher_id }) => publisher_id))];
  const [names, sandboxes] = [await publisherNames(db, ids), await sandboxesAmong(db, ids)];
  const publishers = rows
    .map(({ account_id, publisher_id: publisherId }) => ({
      accountId: account_id,
      publisherId,
      name: names.get(publisherId) ?? publisherId,
      isSandbox: sandboxes.has(publisherId),
    }))
    .sort(
      (one, other) =>
        one.name.localeCompare(other.name, 'en') || (one.publisherId < other.publisherId ? -1 : 1),
    );
  const byAccount = Map.groupBy(publishers, ({ accountId }) => accountId);
  return new Map(
    [...byAccount].map(([accountId, found]) => [
      accountId,
      found.map(({ accountId: _, ...publisher }) => publisher),
    ]),
  );
}
