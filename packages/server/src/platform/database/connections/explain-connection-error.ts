import { asTyped } from '../../program-name.ts';
import { sqlState, unavailability } from '../database-errors.ts';

const moreOnTls = 'See docs/managed-postgresql.md.';
const runDoctor = `Run \`${asTyped('doctor')}\` for details.`;

/** Advice by PostgreSQL error code, for errors that prevent a command from connecting. */
const byState: Readonly<Record<string, (message: string) => string>> = {
  '28P01': (message) =>
    `The database rejects the user or password in DATABASE_URL (${message}). Special characters in a password must be percent-encoded in the URL.`,
  '28000': notAdmitted,
  '3D000': (message) =>
    `The database in DATABASE_URL does not exist (${message}). Create it as a superuser: create database NAME owner ROLE encoding 'UTF8' template template0;`,
  '42501': (message) =>
    `The role in DATABASE_URL lacks a privilege (${message}). It must own the database and its tables, or have rights on them: alter database NAME owner to ROLE; See docs/operating.md.`,
  '53300': (message) =>
    `The database has reached its connection limit (${message}). Raise its max_connections, or lower DATABASE_POOL_SIZE in other processes.`,
  '57P03': (message) => `The database is not ready yet (${message}). Try again in a moment.`,
  '25006': (message) =>
    `The database is read-only (${message}): it is a standby, or default_transaction_read_only is on. DATABASE_URL must name the primary.`,
  '55P03': (message) =>
    `Another session holds a lock that this command needs (${message}). Try again in a moment.`,
  '57014': (message) => `The database canceled the statement because it took too long (${message}).`,
};

const certificate = (what: string) => (message: string) =>
  `The database's certificate ${what} (${message}). Add sslrootcert=FILE to DATABASE_URL, with the certificate of its authority. ${moreOnTls}`;
const untrusted = certificate('is not trusted');

/** Advice by error code of the operating system or TLS. */
const byCode: Readonly<Record<string, (message: string) => string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_HAS_EXPIRED: (message) =>
    `The certificate of the database or of its authority has expired (${message}).`,
  CERT_NOT_YET_VALID: (message) =>
    `The database's certificate is not valid yet (${message}). Check this machine's clock.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (message) =>
    `The database's certificate is for another name (${message}). Connect with the name in the certificate; sslmode=verify-ca does not check names. ${moreOnTls}`,
  ECONNREFUSED: (message) =>
    `Couldn't reach the database: the connection was refused (${message}). Check the host and port in DATABASE_URL, and that the database is running.`,
  ENOTFOUND: (message) =>
    `Couldn't reach the database: no such host (${message}). Check the host in DATABASE_URL.`,
  EAI_AGAIN: (message) => `Couldn't reach the database: looking up its host failed (${message}).`,
  ENOENT: (message) =>
    `Couldn't reach the database: no such socket (${message}). Check the host and port in DATABASE_URL, and that the database is running.`,
  EACCES: (message) => `Couldn't reach the database: this user may not use its socket (${message}).`,
  ETIMEDOUT: silent,
  EHOSTUNREACH: silent,
  ENETUNREACH: silent,
};

const byMessage: readonly (readonly [RegExp, (message: string) => string])[] = [
  [
    /does not support SSL/,
    () =>
      "DATABASE_URL requires TLS, which the database doesn't offer. Enable it there (ssl = on), or use sslmode=disable.",
  ],
  [
    /client password must be a (?:non-empty )?string/,
    () => 'The database requires a password, but DATABASE_URL does not contain one.',
  ],
  [/^timeout e|^Connection terminated due to connection timeout/, silent],
  [
    /establishing an SSL connection|handshake|alert|PEM|bad decrypt|key values mismatch/i,
    (message) =>
      `The encrypted connection to the database failed (${message}). Check sslcert and sslkey. ${moreOnTls}`,
  ],
];

/**
 * Explains a connection error to the operator, with advice and without passwords.
 * @returns one or two sentences, or null if the error isn't about the connection
 */
export function explainConnectionError(error: unknown): string | null {
  const cause = first(error);
  const message = cause.message.replace(/\.$/, '');
  const state = sqlState(cause);
  if (state !== null && byState[state] !== undefined) return byState[state](message);
  const { code, syscall } = cause as NodeJS.ErrnoException;
  if ((code === 'ENOENT' || code === 'EACCES') && syscall !== 'connect') return null; // about a file, not a socket
  if (code !== undefined && byCode[code] !== undefined) return byCode[code](message);
  for (const [pattern, words] of byMessage)
    if (pattern.test(message) || pattern.test(code ?? '')) return words(message);
  return unavailability(cause) === null ? null : `Couldn't reach the database: ${message}. ${runDoctor}`;
}

/**
 * Returns the last of several errors, or the error itself. Connecting to a host with several addresses fails once per
 * address, but one error is enough.
 */
function first(error: unknown): Error {
  if (error instanceof AggregateError && error.errors.length > 0) return first(error.errors.at(-1));
  return error instanceof Error ? error : new Error(String(error));
}

function silent(message: string): string {
  return `Couldn't reach the database: there was no response (${message}). Check the host and port in DATABASE_URL, and that no firewall blocks this machine.`;
}

function notAdmitted(message: string): string {
  if (/client certificate/.test(message))
    return `The database requires a client certificate (${message}). Add sslcert=FILE and sslkey=FILE to DATABASE_URL, with the certificate and its key. ${moreOnTls}`;
  if (/no encryption|SSL off/.test(message))
    return `The database does not allow this connection (${message}). If it allows encrypted connections, add sslmode=verify-full and sslrootcert=FILE, or sslmode=require, to DATABASE_URL. ${moreOnTls}`;
  return `The database does not allow the user in DATABASE_URL to connect (${message}). Check the user, and pg_hba.conf on the server.`;
}
