import { t } from './text.ts';

/** An answer of the API that is no success, or none that came. */
export class ApiFailure extends Error {
  /** The code of the error catalog; `NoAnswer` where nothing came. */
  readonly code: string;
  /** 0 where nothing came. */
  readonly status: number;
  readonly requestId: string | null;
  /** What the answer says beside code and message. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(response: Response | undefined, body: unknown) {
    const said = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
    const noAnswer = t('The service did not answer. Is it running, and the network there?');
    super(typeof said.message === 'string' ? said.message : response ? response.statusText : noAnswer);
    this.name = 'ApiFailure';
    this.code = typeof said.code === 'string' ? said.code : response ? 'UnknownError' : 'NoAnswer';
    this.status = response?.status ?? 0;
    this.requestId = response?.headers.get('x-request-id') ?? null;
    this.details = said;
  }
}

/** What people read of an error, whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const codeOf = (error: unknown): string | null => (error instanceof ApiFailure ? error.code : null);
