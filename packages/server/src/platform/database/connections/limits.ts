/** Time limits for connections and statements, in milliseconds. */
export interface Limits {
  /** Maximum wait for a connection. */
  readonly connectMs: number;
  /** Maximum wait of one statement for a single lock. */
  readonly lockMs: number;
  /** Maximum duration of one statement, enforced by the server. */
  readonly statementMs: number;
  /** Maximum time that a transaction may be idle. */
  readonly idleInTransactionMs: number;
  /**
   * Time without a response after which the database is considered frozen or gone and the connection is
   * closed.
   */
  readonly answerMs: number;
}

/** Maximum database time of one request, including waits, so that a 503 is sent within five seconds. */
export const requestMs = 4_500;

/**
 * Maximum database time of a request with several steps of up to `requestMs` each, such as recording a
 * purchase of a thousand rows.
 */
export const requestOfStepsMs = 30_000;

/** Limits for HTTP requests. No statement in a request should take a second. */
export const requestLimits: Limits = {
  connectMs: 2_000,
  lockMs: 2_000,
  statementMs: 3_000,
  idleInTransactionMs: 10_000,
  answerMs: 3_500,
};

/** Limits for lookups at the start of every request, such as checking a key. */
export const lookupLimits: Limits = {
  connectMs: 2_000,
  lockMs: 1_000,
  statementMs: 2_000,
  idleInTransactionMs: 10_000,
  answerMs: 2_500,
};

/** Limits for recording, where one commit serves many requests. */
export const recordingLimits: Limits = {
  connectMs: 2_000,
  lockMs: 2_000,
  statementMs: 4_000,
  idleInTransactionMs: 10_000,
  answerMs: 4_500,
};

export const readinessLimits: Limits = {
  connectMs: 1_000,
  lockMs: 1_000,
  statementMs: 1_000,
  idleInTransactionMs: 10_000,
  answerMs: 1_000,
};

/** Limits for background work. It is retried, and no client is waiting for it. */
export const backgroundLimits: Limits = {
  connectMs: 5_000,
  lockMs: 5_000,
  statementMs: 60_000,
  idleInTransactionMs: 60_000,
  answerMs: 65_000,
};

/**
 * Limits for commands, which may read an entire ledger or assign a million payments to a payout. Only the operator
 * waits for them.
 */
export const commandLimits: Limits = {
  connectMs: 5_000,
  lockMs: 60_000,
  statementMs: 3_600_000,
  idleInTransactionMs: 300_000,
  answerMs: 3_660_000,
};
