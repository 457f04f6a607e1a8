import type { Browser } from '../../../server/test/browser.ts';
import { addProviderFor } from '../../../server/test/sign-in-methods.ts';
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
  await addProviderFor(db(), email, { provider: 'twitch', name: 'nova_plays' });
  await addProviderFor(db(), email, {
    provider: 'youtube',
    name: 'Nova plays games that no one else has ever heard of, with friends',
  });
  return (await person.get('/sign-in-methods')).body.rows[0].signInMethodId;
}
