import { createHmac } from 'node:crypto';
import {
  AuthorizationResponseError,
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  ClientSecretBasic,
  ClientSecretPost,
  type CustomFetchOptions,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discoveryRequest,
  getValidatedIdTokenClaims,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from 'oauth4webapi';
import { type Provider, type ProviderAccount, ProviderRefusal } from './provider.ts';
import { type ProviderFetch, providerFetch } from './provider-fetch.ts';

/** Time for which a provider's configuration is used without reading it again. */
const configurationMs = 3_600_000;
/** Permitted difference between the provider's clock and ours. */
const clockSeconds = 30;

/** Visit of a person to a provider. */
export interface Visit {
  /** Random text that belongs to this visit only. */
  state: string;
  /** Secret that the visit's other values are derived from, so that only a hash of the state is stored. */
  secret: Buffer;
  redirectUri: string;
}

export type ProviderVisits = ReturnType<typeof visitsOf>;

/** Returns the two halves of a visit to a provider: the URL of its page, and the check of what the browser brings back. */
export function visitsOf(provider: Provider) {
  const fetchFrom = providerFetch(provider.ownUrls);
  const client: Client = { client_id: provider.clientId, [clockTolerance]: clockSeconds };
  const options = {
    [customFetch]: (url: string, init: CustomFetchOptions<string, unknown>): Promise<Response> =>
      fetchFrom(url, init as Parameters<ProviderFetch>[1]).then(withTextScope),
    // `providerFetch` requires HTTPS, except for a loopback provider that the operator has named.
    [allowInsecureRequests]: true,
  };
  let read: { server: Promise<AuthorizationServer>; atMs: number } | null = null;

  /** Reads the provider's configuration. A failure is not remembered. */
  const readServer = (): Promise<AuthorizationServer> => {
    if ('fixed' in provider.server) return Promise.resolve(provider.server.fixed);
    if (read !== null && performance.now() - read.atMs < configurationMs) return read.server;
    const issuer = new URL(provider.server.discoverAt);
    const server = discoveryRequest(issuer, options)
      .then((response) => processDiscoveryResponse(issuer, response))
      .catch((error: unknown) => {
        read = null;
        throw new ProviderRefusal('unavailable', { cause: error });
      });
    read = { server, atMs: performance.now() };
    return server;
  };

  return {
    id: provider.id,
    issuer: provider.issuer,
    name: provider.name,
    /** Returns the URL of the provider's page. @throws ProviderRefusal if the provider can't be reached */
    async urlOf({ state, secret, redirectUri }: Visit): Promise<string> {
      const { authorization_endpoint: page = '' } = await readServer();
      if (!/^https?:\/\//.test(page) || !URL.canParse(page))
        throw new ProviderRefusal('unavailable', { cause: new Error('the provider names no page') });
      const url = new URL(page);
      const parameters = {
        ...provider.parameters,
        response_type: 'code',
        client_id: provider.clientId,
        redirect_uri: redirectUri,
        scope: provider.scope,
        state,
        code_challenge: await calculatePKCECodeChallenge(derived(secret, 'verifier', state)),
        code_challenge_method: 'S256',
        ...(provider.hasIdToken && { nonce: derived(secret, 'nonce', state) }),
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },
    /**
     * Checks what the browser brings back, exchanges the code, and reads the account. No token is kept.
     * @throws ProviderRefusal
     */
    async finish({ state, secret, redirectUri }: Visit, query: URLSearchParams): Promise<ProviderAccount> {
      try {
        const server = await readServer();
        const parameters = validateAuthResponse(server, client, query, state);
        const response = await authorizationCodeGrantRequest(
          server,
          client,
          authenticationFor(provider, server),
          parameters,
          redirectUri,
          derived(secret, 'verifier', state),
          options,
        );
        const tokens = await processAuthorizationCodeResponse(
          server,
          client,
          response,
          provider.hasIdToken
            ? { expectedNonce: derived(secret, 'nonce', state), requireIdToken: true }
            : undefined,
        );
        if (provider.hasIdToken) await validateApplicationLevelSignature(server, response, options);
        return await provider.accountOf({
          claims: provider.hasIdToken ? getValidatedIdTokenClaims(tokens) : undefined,
          read: (url) => readJson(fetchFrom, url, tokens.access_token),
        });
      } catch (error) {
        throw refusalOf(error);
      }
    },
  };
}

function authenticationFor({ clientSecret, sendsSecretInBody }: Provider, server: AuthorizationServer) {
  const methods = server.token_endpoint_auth_methods_supported;
  const takesHeader = methods === undefined || methods.includes('client_secret_basic');
  return sendsSecretInBody || !takesHeader ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
}

async function readJson(fetchFrom: ProviderFetch, url: string, accessToken: string): Promise<unknown> {
  const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}` };
  const response = await fetchFrom(url, { method: 'GET', headers });
  if (response.status !== 200)
    throw new ProviderRefusal('failed', {
      cause: new Error(`${new URL(url).host} responded with ${response.status}`),
    });
  return response.json();
}

/** Joins a list of scopes into one text. Twitch sends a list, which the standard doesn't allow. */
async function withTextScope(response: Response): Promise<Response> {
  const body = await response.text();
  const { status, headers } = response;
  const copy = (text: string): Response => new Response(text === '' ? null : text, { status, headers });
  if (!body.includes('"scope"')) return copy(body);
  try {
    const parsed = JSON.parse(body) as { scope?: unknown };
    return copy(
      Array.isArray(parsed.scope) ? JSON.stringify({ ...parsed, scope: parsed.scope.join(' ') }) : body,
    );
  } catch {
    return copy(body);
  }
}

function refusalOf(error: unknown): ProviderRefusal {
  if (error instanceof ProviderRefusal) return error;
  if (error instanceof AuthorizationResponseError && error.error === 'access_denied')
    return new ProviderRefusal('denied', { cause: error });
  return new ProviderRefusal('failed', { cause: error });
}

/** Derives a value of a visit: 43 letters and digits, as PKCE requires. */
const derived = (secret: Buffer, value: 'nonce' | 'verifier', state: string): string =>
  createHmac('sha256', secret).update(`provider ${value}\n${state}`).digest('base64url');
