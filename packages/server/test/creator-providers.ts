import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Configuration, interactionPolicy, Provider } from 'oidc-provider';
import type { ProviderUrls } from '../src/portal/providers/open-providers.ts';

/** Providers that a test service has: two of them, `aurora` and `studio`, are OpenID Connect providers. */
export type ProviderId = 'twitch' | 'discord' | 'youtube' | 'aurora' | 'studio';

/** Account at a provider. */
export interface AccountThere {
  /** Id that the provider calls `sub` or `id`. For YouTube, the id of the channel; null without a channel. */
  id: string | null;
  name: string;
  email?: string;
}

/** OAuth server on this machine that behaves like one of the providers. */
export interface CreatorProvider {
  issuer: string;
  /** Account that signs in next. */
  account: AccountThere;
  /** True if the person refuses. */
  denies: boolean;
  /** Behavior of everything but the pages: normal, failing, never responding, or responding without end. */
  fault: 'none' | 'failing' | 'silent' | 'endless';
  /** Requests to everything but the pages, as `POST /token`. */
  requests: string[];
  close(): Promise<void>;
}

const clientId = 'portal';
const clientSecret = 'portal-provider-secret-3f9a';

/** What differs between the providers. */
const shapes: Readonly<Record<ProviderId, Configuration>> = {
  aurora: { claims: { openid: ['sub'], profile: ['preferred_username'] } },
  studio: { claims: { openid: ['sub'], names: ['preferred_username'] } },
  twitch: {
    claims: { openid: ['sub', 'preferred_username'] },
    features: { claimsParameter: { enabled: true } },
    scopes: ['openid'],
  },
  discord: {
    scopes: ['identify'],
    routes: { authorization: '/oauth2/authorize', token: '/api/oauth2/token' },
  },
  youtube: { scopes: ['openid', 'https://www.googleapis.com/auth/youtube.readonly'] },
};

/** Starts a server for a provider. @param redirectUri the only URL that it sends browsers back to */
export async function startCreatorProvider(kind: ProviderId, redirectUri: string): Promise<CreatorProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async () => undefined;
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const there: CreatorProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    account: { id: 'none', name: 'None' },
    denies: false,
    fault: 'none',
    requests: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const provider = openProvider(kind, there, redirectUri);
  const oauth = provider.callback();
  handle = async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', there.issuer);
    if (pathname.startsWith('/interaction/')) return answerQuestion(provider, there, request, response);
    const isPage = /auth/.test(pathname) && !pathname.endsWith('/token');
    if (!isPage) there.requests.push(`${request.method} ${pathname}`);
    if (!isPage && there.fault !== 'none') return fail(there.fault, response);
    const api = apis[kind]?.[pathname];
    if (api !== undefined) return api(provider, there, request, response);
    await oauth(request, response);
  };
  return there;
}

function openProvider(kind: ProviderId, there: CreatorProvider, redirectUri: string): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
  const provider: Provider = new Provider(there.issuer, {
    ...shapes[kind],
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method:
          kind === 'twitch' || kind === 'discord' ? 'client_secret_post' : 'client_secret_basic',
      },
    ],
    jwks: {
      keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'k' }] as never,
    },
    cookies: { keys: ['cookie-key'] },
    pkce: { required: () => false },
    conformIdTokenClaims: false,
    features: { ...shapes[kind].features, devInteractions: { enabled: false } },
    interactions: { policy, url: (_, { uid }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    renderError: (context, out) => {
      context.body = out;
    },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: async () => ({ sub, preferred_username: there.account.name, email: there.account.email }),
    }),
    async loadExistingGrant(context) {
      const { client, session, params } = context.oidc;
      const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
      grant.addOIDCScope(String(params?.scope ?? ''));
      grant.addOIDCClaims(['preferred_username']);
      await grant.save();
      return grant;
    },
  });
  if (kind === 'twitch')
    provider.use(async (context, next) => {
      await next();
      const body = context.body as { scope?: unknown } | undefined;
      // Twitch sends a list, which the standard doesn't allow.
      if (context.path === '/token' && typeof body?.scope === 'string') body.scope = body.scope.split(' ');
    });
  return provider;
}

