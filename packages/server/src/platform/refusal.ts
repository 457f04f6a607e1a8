/** Every code that a refusal, or an answer of the API, may carry: one catalog (docs/errors.md). The contract's first. */
export const refusalCodes = [
  'InvalidGroup',
  'CodeNotInGroup',
  'PlayerNotInGroup',
  'InvalidAuthCode',
  'ExpiredAuthCode',
  'AccountNotFound',
  'PlayerAlreadyLinked',
  'MemberAlreadyLinked',
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
  'RateLimited',
  'Unavailable',
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

/** Path of a value in an input: field names and list positions, outermost first. */
export type InputPath = readonly (string | number)[];

interface Details {
  /** Part of the operation's input that is refused. */
  path?: InputPath;
  /** Seconds after which trying again makes sense. */
  retryAfterSeconds?: number;
  /** Other refusals of the same input, for an entry point that can report all at once. */
  others?: readonly Refusal[];
  /** Data about the refusal for programs, as JSON, beside code and message. */
  facts?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

/**
 * Error that an operation throws when it rejects a request and has done nothing of it. It serves every entry point: the API
 * gives it a status and a form, the command line an exit code, the program file the line of its path. The caller reads the
 * message: a sentence that says what to do, without secrets and without words of one entry point.
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

/** Mistakes that one refusal names. */
export const maxMistakes = 20;

/** Joins mistakes into one message: all of them, or the first of very many. */
export const joinMistakes = (mistakes: readonly string[]): string =>
  mistakes.slice(0, maxMistakes).join('; ') + (mistakes.length > maxMistakes ? '; and more' : '');

/** Runs a part of an operation whose input stands at a path: what it refuses is refused there. */
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

/** The database, or a queue, cannot take the request now. */
export const unavailable = (message: string): Refusal =>
  new Refusal('Unavailable', message, { retryAfterSeconds: 1 });
