import type { CreateClientConfig } from '../../client/client.gen.ts';
import { fetchSignedIn } from './fetch-signed-in.ts';

/** The API is where the page came from; its cookie goes along by itself. */
export const createClientConfig: CreateClientConfig = (config) => ({
  ...config,
  baseUrl: '',
  credentials: 'same-origin',
  fetch: fetchSignedIn,
  querySerializer: { array: { style: 'form', explode: true } },
});
