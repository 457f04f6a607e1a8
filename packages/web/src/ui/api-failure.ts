import { t } from './text.ts';

/** Error thrown for an unsuccessful API response, or for a missing response. */
export class ApiFailure extends Error {
  /** Code from the error catalog; `NoAnswer` without a response. */
  readonly code: string;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  readonly requestId: string | null;
  /** Whole response body, including details beyond the code and message. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(response: Response | undefined, body: unknown) {
    const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
    const noAnswer = t(
      'The service didn’t respond. Check your connection, and make sure that the service is running.',
    );
    super(typeof fields.message === 'string' ? fields.message : response ? response.statusText : noAnswer);
    this.name = 'ApiFailure';
    this.code = typeof fields.code === 'string' ? fields.code : response ? 'UnknownError' : 'NoAnswer';
    this.status = response?.status ?? 0;
    this.requestId = response?.headers.get('x-request-id') ?? null;
    this.details = fields;
  }
}

/** Returns the message of any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const codeOf = (error: unknown): string | null => (error instanceof ApiFailure ? error.code : null);
