import type { BetterAuthOptions } from 'better-auth';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { linkProvider, type ProviderAccount } from './link-provider.ts';

/** Code with which a browser comes back whose person at the provider is not the one that the account is linked to. */
export const anotherPerson = 'another_person_at_provider';

/**
 * The library's way to the database, save that an account at a provider is linked in a commit of ours, with its checks
 * and its entry of the audit log.
 */
export async function authAdapter(db: Db | Tx) {
  const [{ kyselyAdapter }, { APIError }] = await Promise.all([
    import('@better-auth/kysely-adapter'),
    import('better-auth/api'),
  ]);
  const open = (connection: Db | Tx, options: BetterAuthOptions) =>
    kyselyAdapter(connection, { type: 'postgres', transaction: !connection.isTransaction })(options);
  return (options: BetterAuthOptions): ReturnType<typeof open> => {
    const plain = open(db, options);
    return {
      ...plain,
      async create(asked) {
        const { userId, providerId, accountId } = asked.data as Partial<ProviderAccount>;
        if (
          asked.model !== 'account' ||
          userId === undefined ||
          accountId === undefined ||
          !isOutside(providerId)
        )
          return plain.create(asked);
        const account = { userId, providerId, accountId };
        const row = await inTransaction(db, (tx) =>
          linkProvider(tx, account, () => open(tx, options).create<typeof asked.data>(asked)),
        );
        if (row === null)
          throw new APIError('CONFLICT', { code: anotherPerson, message: 'another person at the provider' });
        // biome-ignore lint/suspicious/noExplicitAny: the library's type of a created row is its caller's
        return row as any;
      },
    };
  };
}

const isOutside = (providerId: string | undefined): providerId is string =>
  providerId !== undefined && providerId !== 'credential';
