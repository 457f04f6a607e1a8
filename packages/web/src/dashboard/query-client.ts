import { QueryClient } from '@tanstack/react-query';
import { client } from '../client/client.gen.ts';
import { ApiFailure } from '../ui/api-failure.ts';
import { fetchSignedIn } from './session/fetch-signed-in.ts';

// The API has the same origin as the page, so the browser sends the cookie.
client.setConfig({ baseUrl: '', credentials: 'same-origin', fetch: fetchSignedIn });
client.interceptors.error.use((error, response) =>
  error instanceof ApiFailure ? error : new ApiFailure(response, error),
);

/** Statuses worth retrying: no response, or a service that is down or overloaded. */
const transientStatuses = new Set([0, 502, 503, 504]);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) =>
        count < 2 && error instanceof ApiFailure && transientStatuses.has(error.status),
    },
    // Requests that change money or the program are never retried.
    mutations: { retry: false },
  },
});
