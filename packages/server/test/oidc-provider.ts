import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Person who signs in with the provider next, as named in its ID tokens. */
export interface ProviderPerson {
  sub: string;
  email: string;
  email_verified?: boolean;
  name?: string;
}

export interface OidcTestProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  person: ProviderPerson;
  /** True to sign the next ID token with another key. */
  forges: boolean;
  close(): Promise<void>;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Starts an OpenID Connect provider over HTTP on this machine: discovery, keys, the code flow with PKCE. */
export async function startOidcProvider(): Promise<OidcTestProvider> {
  const [pair, other] = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2_048 }));
  if (pair === undefined || other === undefined) throw new Error('no keys');
  const codes = new Map<string, { nonce: string | null; challenge: string | null }>();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', provider.issuer);
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (url.pathname === '/.well-known/openid-configuration')
      return json({
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        jwks_uri: `${provider.issuer}/keys`,
        id_token_signing_alg_values_supported: ['RS256'],
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
      });
    if (url.pathname === '/keys')
      return json({
        keys: [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }],
      });
    if (url.pathname === '/authorize') {
      const code = `code-${codes.size}`;
      codes.set(code, {
        nonce: url.searchParams.get('nonce'),
        challenge: url.searchParams.get('code_challenge'),
      });
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', url.searchParams.get('state') ?? '');
      return response.writeHead(302, { location: back.href }).end();
    }
    const form = new URLSearchParams(await text(request));
    const asked = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (asked === undefined || asked.challenge !== verifier) return json({ error: 'invalid_grant' }, 400);
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: provider.issuer,
      aud: provider.clientId,
      iat: now,
      exp: now + 300,
      nonce: asked.nonce,
      ...provider.person,
    };
    const body = `${encode({ alg: 'RS256', kid: 'k', typ: 'JWT' })}.${encode(claims)}`;
    const key = (provider.forges ? other : pair).privateKey;
    const signature = sign('sha256', Buffer.from(body), key).toString('base64url');
    return json({
      access_token: 'at',
      token_type: 'Bearer',
      expires_in: 300,
      id_token: `${body}.${signature}`,
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider: OidcTestProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: 'creators',
    clientSecret: 'provider-secret',
    person: { sub: 'nobody', email: 'nobody@example.com' },
    forges: false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;
}
