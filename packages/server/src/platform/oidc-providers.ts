import { oidcIssuer } from './setting-parsers.ts';

/** OpenID Connect provider that creators may sign in with. */
export interface OidcProvider {
  /** Name in URLs, such as that of the callback. */
  readonly id: string;
  /** Name on buttons. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
}

export const maxOidcProviders = 10;
/** Ids that the other sign-in methods have. */
const takenIds = ['twitch', 'discord', 'youtube', 'passkey'];
const defaultScope = 'openid profile';

interface Field {
  isValid(value: string): boolean;
  /** Completes the sentence "`field` must be …". */
  mustBe: string;
}

const printable = (max: number): Field => ({
  isValid: (value) => /\S/.test(value) && value.length <= max && !/\p{C}/u.test(value),
  mustBe: `text of 1 to ${max} characters`,
});
const fields: Readonly<Record<keyof OidcProvider, Field>> = {
  id: {
    isValid: (value) => /^[a-z][a-z0-9-]{0,29}$/.test(value) && !takenIds.includes(value),
    mustBe: `1 to 30 lowercase letters, digits and dashes that begin with a letter, and not ${takenIds.join(', ')}`,
  },
  name: printable(40),
  issuer: {
    isValid(value) {
      try {
        return value.length <= 500 && oidcIssuer(value) !== null;
      } catch {
        return false;
      }
    },
    mustBe: "the provider's issuer URL, such as https://accounts.example.com",
  },
  clientId: printable(500),
  clientSecret: printable(1_000),
  scope: {
    isValid: (value) =>
      value.length <= 500 &&
      /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(value) &&
      value.split(' ').includes('openid'),
    mustBe: 'scopes separated by single spaces, with openid among them',
  },
};
const names = Object.keys(fields) as (keyof OidcProvider)[];

/** Parses the providers, in the order of their buttons. @throws Error that doesn't quote the text, which contains secrets */
export function oidcProviders(text: string): readonly OidcProvider[] {
  if (text === '') return [];
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new Error('must be valid JSON: a list of providers in brackets');
  }
  if (!Array.isArray(given) || given.length > maxOidcProviders)
    throw new Error(`must be a JSON list of at most ${maxOidcProviders} providers`);
  const providers = given.map((each, index) => providerOf(each, index + 1));
  for (const field of ['id', 'issuer'] as const)
    if (new Set(providers.map((each) => each[field])).size < providers.length)
      throw new Error(`has two providers with the same ${field}; each provider needs its own`);
  return providers;
}

function providerOf(given: unknown, position: number): OidcProvider {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Error(`must be a list of JSON objects; provider ${position} is none`);
  const values: Record<string, unknown> = { scope: defaultScope, ...given };
  const unknown = Object.keys(values).some((name) => !Object.hasOwn(fields, name));
  if (unknown) throw new Error(`has a field in provider ${position} other than ${names.join(', ')}`);
  for (const name of names) {
    const value = values[name];
    if (typeof value !== 'string' || !fields[name].isValid(value))
      throw new Error(`has no valid \`${name}\` in provider ${position}; it must be ${fields[name].mustBe}`);
  }
  return values as unknown as OidcProvider;
}