/** Answers the provider's question to the person. */
async function answerQuestion(
  provider: Provider,
  { account, denies }: CreatorProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt } = await provider.interactionDetails(request, response);
  if (denies) return provider.interactionFinished(request, response, { error: 'access_denied' });
  const accountId = account.id ?? 'without-channel';
  const answer = prompt.name === 'login' ? { login: { accountId } } : { [prompt.name]: {} };
  return provider.interactionFinished(request, response, answer, { mergeWithLastSubmission: true });
}

type Api = (
  provider: Provider,
  there: CreatorProvider,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>;

/** APIs that tell who the token belongs to. */
const apis: Partial<Record<ProviderId, Readonly<Record<string, Api>>>> = {
  discord: {
    '/api/users/@me': withToken(({ account: { id, name } }) => ({
      id,
      username: name.toLowerCase(),
      global_name: name,
      avatar: null,
      discriminator: '0',
    })),
  },
  youtube: {
    '/youtube/v3/channels': withToken(({ account: { id, name } }) => ({
      kind: 'youtube#channelListResponse',
      pageInfo: { totalResults: id === null ? 0 : 1, resultsPerPage: 5 },
      ...(id !== null && { items: [{ kind: 'youtube#channel', id, snippet: { title: name } }] }),
    })),
  },
};

function withToken(answer: (there: CreatorProvider) => object): Api {
  return async (provider, there, { headers }, response) => {
    const token = await provider.AccessToken.find(headers.authorization?.slice('Bearer '.length) ?? '');
    const [status, body] = token === undefined ? [401, { message: 'unauthorized' }] : [200, answer(there)];
    response.writeHead(status as number, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}

function fail(fault: CreatorProvider['fault'], response: ServerResponse): void {
  if (fault === 'failing') response.writeHead(503).end();
  if (fault !== 'endless') return;
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = (): void => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

export type CreatorProviders = Record<ProviderId, CreatorProvider>;

/** Starts all providers. @returns them, with the settings and URLs of a service that uses them */
export async function startCreatorProviders(origin: string): Promise<{
  there: CreatorProviders;
  environment: Record<string, string>;
  providerUrls: ProviderUrls;
  close(): Promise<void>;
}> {
  const start = (kind: ProviderId) =>
    startCreatorProvider(kind, `${origin}/portal/v1/auth/providers/${kind}/callback`);
  const there: CreatorProviders = {
    twitch: await start('twitch'),
    discord: await start('discord'),
    youtube: await start('youtube'),
    aurora: await start('aurora'),
    studio: await start('studio'),
  };
  const names = ['TWITCH', 'DISCORD', 'YOUTUBE'];
  const own = { clientId, clientSecret };
  return {
    there,
    environment: {
      ...Object.fromEntries(
        names.flatMap((name) => [
          [`PORTAL_${name}_CLIENT_ID`, clientId],
          [`PORTAL_${name}_CLIENT_SECRET`, clientSecret],
        ]),
      ),
      PORTAL_OIDC_PROVIDERS: JSON.stringify([
        { ...own, id: 'aurora', name: 'Aurora account', issuer: there.aurora.issuer },
        { ...own, id: 'studio', name: 'Studio account', issuer: there.studio.issuer, scope: 'openid names' },
      ]),
    },
    providerUrls: {
      twitch: there.twitch.issuer,
      discord: there.discord.issuer,
      google: there.youtube.issuer,
      youtube: there.youtube.issuer,
    },
    async close() {
      for (const each of Object.values(there)) await each.close();
    },
  };
}

/** Follows redirects as a browser does, with the cookies of one provider, until the provider sends the browser back. */
export async function visitProvider(url: string, backTo: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = url;
  for (let hops = 0; hops < 15; hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      if (pair.slice(at + 1) === '') cookies.delete(pair.slice(0, at));
      else cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(
        `the provider responded with ${response.status}: ${(await response.text()).slice(0, 300)}`,
      );
    next = new URL(location, next).href;
    if (next.startsWith(backTo)) return new URL(next);
  }
  throw new Error('the provider redirects without end');
}
