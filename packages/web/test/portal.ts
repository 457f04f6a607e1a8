import type { Page } from 'playwright-core';
import { afterAll } from 'vitest';
import type { Browser } from '../../server/test/browser.ts';
import { type CreatorProviders, startCreatorProviders } from '../../server/test/creator-providers.ts';
import { freePort } from '../../server/test/free-port.ts';
import { type PortalTest, usePortal } from '../../server/test/portal.ts';
import type { SignedInPerson } from '../../server/test/staff.ts';
import type { ServiceOptions } from '../../server/test/test-service.ts';
import { type PageOptions, usePages } from './browser.ts';

export interface PortalPages extends PortalTest {
  /** Opens a path of the portal, such as `/codes`, without a session, on a phone. */
  visit(path: string, options?: PageOptions): Promise<Page>;
  /** Opens a path of the portal as a person who is signed in. */
  visitAs(person: Browser, path: string, options?: PageOptions): Promise<Page>;
  /** Opens a path of the dashboard as a member of staff. */
  openDashboard(person: SignedInPerson, path: string, options?: PageOptions): Promise<Page>;
  /** Returns the providers. Fails without `hasProviders`. */
  providers(): CreatorProviders;
}

export const phone = { width: 360, height: 740 };

interface Options extends ServiceOptions {
  /** Ignores errors on the pages, for tests that provoke them. */
  mayFail?: boolean;
  /** Starts OAuth servers that behave like the providers. */
  hasProviders?: boolean;
}

/** Starts a service whose portal is at its own origin, a mail server, and a browser. */
export async function usePortalPages({
  mayFail = false,
  hasProviders = false,
  ...options
}: Options = {}): Promise<PortalPages> {
  const port = await freePort();
  // Browsers don't create passkeys for an IP address.
  const origin = `http://${hasProviders ? 'localhost' : '127.0.0.1'}:${port}`;
  const providers = hasProviders ? await startCreatorProviders(origin) : null;
  if (providers !== null) afterAll(() => providers.close());
  const environment = {
    PORTAL_URL: `${origin}/creators`,
    ...providers?.environment,
    ...options.environment,
  };
  const portal = await usePortal({
    ...options,
    port,
    environment,
    ...(providers !== null && { providerUrls: providers.providerUrls }),
  });
  const { openPage } = usePages(() => origin, { mayFail });
  return {
    ...portal,
    providers() {
      if (providers === null) throw new Error('the providers are not started');
      return providers.there;
    },
    visit: (path, pageOptions = {}) => openPage(`/creators${path}`, { size: phone, ...pageOptions }),
    openDashboard: (person, path, pageOptions = {}) =>
      openPage(path, { ...pageOptions, cookies: [person.cookie] }),
    visitAs(person, path, pageOptions = {}) {
      const cookies = person.cookies.split('; ').map((each) => {
        const at = each.indexOf('=');
        return { name: each.slice(0, at), value: each.slice(at + 1), url: origin };
      });
      return openPage(`/creators${path}`, { size: phone, cookies, ...pageOptions });
    },
  };
}
