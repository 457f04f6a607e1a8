import { AsyncLocalStorage } from 'node:async_hooks';
import { actorOf, type Whence } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { dropUnprovenWays } from '../people/drop-unproven-ways.ts';

/** What a request at the way back from a provider knows, and learns. */
export interface ProviderVisit {
  whence: Whence;
  /** Set when the visit linked the provider to an account for the first time. */
  linked: { email: string } | null;
}

/** The library calls our adapter with no word of the request that it answers. */
const visits = new AsyncLocalStorage<ProviderVisit>();

/** Runs what asks the library to finish a sign-in at a provider. */
export const visiting = <Result>(visit: ProviderVisit, work: () => Promise<Result>): Promise<Result> =>
  visits.run(visit, work);

/** A person of a provider, by its own name for them. */
export interface ProviderAccount {
  userId: string;
  providerId: string;
  /** `sub` */
  accountId: string;
}

/**
 * Links a provider's person to an account for the first time, or refuses another person of the same provider: an
 * address may have been given to somebody else there. Both are recorded at the publishers of the account.
 * @param write inserts the link, in the same commit
 * @returns what `write` does; null where the account has another person of the provider
 */
export async function linkProvider<Row>(
  tx: Tx,
  { userId, providerId, accountId }: ProviderAccount,
  write: () => Promise<Row>,
): Promise<Row | null> {
  const visit = visits.getStore();
  const whence = visit?.whence ?? {};
  // Of two who come at once the second waits for the first one's commit.
  const { name, email } = await tx
    .selectFrom('staff_user')
    .select(['name', 'email'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const person = { userId, name, email };
  const other = await tx
    .selectFrom('staff_account')
    .select('id')
    .where('user_id', '=', userId)
    .where('provider_id', '=', providerId)
    .where('account_id', '<>', accountId)
    .executeTakeFirst();
  if (other !== undefined) {
    await record(tx, person, whence, { action: 'staff.refuse-provider', provider: providerId });
    return null;
  }
  // The provider has verified the address, or is trusted to.
  await dropUnprovenWays(tx, userId, whence);
  const row = await write();
  await record(tx, person, whence, { action: 'staff.link-provider', provider: providerId });
  if (visit !== undefined) visit.linked = { email };
  return row;
}

interface Person {
  userId: string;
  name: string;
  email: string;
}

/** Records at each publisher of a person, and of whoever has not joined one yet at those that invite them. */
async function record(
  tx: Tx,
  { userId, name, email }: Person,
  whence: Whence,
  { action, provider }: { action: string; provider: string },
): Promise<void> {
  const joined = await tx.selectFrom('staff').select('publisher_id').where('user_id', '=', userId).execute();
  const inviting = await tx
    .selectFrom('staff_invitation')
    .select('publisher_id')
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
  const publishers = new Set([...joined, ...inviting].map(({ publisher_id }) => publisher_id));
  for (const publisherId of [...publishers].slice(0, maxPublishers))
    await recordChange(tx, actorOf({ kind: 'staff', staffId: userId, name, publisherId }, whence), {
      publisherId,
      action,
      target: `staff:${userId}`,
      after: { provider },
    });
}

/** As many as a person's list shows. */
const maxPublishers = 200;
