/** Codes of refusals and API errors (docs/errors.md), starting with the contract's codes. */
export const refusalCodes = [
  'InvalidGroup',
  'CodeNotInGroup',
  'PlayerNotInGroup',
  'InvalidAuthCode',
  'ExpiredAuthCode',
  'AccountNotFound',
  'PlayerAlreadyLinked',
  'MemberAlreadyLinked',
  'ReferralAccountNotFound',
  'MemberNotFound',
  'BountyNotFound',
  'InvalidEventCode',
  'InvalidCursor',
  'UnknownError',

  'Unauthorized',
  'SignInAgain',
  'Forbidden',
  'NotFound',
  'InvalidInput',
  'InvalidStatus',
  'InvalidOrigin',
  'InvalidSort',
  'InvalidDate',
  'InvalidCodeScope',
  'InvalidPage',
  'InvalidPageSize',
  'PayloadTooLarge',
  'Conflict',
  'Stale',
  'RateLimited',
  'Unavailable',
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

/** Path of a value in an input: field names and list positions, outermost first. */
export type InputPath = readonly (string | number)[];

interface Details {
  path?: InputPath;
  retryAfterSeconds?: number;
  /** Other refusals of the same input, for entry points that can report all of them at once. */
  others?: readonly Refusal[];
  /** Machine-readable data about the refusal, as JSON, in addition to code and message. */
  facts?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

/**
 * Error that an operation throws when it rejects a request without changing anything. Each entry point translates the
 * refusal: the API returns a status and a body, the command line sets an exit code, and the program file's errors name
 * a line. The message tells the caller what to do, doesn't contain secrets, and is worded to suit every entry point.
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly path: InputPath | null;
  readonly retryAfterSeconds: number | null;
  readonly others: readonly Refusal[];
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(code: RefusalCode, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.path = details.path ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.others = details.others ?? [];
    this.facts = details.facts ?? {};
  }
}

export const maxMistakes = 20;

export const joinMistakes = (mistakes: readonly string[]): string =>
  mistakes.slice(0, maxMistakes).join('; ') + (mistakes.length > maxMistakes ? '; and more' : '');

/**
 * Runs the part of an operation that handles the input at `path`, and prepends `path` to the paths of its
 * refusals.
 */
export async function refusingAt<Result>(path: InputPath, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw below(path, error);
  }
}

function below(path: InputPath, refusal: Refusal): Refusal {
  return new Refusal(refusal.code, refusal.message, {
    path: [...path, ...(refusal.path ?? [])],
    ...(refusal.retryAfterSeconds !== null && { retryAfterSeconds: refusal.retryAfterSeconds }),
    others: refusal.others.map((other) => below(path, other)),
    facts: refusal.facts,
    cause: refusal,
  });
}

/** Creates the refusal for a request that the database or a queue can't accept right now. */
export const unavailable = (message: string): Refusal =>
  new Refusal('Unavailable', message, { retryAfterSeconds: 1 });
