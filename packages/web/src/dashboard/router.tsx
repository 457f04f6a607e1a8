import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router';
import { lazy, Suspense, useRef } from 'react';
import { ApiFailure } from '../ui/api-failure.ts';
import { parseQuery, stringifyQuery } from '../ui/query-string.ts';
import { LateSkeleton } from '../ui/skeletons.tsx';
import { t } from '../ui/text.ts';
import { toast } from '../ui/toast.ts';
import { guarded } from './guarded.tsx';
import { NotHere, PageFailed } from './page-failed.tsx';
import { queryClient } from './query-client.ts';
import { screens } from './screens.ts';
import { meOptions } from './session/session.ts';
import { useAskedToSignIn } from './session/sign-in-again.ts';
import { Shell } from './shell/shell.tsx';

const SignInDialog = lazy(() =>
  import('./session/sign-in-dialog.tsx').then((found) => ({ default: found.SignInDialog })),
);

/** Pages for people who are not signed in. Each `outside/<path>/page.tsx` exports `Page`. */
const outside = import.meta.glob('./outside/*/page.tsx');

const lazily = (load: () => Promise<unknown>, name: string) =>
  lazyRouteComponent(load as never, name as never) as RouteComponent;

const rootRoute = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <SignInAgain />
    </>
  ),
  errorComponent: PageFailed,
  notFoundComponent: NotHere,
});

/** Loads the sign-in dialog the first time a session ends. */
function SignInAgain() {
  const asked = useAskedToSignIn();
  const wasAsked = useRef(false);
  wasAsked.current ||= asked !== null;
  return <Suspense>{wasAsked.current && <SignInDialog asked={asked} />}</Suspense>;
}

async function requireSignIn(href: string) {
  try {
    return await queryClient.ensureQueryData(meOptions);
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401)
      throw redirect({ to: '/sign-in', search: { next: href } as never, replace: true });
    throw error;
  }
}

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async () => {
    const me = await requireSignIn('/');
    const last = localStorage.getItem('attribution-publisher');
    const publisher = me.publishers.find(({ publisherId }) => publisherId === last) ?? me.publishers[0];
    if (publisher !== undefined)
      throw redirect({
        to: '/p/$publisherId',
        params: { publisherId: publisher.publisherId } as never,
        replace: true,
      });
  },
  component: lazily(() => import('./no-publisher.tsx'), 'NoPublisher'),
});

const publisherRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/p/$publisherId',
  beforeLoad: async ({ location, params }) => {
    const me = await requireSignIn(location.href);
    if (!me.publishers.some(({ publisherId }) => publisherId === params.publisherId)) {
      // Without this notice, another publisher's figures would be taken for those of the link.
      toast(
        t('You don’t have access to “{publisherId}”, the publisher in this link.', {
          publisherId: params.publisherId as string,
        }),
      );
      throw redirect({ to: '/', replace: true });
    }
    if (me.publishers.some(({ publisherId, lacks }) => publisherId === params.publisherId && lacks !== null))
      throw redirect({ to: '/account', search: { next: location.href } as never, replace: true });
    localStorage.setItem('attribution-publisher', params.publisherId);
  },
  component: Shell,
  notFoundComponent: NotHere,
});

const firstRoute = createRoute({
  getParentRoute: () => publisherRoute,
  path: '/',
  beforeLoad: async ({ params: { publisherId } }) => {
    const me = await requireSignIn('/');
    const here = me.publishers.find((each) => each.publisherId === publisherId);
    const first = screens.find(({ permission }) => here?.permissions.includes(permission));
    if (first !== undefined)
      throw redirect({
        to: `/p/$publisherId/${first.path}`,
        params: { publisherId } as never,
        replace: true,
      });
  },
  component: NotHere,
});

/** Routes for a screen and all paths under it. The screen reads the rest of the path from `_splat`. */
const screenRoutes = screens.flatMap(({ path, load, permission }) =>
  [path, `${path}/$`].map((each) =>
    createRoute({
      getParentRoute: () => publisherRoute,
      path: each,
      component: lazily(async () => ({ Screen: guarded(await load(), permission) }), 'Screen'),
    }),
  ),
);

const outsideRoutes = Object.entries(outside).map(([file, load]) => {
  const name = file.split('/')[2] ?? '';
  return createRoute({
    getParentRoute: () => rootRoute,
    path: `/${name}`,
    component: lazily(load, 'Page'),
  });
});

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  beforeLoad: async ({ location }) => {
    await requireSignIn(location.href);
  },
  component: lazily(() => import('./account/page.tsx'), 'Page'),
});

const notificationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account/notifications',
  beforeLoad: async ({ location }) => {
    await requireSignIn(location.href);
  },
  component: lazily(() => import('./account/notifications-page.tsx'), 'Page'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    startRoute,
    ...outsideRoutes,
    accountRoute,
    notificationsRoute,
    publisherRoute.addChildren([firstRoute, ...screenRoutes]),
  ]),
  parseSearch: parseQuery,
  stringifySearch: stringifyQuery,
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  defaultPendingMinMs: 300,
  defaultPendingComponent: () => <LateSkeleton />,
  defaultErrorComponent: PageFailed,
  defaultNotFoundComponent: NotHere,
  scrollRestoration: true,
});
