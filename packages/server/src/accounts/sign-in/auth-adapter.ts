import type { BetterAuthOptions } from 'better-auth';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { linkProvider, type ProviderAccount } from './link-provider.ts';

/** Error code for a sign-in with a different account at the provider than the one linked to the user. */
export const anotherPerson = 'another_person_at_provider';

/**
 * Creates the library's database adapter. The adapter links provider accounts in our own transaction, so that
 * the check and the audit entry are part of the same commit.
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
      async create(input) {
        const { userId, providerId, accountId } = input.data as Partial<ProviderAccount>;
        if (
          input.model !== 'account' ||
          userId === undefined ||
          accountId === undefined ||
          !isExternal(providerId)
        )
          return plain.create(input);
        const account = { userId, providerId, accountId };
        const row = await inTransaction(db, (tx) =>
          linkProvider(tx, account, () => open(tx, options).create<typeof input.data>(input)),
        );
        if (row === null)
          throw new APIError('CONFLICT', { code: anotherPerson, message: 'another person at the provider' });
        // biome-ignore lint/suspicious/noExplicitAny: the library lets its caller choose the row's type
        return row as any;
      },
    };
  };
}

const isExternal = (providerId: string | undefined): providerId is string =>
  providerId !== undefined && providerId !== 'credential';
