/** Returns the five-character code of an error from the PostgreSQL server, or null for other errors. */
export function sqlState(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

/** Class of error codes for violated constraints. */
const integrityStates = /^23/;
const constraintInMessage = /constraint "([^"]+)"/;
/** Suffix that Citus appends to the name of a shard's constraint. */
const shardNumber = /_\d{5,}$/;

/** Returns the name of the violated constraint as the migrations define it, or null for other errors. */
export function violatedConstraint(error: unknown): string | null {
  if (!integrityStates.test(sqlState(error) ?? '')) return null;
  const { constraint, message } = error as { constraint?: unknown; message?: unknown };
  const name = typeof constraint === 'string' ? constraint : constraintInMessage.exec(String(message))?.[1];
  return name?.replace(shardNumber, '') ?? null;
}

/** Error for a query that didn't get a response in time. Its changes may have been saved. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';

  constructor() {
    super('the database did not respond in time');
  }
}

/** Error for a query that didn't get a connection in time. It wasn't sent to the database. */
export class NoConnectionError extends Error {
  override readonly name = 'NoConnectionError';

  constructor() {
    super('no connection became available in time');
  }
}

/** Error for a database that is a standby or was set to read-only. */
export class ReadOnlyError extends Error {
  override readonly name = 'ReadOnlyError';

  constructor() {
    super('the database is read-only');
  }
}

/**
 * Returns whether the error is a serialization failure or a deadlock. No changes were saved, and retrying the
 * transaction may succeed.
 */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error) ?? '');

/**
 * Returns whether a named statement is missing or already exists because a pooler has given the connection to another
 * client. The statement wasn't executed.
 */
export const isStatementLost = (error: unknown): boolean =>
  ['26000', '42P05'].includes(sqlState(error) ?? '');

const unavailableSystemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'EACCES',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const unavailableMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

/**
 * Temporary reasons why the database is unavailable.
 * - `busy`: a lock or connection was not available in time, or a statement took too long. Nothing was saved.
 * - `read-only`: the database is a standby, or was set to read-only. Nothing was saved.
 * - `rights`: the service's role lacks a right, as it may during an upgrade. Nothing was saved.
 * - `unreachable`: the database is down, stopping, out of disk space or not responding. The outcome may be
 *   unknown.
 */
export type Unavailability = 'busy' | 'read-only' | 'rights' | 'unreachable';

// Lock, statement and connection limits, and retryable errors after the last attempt.
const busyStates = new Set(['55P03', '57014', '53300', '53400', '40001', '40P01']);
// Connection exceptions, shutdown, full disk, I/O errors, and transactions that were idle for too long.
const unreachableStates = /^(08...|57P0[1-5]|53...|58030|25P03)$/;

/** Returns the reason the database is unavailable, or null for an error that a retry can't fix. */
export function unavailability(error: unknown): Unavailability | null {
  if (error instanceof NoConnectionError) return 'busy';
  if (error instanceof NoAnswerError) return 'unreachable';
  if (error instanceof ReadOnlyError) return 'read-only';
  const state = sqlState(error);
  if (state !== null) {
    if (busyStates.has(state)) return 'busy';
    if (state === '25006') return 'read-only';
    if (state === '42501') return 'rights';
    if (unreachableStates.test(state)) return 'unreachable';
  }
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string' && unavailableSystemCodes.has(code)) return 'unreachable';
  return error instanceof Error && unavailableMessages.test(error.message) ? 'unreachable' : null;
}

/** Returns whether the database is unavailable for any reason. The outcome may be unknown. */
export const isUnavailable = (error: unknown): boolean => unavailability(error) !== null;
