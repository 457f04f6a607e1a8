import { AsyncLocalStorage } from 'node:async_hooks';
import { actorOf, type RequestSource } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { dropUnverifiedSignIns } from '../people/drop-unverified-sign-ins.ts';

export interface ProviderCallback {
  source: RequestSource;
  /** Set by `linkProvider` when it links the provider to an account for the first time. */
  linked: { email: string } | null;
}

/** Passes the context to our adapter, because the library calls the adapter without the request. */
const callbacks = new AsyncLocalStorage<ProviderCallback>();

export const duringCallback = <Result>(
  callback: ProviderCallback,
  work: () => Promise<Result>,
): Promise<Result> => callbacks.run(callback, work);

export interface ProviderAccount {
  userId: string;
  providerId: string;
  /** The provider's id for the person (`sub`). */
  accountId: string;
}

/**
 * Links a provider account to a user. Rejects a second account from the same provider, because the provider
 * may have reassigned the email address. Either outcome is recorded in the audit logs of the user's
 * publishers.
 * @param write inserts the link, in the same commit
 * @returns the result of `write`; null if the user is linked to another account at the provider
 */
export async function linkProvider<Row>(
  tx: Tx,
  { userId, providerId, accountId }: ProviderAccount,
  write: () => Promise<Row>,
): Promise<Row | null> {
  const callback = callbacks.getStore();
  const source = callback?.source ?? {};
  // A concurrent link for the same user waits for this commit.
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
    await record(tx, person, source, { action: 'staff.refuse-provider', provider: providerId });
    return null;
  }
  // The provider has verified the address or is trusted.
  await dropUnverifiedSignIns(tx, userId, source);
  const row = await write();
  await record(tx, person, source, { action: 'staff.link-provider', provider: providerId });
  if (callback !== undefined) callback.linked = { email };
  return row;
}

interface Person {
  userId: string;
  name: string;
  email: string;
}

/** Writes an audit entry for each publisher that the person has joined or is invited to. */
async function record(
  tx: Tx,
  { userId, name, email }: Person,
  source: RequestSource,
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
    await recordChange(tx, actorOf({ kind: 'staff', staffId: userId, name, publisherId }, source), {
      publisherId,
      action,
      target: `staff:${userId}`,
      after: { provider },
    });
}

/** Maximum number of publishers per person, as in `listPublishersOf`. */
const maxPublishers = 200;
