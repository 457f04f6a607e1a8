import type { App } from '../app-type.ts';
import { builtPages, servePage } from './serve-page.ts';

/**
 * First reads of the screens under `/admin/v1/publishers/{publisherId}/`, besides the groups. Reads that depend on the groups, on
 * dates or on what is written in the URL are left out, and so are large ones, which would delay the script.
 */
const screenReads: Readonly<Record<string, readonly string[]>> = {
  bounties: ['bounties?state=running&limit=50'],
  creators: ['members?status=Approved&limit=50'],
  developers: ['keys?limit=50'],
  ledger: ['ledger', 'ledger/verifications?limit=50'],
  sandbox: ['sandbox'],
  overview: ['attention'],
  settings: ['settings', 'branding', 'program-file/edits', 'staff-rules'],
  team: ['staff'],
};

/** Serves the dashboard, whose paths all return the same page. */
export const dashboardPages = (app: App, folder: string = builtPages): void =>
  servePage(app, {
    folder,
    file: 'index.html',
    assetsPath: '/assets',
    outsidePaths: ['/sign-in', '/invitation', '/reset-password', '/unsubscribe'],
    insidePaths: ['/', '/account', '/account/notifications', '/p/*'],
    moduleAt: (url) => {
      const { screen } = placeOf(url);
      return screen === undefined ? null : `src/dashboard/screens/${screen}/screen.tsx`;
    },
    firstReads(url) {
      const { publisherId, screen = '', isPlain } = placeOf(url);
      if (publisherId === undefined) return ['/admin/v1/me'];
      const reads = ['groups', ...((isPlain && screenReads[screen]) || [])];
      return ['/admin/v1/me', ...reads.map((read) => `/admin/v1/publishers/${publisherId}/${read}`)];
    },
    notBuilt: 'The dashboard has not been built.',
  });

interface Place {
  publisherId: string | undefined;
  screen: string | undefined;
  /** True for the screen itself, without a query and without a page of the screen. */
  isPlain: boolean;
}

/** Reads a URL such as `/p/aurora/payouts?tab=month`. */
function placeOf(url: string): Place {
  const [, publisherId, screen, rest] = /^\/p\/([a-z0-9_-]{1,64})(?:\/([a-z-]+)(.*))?$/.exec(url) ?? [];
  return { publisherId, screen, isPlain: rest === '' };
}
