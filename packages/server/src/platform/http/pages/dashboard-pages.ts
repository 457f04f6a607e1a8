import type { App } from '../app-type.ts';
import { builtPages, servePage } from './serve-page.ts';

/** Serves the dashboard, whose paths all return the same page. */
export const dashboardPages = (app: App, folder: string = builtPages): void =>
  servePage(app, {
    folder,
    file: 'index.html',
    assetsPath: '/assets',
    outsidePaths: ['/sign-in', '/invitation', '/reset-password', '/unsubscribe'],
    insidePaths: ['/', '/account', '/account/notifications', '/p/*'],
    moduleAt: (path) => {
      const [, screen] = /^\/p\/[^/]+\/([a-z-]+)/.exec(path) ?? [];
      return screen === undefined ? null : `src/dashboard/screens/${screen}/screen.tsx`;
    },
    firstRead: '/admin/v1/me',
    notBuilt: 'The dashboard has not been built.',
  });
