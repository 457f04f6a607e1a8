/** Response of the fake service. */
export interface Answer {
  readonly status: number;
  /** Sent as JSON, except for text. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Rejection that a fake operation throws. */
export class Rejection extends Error {
  readonly answer: Answer;

  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    super(`rejected with ${status}`);
    this.answer = { status, body, headers };
  }
}

/** Creates a rejection with the usual body. */
export const problem = (status: number, code: string, message: string = code): Rejection =>
  new Rejection(status, { code, message });

/** Request to the fake service. */
export interface FakeRequest {
  /** Values of the path's parameters. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Parsed JSON. */
  readonly body: unknown;
}

export type FakeOperation = (request: FakeRequest) => Answer;

/** Returns the page that `page` and `pageSize` select. */
export function pageOf<Item>(
  items: readonly Item[],
  query: URLSearchParams,
  defaultSize: number,
): { items: readonly Item[]; currentPage: number; currentPageSize: number; totalCount: number } {
  const currentPage = Number(query.get('page') || 1);
  const currentPageSize = Number(query.get('pageSize') || defaultSize);
  const start = (currentPage - 1) * currentPageSize;
  return {
    items: items.slice(start, start + currentPageSize),
    currentPage,
    currentPageSize,
    totalCount: items.length,
  };
}
