import { join } from 'node:path';
import type { App } from '../platform/http/app-type.ts';
import { builtPages, servePage } from '../platform/http/pages/serve-page.ts';
import { portalPath } from '../platform/setting-parsers.ts';
import type { Portal } from '../portal/create-portal.ts';
import { requireOn } from '../portal/require-portal.ts';

/** Folder that `npm run build:web` writes the creators' portal to. */
const builtPortal = join(builtPages, 'creators');
const builtAlert = join(builtPages, 'alert');

/** Serves the pages of the creators' portal, which are one page. While the portal is off, they return 404. */
export const portalPages = (app: App, portal: Pick<Portal, 'origin'>, folder: string = builtPortal): void =>
  servePage(app, {
    folder,
    file: 'creators.html',
    assetsPath: `${portalPath}/assets`,
    outsidePaths: ['enter', 'invitation', 'not-me', 'unsubscribe'].map((name) => `${portalPath}/${name}`),
    insidePaths: [portalPath, `${portalPath}/*`],
    moduleAt: (path) => {
      const [, page] = /^\/creators\/([a-z-]+)/.exec(path) ?? [];
      return page === undefined ? null : `src/portal/pages/${page}/page.tsx`;
    },
    firstReads: () => [],
    notBuilt: "The creators' portal has not been built.",
    check: () => requireOn(portal),
  });

/** Serves the overlay of stream alerts. Its secret is behind the #, so neither the service nor a proxy sees it here. */
export const alertPage = (app: App, portal: Pick<Portal, 'origin'>, folder: string = builtAlert): void =>
  servePage(app, {
    folder,
    file: 'alert.html',
    assetsPath: `${portalPath}/alert/assets`,
    outsidePaths: [`${portalPath}/alert`],
    insidePaths: [],
    moduleAt: () => null,
    firstReads: () => [],
    notBuilt: 'The stream alert has not been built.',
    check: () => requireOn(portal),
  });
