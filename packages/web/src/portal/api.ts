import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { client } from '../client/portal/client.gen.ts';
import { ApiFailure } from '../ui/api-failure.ts';
import { pageAt } from './pages.ts';
import { currentPlace, goTo } from './place.ts';

// The API has the same origin as the page, so the browser sends the cookie.
client.setConfig({ baseUrl: '', credentials: 'same-origin' });
client.interceptors.error.use((error, response) =>
  error instanceof ApiFailure ? error : new ApiFailure(response, error),
);

/** Statuses worth retrying: no response, or a service that is down or overloaded. */
const transientStatuses = new Set([0, 502, 503, 504]);

/** Opens the sign-in page if a request found no session, and forgets what the person saw. */
function signInAgain(error: unknown): void {
  const isSignedOut = error instanceof ApiFailure && error.status === 401;
  const { path } = currentPlace();
  if (!isSignedOut || pageAt(path)?.needs === 'public') return;
  const hadSession = queryClient
    .getQueryCache()
    .findAll({ predicate: ({ state }) => state.data !== undefined });
  leave(hadSession.length > 0 ? { ended: 'yes', next: path } : { next: path === '/' ? '' : path });
}

/** Opens the sign-in page and deletes everything that was read for the person. */
export function leave(query: Readonly<Record<string, string>> = {}): void {
  goTo('/enter', { query, replaces: true });
  queryClient.clear();
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: signInAgain }),
  mutationCache: new MutationCache({ onError: signInAgain }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Without a connection, requests fail at once, so that the page can say so.
      networkMode: 'always',
      retry: (count, error) =>
        count < 2 && navigator.onLine && error instanceof ApiFailure && transientStatuses.has(error.status),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
