/** @returns PostgreSQL's five-character code, when the server answered with an error */
export function sqlState(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

/** A class of its own of PostgreSQL's codes: a constraint was violated. */
const integrityStates = /^23/;
const constraintInMessage = /constraint "([^"]+)"/;
/** With Citus a shard's constraint is called as the table's, and the shard's number. */
const shardNumber = /_\d{5,}$/;

/** @returns the constraint an error names, as the migrations call it, or null */
export function violatedConstraint(error: unknown): string | null {
  if (!integrityStates.test(sqlState(error) ?? '')) return null;
  const { constraint, message } = error as { constraint?: unknown; message?: unknown };
  const name = typeof constraint === 'string' ? constraint : constraintInMessage.exec(String(message))?.[1];
  return name?.replace(shardNumber, '') ?? null;
}

/** A connection said nothing in time. What its query was to change may have been changed. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';

  constructor() {
    super('the database did not answer in time');
  }
}

/** Others had all connections for too long; nothing was asked of the database. */
export class NoConnectionError extends Error {
  override readonly name = 'NoConnectionError';

  constructor() {
    super('no connection was free in time');
  }
}

/** The database is a standby, or somebody lets it be read only. */
export class ReadOnlyError extends Error {
  override readonly name = 'ReadOnlyError';

  constructor() {
    super('the database is read-only');
  }
}

/** A serialization failure or a deadlock: nothing was saved, and the same transaction may go through. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error) ?? '');

/**
 * A named statement is missing, or there already: a pooler gave the connection to somebody else meanwhile.
 * Nothing was executed.
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
 * Why the database cannot do now what it can do later.
 * `busy`: locks, connections or time were not to be had, and nothing was saved. `read-only`: a standby, or somebody set
 * it so; nothing was saved. `rights`: the service's role may not do it, as while an upgrade gives rights; nothing was saved. `unreachable`: it is away, stopping, full or silent, and the outcome may be unknown.
 */
export type Unavailability = 'busy' | 'read-only' | 'rights' | 'unreachable';

// Lock, statement and connection limits, and what isRetryable still finds after the last attempt.
const busyStates = new Set(['55P03', '57014', '53300', '53400', '40001', '40P01']);
// Connection exceptions, shutdown, disk full, I/O errors, a transaction that was idle too long.
const unreachableStates = /^(08...|57P0[1-5]|53...|58030|25P03)$/;

/** @returns null for an error that trying again does not help */
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

/** @returns whether the database could not be reached or could not answer; the outcome may be unknown */
export const isUnavailable = (error: unknown): boolean => unavailability(error) !== null;
