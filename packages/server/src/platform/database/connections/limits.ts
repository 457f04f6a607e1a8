/** Time limits of a connection's work, in milliseconds. */
export interface Limits {
  /** Until there is a connection. */
  readonly connectMs: number;
  /** Longest wait of one statement for one lock. */
  readonly lockMs: number;
  /** One statement, on the server's side. */
  readonly statementMs: number;
  /** A transaction whose process does nothing. */
  readonly idleInTransactionMs: number;
  /** Until a connection that says nothing is given up: the database is frozen, or gone without a word. */
  readonly answerMs: number;
}

/** Database time of one request in all, waiting included: a 503 comes within five seconds. */
export const requestMs = 4_500;

/** Database time of a request made of steps, each within `requestMs`: a purchase of a thousand rows. */
export const requestOfStepsMs = 30_000;

/** Limits for answering HTTP. Nothing that a request waits for should need a second. */
export const requestLimits: Limits = {
  connectMs: 2_000,
  lockMs: 2_000,
  statementMs: 3_000,
  idleInTransactionMs: 10_000,
  answerMs: 3_500,
};

/** Key checks and the like come before everything else a request does. */
export const lookupLimits: Limits = {
  connectMs: 2_000,
  lockMs: 1_000,
  statementMs: 2_000,
  idleInTransactionMs: 10_000,
  answerMs: 2_500,
};

/** One commit for many requests. */
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

/** Nobody waits for background work, and it is tried again. */
export const backgroundLimits: Limits = {
  connectMs: 5_000,
  lockMs: 5_000,
  statementMs: 60_000,
  idleInTransactionMs: 60_000,
  answerMs: 65_000,
};

/** A command may read a whole ledger or stamp a million payments, and nobody but its caller waits for it. */
export const commandLimits: Limits = {
  connectMs: 5_000,
  lockMs: 60_000,
  statementMs: 3_600_000,
  idleInTransactionMs: 300_000,
  answerMs: 3_660_000,
};
