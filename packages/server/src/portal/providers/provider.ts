import type { AuthorizationServer, IDToken } from 'oauth4webapi';

/** Account at a provider, as the provider has confirmed it. */
export interface ProviderAccount {
  /** Namespace of the subject. */
  issuer: string;
  /** The provider's own id for the account. */
  subject: string;
  /** Name that the creator recognizes the account by. It proves nothing. */
  name: string | null;
}

/** Response of a provider to a confirmed visit. */
export interface Confirmed {
  /** Claims of the verified ID token; undefined if the provider has none. */
  claims: IDToken | undefined;
  /** Reads JSON from the provider's API with the access token. */
  read(url: string): Promise<unknown>;
}

/** Provider that creators can sign in with, with what differs between providers. */
export interface Provider {
  /** `twitch`, `discord`, `youtube`, or the id in the settings of an OpenID Connect provider. */
  id: string;
  /** Name on buttons. */
  name: string;
  clientId: string;
  clientSecret: string;
  /** Namespace of the ids of accounts. */
  issuer: string;
  /** URL whose configuration is read by discovery, or the configuration itself. */
  server: { discoverAt: string } | { fixed: AuthorizationServer };
  /** URLs on the hosts that the operator or this code names. Other hosts must have public addresses. */
  ownUrls: readonly string[];
  scope: string;
  /** True if the provider sends an ID token, which then must be valid. */
  hasIdToken: boolean;
  /** True if the provider takes the secret only in the body. */
  sendsSecretInBody?: boolean;
  /** More parameters for the provider's page. */
  parameters?: Readonly<Record<string, string>>;
  /** @throws ProviderRefusal */
  accountOf(confirmed: Confirmed): Promise<ProviderAccount>;
}

/** Reason why a visit to a provider didn't succeed. The portal's pages explain each. */
export const visitProblems = [
  'denied',
  'expired',
  'failed',
  'unavailable',
  'unknown',
  'taken',
  'no-channel',
  'too-many',
] as const;
export type VisitProblem = (typeof visitProblems)[number];

/** Failure of a visit to a provider. */
export class ProviderRefusal extends Error {
  readonly problem: VisitProblem;

  constructor(problem: VisitProblem, options?: ErrorOptions) {
    super(`the visit to the provider ended with ${problem}`, options);
    this.problem = problem;
  }
}

/** Returns an id if it has the form that provider ids have. @throws ProviderRefusal */
export function requireSubject(value: unknown): string {
  if (typeof value !== 'string' || value === '' || value.length > 255 || value.includes('\0'))
    throw new ProviderRefusal('failed', { cause: new Error('the provider sent no usable id') });
  return value;
}

/** Returns the first text that can be shown as a name, without control characters. */
export function shownName(...values: readonly unknown[]): string | null {
  for (const value of values) {
    const name = typeof value === 'string' ? value.replaceAll(/\p{C}/gu, '').trim().slice(0, 100).trim() : '';
    if (name !== '') return name;
  }
  return null;
}
