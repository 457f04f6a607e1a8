import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomBytes } from 'node:crypto';

/** Ids of a span in hexadecimal: 32 digits for the trace, 16 for the span. */
export interface Trace {
  readonly traceId: string;
  readonly spanId: string;
}

/** Span for finished work. Numeric times are from `performance.now()`. */
export interface FinishedSpan {
  name: string;
  kind?: 'server' | 'producer' | 'client';
  /** Ids of this span if other spans already refer to it. Defaults to new ids in the parent's trace. */
  own?: Trace;
  parent: Trace | null;
  startedAt: Date | number;
  endedAt?: Date | number;
  links?: readonly Trace[];
  /** Never contain secrets or data about buyers or players. */
  attributes?: Readonly<Record<string, string | number | boolean>>;
  /** Code or name of the error; null if the work succeeded. */
  error?: string | null;
}

export interface Tracing {
  /** Fraction of new traces that are sampled, 0 to 1. */
  readonly ratio: number;
  save(span: FinishedSpan): void;
}

export const maxLinks = 32;

// Global to the process, as in OpenTelemetry itself. While this is null, tracing costs one comparison and doesn't load
// any modules.
let tracing: Tracing | null = null;
const current = new AsyncLocalStorage<Trace>();

/** Turns tracing on, or off if `to` is null. */
export function traceWith(to: Tracing | null): void {
  tracing = to;
}

export const isTracing = (): boolean => tracing !== null;

/** Returns the current trace and span, or null outside a sampled trace. */
export const currentTrace = (): Trace | null => (tracing === null ? null : (current.getStore() ?? null));

export const within = <Result>(trace: Trace, work: () => Result): Result => current.run(trace, work);

/** Has no effect if tracing is off. */
export function saveSpan(span: FinishedSpan): void {
  tracing?.save(span);
}

/** Generates ids for a span that starts now, in its parent's trace or in a new trace. */
export const newTrace = (parent: Trace | null = null): Trace => ({
  traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
  spanId: randomBytes(8).toString('hex'),
});

export const isSampled = (): boolean => tracing !== null && Math.random() < tracing.ratio;

/** Runs work as a span of the current trace, or without a span if there is no trace. */
export async function inSpan<Result>(
  name: string,
  attributes: NonNullable<FinishedSpan['attributes']>,
  work: (links: Trace[]) => Promise<Result>,
): Promise<Result> {
  const parent = currentTrace();
  const links: Trace[] = [];
  if (parent === null) return work(links);
  const span = { name, own: newTrace(parent), parent, startedAt: performance.now(), links, attributes };
  try {
    const result = await within(span.own, () => work(links));
    saveSpan(span);
    return result;
  } catch (error) {
    saveSpan({ ...span, error: errorName(error) });
    throw error;
  }
}

/** Returns an error's code or name for a span, but never its message, which may quote a value. */
export function errorName(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string') return code;
  return error instanceof Error ? error.name : 'Error';
}

const markOffset = 20;
const mark = 'fff';

/**
 * Marks the id of a commit, event or posting as belonging to a sampled trace. Later work, possibly in another process,
 * continues the trace. Nothing else has to be stored, because the UUID is also the trace's id, and three of its random
 * digits are the mark (docs/adr/0042-traces.md). One in 4,096 unmarked ids has the mark by chance.
 */
export const markSampled = <Id extends string>(id: Id): Id =>
  (id.slice(0, markOffset) + mark + id.slice(markOffset + mark.length)) as Id;

/** Returns the first span of the trace with this id, or null if the trace isn't sampled. */
export function traceOf(id: string): Trace | null {
  if (tracing === null || !id.startsWith(mark, markOffset)) return null;
  const digits = id.replaceAll('-', '');
  return { traceId: digits, spanId: digits.slice(16) };
}

/** Returns the traces of those ids that are sampled, up to `maxLinks`. */
export function tracesOf(ids: readonly string[]): Trace[] {
  if (tracing === null) return [];
  const found: Trace[] = [];
  for (const id of ids) {
    const trace = traceOf(id);
    if (trace !== null) found.push(trace);
    if (found.length === maxLinks) break;
  }
  return found;
}

/** Derives the ids of a named child span. Every process gets the same ids. */
export const namedChild = ({ traceId, spanId }: Trace, name: string): Trace => ({
  traceId,
  spanId: createHash('sha256').update(`${spanId} ${name}`).digest('hex').slice(0, 16),
});

const traceParent = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const traceParentLength = 55;
const isAllZeros = (digits: string): boolean => /^0+$/.test(digits);

/**
 * Parses a caller's `traceparent` header. Returns null if the header is invalid according to the W3C
 * recommendation.
 */
export function readTraceParent(
  header: string | string[] | undefined,
): (Trace & { isSampled: boolean }) | null {
  // Future versions of the recommendation could append fields. None exists yet, so longer headers are ignored.
  if (typeof header !== 'string' || header.length !== traceParentLength || header.startsWith('ff'))
    return null;
  const [, traceId = '', spanId = '', flags = ''] = traceParent.exec(header) ?? [];
  if (traceId === '' || isAllZeros(traceId) || isAllZeros(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Formats a `traceparent` header with a span as the parent. */
export const toTraceParent = ({ traceId, spanId }: Trace): string => `00-${traceId}-${spanId}-01`;
