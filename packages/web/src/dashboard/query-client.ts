import { QueryClient } from '@tanstack/react-query';
import { client } from '../client/client.gen.ts';
import { ApiFailure } from '../ui/api-failure.ts';
import { fetchSignedIn } from './session/fetch-signed-in.ts';

// The API is where the page came from; its cookie goes along by itself.
client.setConfig({ baseUrl: '', credentials: 'same-origin', fetch: fetchSignedIn });
client.interceptors.error.use((error, response) =>
  error instanceof ApiFailure ? error : new ApiFailure(response, error),
);

/** Worth another try: the service was away, or had too much to do. */
const passing = new Set([0, 502, 503, 504]);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < 2 && error instanceof ApiFailure && passing.has(error.status),
    },
    // What changes money or the program is sent once.
    mutations: { retry: false },
  },
});
