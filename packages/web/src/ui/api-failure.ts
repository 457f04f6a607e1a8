import { t } from './text.ts';

/** Error thrown for an unsuccessful API response, or for a missing response. */
export class ApiFailure extends Error {
  /** Code from the error catalog; `NoAnswer` if there was no response. */
  readonly code: string;
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly requestId: string | null;
  /** Other fields of the response, besides the code and the message. */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(response: Response | undefined, body: unknown) {
    const { code, message, ...facts }: Readonly<Record<string, unknown>> =
      typeof body === 'object' && body !== null ? { ...body } : {};
    const noAnswer = t(
      'The service didn’t respond. Check your connection, and make sure that the service is running.',
    );
    super(typeof message === 'string' ? message : response ? response.statusText : noAnswer);
    this.name = 'ApiFailure';
    this.code = typeof code === 'string' ? code : response ? 'UnknownError' : 'NoAnswer';
    this.status = response?.status ?? 0;
    this.requestId = response?.headers.get('x-request-id') ?? null;
    this.facts = facts;
  }
}

/** Returns the code that identifies an error; null for an error in the dashboard itself. */
export const codeOf = (error: unknown): string | null => (error instanceof ApiFailure ? error.code : null);
