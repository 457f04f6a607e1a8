/** @returns PostgreSQL's five-character code, when the server answered with an error */
export function sqlState(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

/** @returns the constraint an error names, or null */
export function violatedConstraint(error: unknown): string | null {
  const constraint = (error as { constraint?: unknown } | null)?.constraint;
  return typeof constraint === 'string' ? constraint : null;
}

/** A serialization failure or a deadlock: nothing was saved, and the same transaction may go through. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error) ?? '');

/**
 * A named statement is missing, or there already: a pooler gave the connection to somebody else meanwhile.
 * Nothing was executed.
 */
export const isStatementLost = (error: unknown): boolean =>
  ['26000', '42P05'].includes(sqlState(error) ?? '');

// Connection exceptions, shutdown, too many connections, read-only during a failover, disk full,
// lock or statement timeouts: the database cannot answer now, and the caller may try again.
const unavailableStates = /^(08...|57P0[1-4]|57014|53...|25006|55P03|58030)$/;
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
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

/** @returns whether the database could not be reached or could not answer; the outcome may be unknown */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null && unavailableStates.test(state)) return true;
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string' && unavailableSystemCodes.has(code)) return true;
  return error instanceof Error && unavailableMessages.test(error.message);
}
