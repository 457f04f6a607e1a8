import { expect } from 'vitest';
import type { Browser } from './browser.ts';
import { type CreatorProviders, type ProviderId, visitProvider } from './creator-providers.ts';
import { type PortalTest, portalOrigin, portalUrl } from './portal.ts';

/** Returns the path of the portal's page that a browser is sent to, with its query. */
export const pageAfter = (location: string | null): string => {
  expect(location).toMatch(new RegExp(`^${portalUrl}`));
  return (location ?? '').slice(portalUrl.length);
};

/** Returns what creators do with providers, in browsers. */
export function providerVisits({ nextMail }: PortalTest, there: CreatorProviders) {
  const visits = {
    /** Lets the provider send the browser back. @returns the portal's page that follows */
    async finish(browser: Browser, url: string, change: (back: URL) => void = () => undefined) {
      const back = await visitProvider(url, portalOrigin);
      change(back);
      return pageAfter(await browser.go(back.pathname + back.search));
    },
    /** Begins a sign-in. @returns the provider's page */
    async begin(browser: Browser, provider: ProviderId): Promise<string> {
      const begun = await browser.post('/auth/provider-visits', { provider });
      expect(begun).toMatchObject({ status: 200 });
      return begun.body.url;
    },
    signInAt: async (browser: Browser, provider: ProviderId): Promise<string> =>
      visits.finish(browser, await visits.begin(browser, provider)),
    /** Begins adding a provider, with an emailed code. @returns the provider's page */
    async beginAdding(browser: Browser, provider: ProviderId): Promise<string> {
      expect(await browser.post('/sign-in-methods/codes', { kind: provider })).toMatchObject({ status: 200 });
      const { code } = await nextMail();
      const begun = await browser.post('/sign-in-methods/provider-visits', { provider, code });
      expect(begun).toMatchObject({ status: 200 });
      return begun.body.url;
    },
    /** Adds an account at a provider to a person's sign-in methods. */
    async add(browser: Browser, provider: ProviderId, id: string, name = 'Nova'): Promise<void> {
      there[provider].account = { id, name };
      expect(await visits.finish(browser, await visits.beginAdding(browser, provider))).toBe(
        `/sign-in?added=${provider}`,
      );
      expect((await nextMail()).text).toContain('You can now sign in');
    },
    async emailOf(browser: Browser): Promise<string | number> {
      const { status, body } = await browser.get('/session');
      return status === 200 ? body.email : status;
    },
    methodsOf: async (browser: Browser) => (await browser.get('/sign-in-methods')).body.rows,
  };
  return visits;
}
