import type { Db } from '../src/platform/database/database.ts';
import { addProviderAccount } from '../src/portal/providers/add-provider-account.ts';

/** Adds an account at a provider to the sign-in methods of a person with an address, without a visit. */
export async function addProviderFor(
  db: Db,
  email: string,
  { provider, name }: { provider: string; name: string },
): Promise<void> {
  const { user_id: userId } = await db
    .selectFrom('portal_user')
    .select('user_id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const account = { issuer: `https://${provider}.example.com`, subject: `id-of-${name}`.slice(0, 255), name };
  await addProviderAccount(db, account, { userId, provider, source: {}, now: new Date() });
}
