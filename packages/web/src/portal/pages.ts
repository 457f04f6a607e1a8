import { type ComponentType, lazy } from 'react';
import type { IconName } from '../ui/icons.tsx';
import { msg } from '../ui/text.ts';

interface PageModule {
  Page: ComponentType;
  /** Starts reading the page's data of the publisher that was shown last, while the accounts are being read. */
  prefetch?(publisherId: string): void;
}

/** Loaders of the pages' code. Each `pages/<name>/page.tsx` exports `Page`. */
const loaders = import.meta.glob<PageModule>(['./pages/*/page.tsx', '!./pages/{home,enter}/page.tsx']);
/** Pages that most people open first. A request of their own would delay them on a slow connection. */
const firstPages = import.meta.glob<PageModule>('./pages/{home,enter}/page.tsx', { eager: true });

/** Failure to load a page's code, as without a connection. */
export class PageNotLoaded extends Error {}

/** Page of the portal, with all paths under its own. */
interface PortalPage {
  /** Path in the portal: `/codes`. */
  path: string;
  /** `public` for people who are not signed in, `publisher` for pages that show a publisher's data. */
  needs: 'public' | 'signed-in' | 'publisher';
  /** Entry in the bar, which has room for five. Null for a page that others link to. */
  entry: { label: string; icon: IconName } | null;
  /** Loads the page's code, once. */
  load(): Promise<PageModule>;
  Page: ComponentType;
}

/** @param name name of the page's folder; its path is the same except for Home's */
function page(name: string, needs: PortalPage['needs'], entry: PortalPage['entry'] = null): PortalPage {
  const file = `./pages/${name}/page.tsx`;
  const path = name === 'home' ? '/' : `/${name}`;
  const first = firstPages[file];
  if (first !== undefined) return { path, needs, entry, load: async () => first, Page: first.Page };
  const loader = loaders[file];
  if (loader === undefined) throw new Error(`there is no page ${name}`);
  const load = () =>
    loader().catch((error: unknown) => {
      throw new PageNotLoaded(`the code of ${name} could not be loaded`, { cause: error });
    });
  return { path, needs, entry, load, Page: lazy(async () => ({ default: (await load()).Page })) };
}

/** All pages. The bar shows those with an entry, in this order. */
export const pages: readonly PortalPage[] = [
  page('home', 'publisher', { label: msg('Home'), icon: 'home' }),
  page('earnings', 'publisher', { label: msg('Earnings'), icon: 'transactions' }),
  page('payouts', 'publisher', { label: msg('Payouts'), icon: 'payouts' }),
  page('codes', 'publisher', { label: msg('Codes'), icon: 'code' }),
  page('you', 'signed-in', { label: msg('You'), icon: 'person' }),
  page('emails', 'signed-in'),
  page('notifications', 'signed-in'),
  page('sign-in', 'signed-in'),
  page('profile', 'publisher'),
  page('your-data', 'signed-in'),
  page('rates', 'publisher'),
  page('bounties', 'publisher'),
  page('statements', 'publisher'),
  page('payout-method', 'publisher'),
  page('link', 'signed-in'),
  page('auth-code', 'publisher'),
  page('stream-alert', 'publisher'),
  page('enter', 'public'),
  page('invitation', 'public'),
  page('apply', 'public'),
  page('not-me', 'public'),
  page('unsubscribe', 'public'),
];

/** Returns the page that shows a path; undefined if there is none. */
export const pageAt = (path: string): PortalPage | undefined =>
  pages.find((each) => path === each.path || (each.path !== '/' && path.startsWith(`${each.path}/`)));
