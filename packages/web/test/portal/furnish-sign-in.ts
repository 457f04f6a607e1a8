import { addProviderAccount } from '../../../server/src/portal/providers/add-provider-account.ts';
import type { Browser } from '../../../server/test/browser.ts';
import type { PortalPages } from '../portal.ts';

/** Settings that turn on the providers. No state visits them. */
export const providerSettings = Object.fromEntries(
  ['TWITCH', 'YOUTUBE', 'DISCORD'].flatMap((name) => [
    [`PORTAL_${name}_CLIENT_ID`, 'portal'],
    [`PORTAL_${name}_CLIENT_SECRET`, 'portal-provider-secret'],
  ]),
);

/** Adds accounts at providers, one with a long name. @returns the id of the first */
export async function addProviders({ db }: PortalPages, person: Browser): Promise<string> {
  const { email } = (await person.get('/session')).body;
  const { user_id: userId } = await db()
    .selectFrom('portal_user')
    .select('user_id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  for (const [provider, name] of [
    ['twitch', 'nova_plays'],
    ['youtube', 'Nova plays games that no one else has ever heard of, with friends'],
  ] as const) {
    const account = { issuer: `https://${provider}.example.com`, subject: `${provider}-nova`, name };
    await addProviderAccount(db(), account, { userId, provider, source: {}, now: new Date() });
  }
  return (await person.get('/sign-in-methods')).body.rows[0].signInMethodId;
}
