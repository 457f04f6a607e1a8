import { asTyped } from '../../program-name.ts';
import { sqlState, unavailability } from '../database-errors.ts';

const moreOnTls = 'docs/managed-postgresql.md says more.';
const looksCloser = `\`${asTyped('doctor')}\` looks closer.`;

/** Advice for each PostgreSQL error code that keeps a command out of the database. */
const byState: Readonly<Record<string, (message: string) => string>> = {
  '28P01': (message) =>
    `The database refuses user or password of DATABASE_URL (${message}). In the URL, special characters of a password are percent-encoded.`,
  '28000': notAdmitted,
  '3D000': (message) =>
    `The database that DATABASE_URL names is not there (${message}). Create it, as a superuser: create database NAME owner ROLE encoding 'UTF8' template template0;`,
  '42501': (message) =>
    `The role of DATABASE_URL may not do that (${message}). The database and its tables must belong to it, or be granted to it: alter database NAME owner to ROLE; docs/operating.md says more.`,
  '53300': (message) =>
    `The database takes no more connections (${message}). Raise its max_connections, or lower DATABASE_POOL_SIZE of other processes.`,
  '57P03': (message) => `The database is not ready yet (${message}). Try again in a moment.`,
  '25006': (message) =>
    `The database can only be read (${message}): it is a standby, or default_transaction_read_only is on. DATABASE_URL must name the primary.`,
  '55P03': (message) => `Something else holds what this needs (${message}). Try again in a moment.`,
  '57014': (message) => `The database ended this because it took too long (${message}).`,
};

const certificate = (what: string) => (message: string) =>
  `The database's certificate ${what} (${message}). Give its authority's certificate by sslrootcert=FILE in DATABASE_URL; ${moreOnTls}`;
const untrusted = certificate('is not one that is trusted');

/** Advice for each error code of the system and of TLS. */
const byCode: Readonly<Record<string, (message: string) => string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_HAS_EXPIRED: (message) => `The database's certificate, or its authority's, has expired (${message}).`,
  CERT_NOT_YET_VALID: (message) =>
    `The database's certificate is not valid yet (${message}). Is the clock right?`,
  ERR_TLS_CERT_ALTNAME_INVALID: (message) =>
    `The database's certificate is for another name (${message}). Connect by the name it is for; sslmode=verify-ca does not look at names. ${moreOnTls}`,
  ECONNREFUSED: (message) =>
    `The database cannot be reached: nothing listens there (${message}). Check host and port of DATABASE_URL, and that it runs.`,
  ENOTFOUND: (message) =>
    `The database cannot be reached: there is no such host (${message}). Check the host of DATABASE_URL.`,
  EAI_AGAIN: (message) =>
    `The database cannot be reached: its host's name cannot be looked up now (${message}).`,
  ENOENT: (message) =>
    `The database cannot be reached: there is no such socket (${message}). Check host and port of DATABASE_URL, and that it runs.`,
  EACCES: (message) => `The database cannot be reached: this user may not use its socket (${message}).`,
  ETIMEDOUT: silent,
  EHOSTUNREACH: silent,
  ENETUNREACH: silent,
};

const byMessage: readonly (readonly [RegExp, (message: string) => string])[] = [
  [
    /does not support SSL/,
    () =>
      'DATABASE_URL asks for TLS, and the database offers none. Switch it on there (ssl = on), or say sslmode=disable.',
  ],
  [
    /client password must be a (?:non-empty )?string/,
    () => 'The database asks for a password, and DATABASE_URL has none.',
  ],
  [/^timeout e|^Connection terminated due to connection timeout/, silent],
  [
    /establishing an SSL connection|handshake|alert|PEM|bad decrypt|key values mismatch/i,
    (message) =>
      `The encrypted connection to the database failed (${message}). Check sslcert and sslkey; ${moreOnTls}`,
  ],
];

/**
 * @returns one or two sentences for a person at the command line, with what to do and without any password;
 *   null for an error that is not about reaching the database
 */
export function connectionWords(error: unknown): string | null {
  const cause = first(error);
  const message = cause.message.replace(/\.$/, '');
  const state = sqlState(cause);
  if (state !== null && byState[state] !== undefined) return byState[state](message);
  const { code, syscall } = cause as NodeJS.ErrnoException;
  if ((code === 'ENOENT' || code === 'EACCES') && syscall !== 'connect') return null; // a file's, not a socket's
  if (code !== undefined && byCode[code] !== undefined) return byCode[code](message);
  for (const [pattern, words] of byMessage)
    if (pattern.test(message) || pattern.test(code ?? '')) return words(message);
  return unavailability(cause) === null ? null : `The database cannot be reached: ${message}. ${looksCloser}`;
}

/** A name with several addresses fails once for each; the last says enough. */
function first(error: unknown): Error {
  if (error instanceof AggregateError && error.errors.length > 0) return first(error.errors.at(-1));
  return error instanceof Error ? error : new Error(String(error));
}

function silent(message: string): string {
  return `The database cannot be reached: nothing answers there (${message}). Check host and port of DATABASE_URL, and that a firewall lets this machine through.`;
}

function notAdmitted(message: string): string {
  if (/client certificate/.test(message))
    return `The database asks for a client certificate (${message}). Name it and its key by sslcert=FILE and sslkey=FILE in DATABASE_URL; ${moreOnTls}`;
  if (/no encryption|SSL off/.test(message))
    return `The database does not admit this connection (${message}). If it admits encrypted ones, add sslmode=verify-full and sslrootcert=FILE, or sslmode=require, to DATABASE_URL; ${moreOnTls}`;
  return `The database does not admit the user of DATABASE_URL (${message}). Check the user, and pg_hba.conf on its side.`;
}
