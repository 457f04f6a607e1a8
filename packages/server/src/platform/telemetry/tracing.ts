import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomBytes } from 'node:crypto';

/** The place of a span, as others name it: in hexadecimal digits, 32 and 16. */
export interface Trace {
  readonly traceId: string;
  readonly spanId: string;
}

/** Something that was done and is over. Times are moments, or of performance.now()'s clock. */
export interface FinishedSpan {
  name: string;
  kind?: 'server' | 'producer' | 'client';
  /** The ids that others know it by; new ones in its parent's trace when absent. */
  own?: Trace;
  parent: Trace | null;
  startedAt: Date | number;
  endedAt?: Date | number;
  links?: readonly Trace[];
  /** Never a secret, nor anything of a buyer or a player. */
  attributes?: Readonly<Record<string, string | number | boolean>>;
  /** Why it failed: a code, or a name of an error; null when it did not. */
  error?: string | null;
}

/** Receiver of spans, where tracing is on. */
export interface Tracing {
  /** The part of new traces that is kept, 0 … 1. */
  readonly ratio: number;
  save(span: FinishedSpan): void;
}

/** Spans that gather others name so many of them, at most. */
export const maxLinks = 32;

// One for a process, as OpenTelemetry's own: null costs a comparison, and loads nothing.
let tracing: Tracing | null = null;
const current = new AsyncLocalStorage<Trace>();

/** Switches tracing on, or with null off. */
export function traceWith(to: Tracing | null): void {
  tracing = to;
}

export const isTracing = (): boolean => tracing !== null;

/** Returns the current trace and span; null when the work is in no trace that is kept. */
export const currentTrace = (): Trace | null => (tracing === null ? null : (current.getStore() ?? null));

/** Does work as a part of a span. */
export const within = <Result>(trace: Trace, work: () => Result): Result => current.run(trace, work);

/** Hands over a span that is over; nothing when tracing is off. */
export function saveSpan(span: FinishedSpan): void {
  tracing?.save(span);
}

/** A place for a span that is about to begin, in its parent's trace or in a new one. */
export const newTrace = (parent: Trace | null = null): Trace => ({
  traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
  spanId: randomBytes(8).toString('hex'),
});

/** Decides whether to keep a trace that starts here. */
export const isChosen = (): boolean => tracing !== null && Math.random() < tracing.ratio;

/** Does work as a span of the trace that goes on; just does it where there is none. */
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
    saveSpan({ ...span, error: nameOf(error) });
    throw error;
  }
}

/** Returns an error's code or name for a span, never its message, which may quote a value. */
export function nameOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string') return code;
  return error instanceof Error ? error.name : 'Error';
}

const placeOfMark = 20;
const mark = 'fff';

/**
 * The id of something that others carry on with later, perhaps in another process: a commit, an event, a posting. Its
 * UUID is the id of a trace too, and three of its random digits say whether that trace is kept. So nothing is stored
 * beside it (docs/adr/0042-traces.md). One id of 4,096 says so by chance.
 */
export const kept = <Id extends string>(id: Id): Id =>
  (id.slice(0, placeOfMark) + mark + id.slice(placeOfMark + mark.length)) as Id;

/** The first span of the trace that an id stands for; null where it is not kept. */
export function traceOf(id: string): Trace | null {
  if (tracing === null || !id.startsWith(mark, placeOfMark)) return null;
  const digits = id.replaceAll('-', '');
  return { traceId: digits, spanId: digits.slice(16) };
}

/** The first of those ids' traces that are kept, to be linked to. */
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

/** A span below another one that every process names the same. */
export const namedBelow = ({ traceId, spanId }: Trace, name: string): Trace => ({
  traceId,
  spanId: createHash('sha256').update(`${spanId} ${name}`).digest('hex').slice(0, 16),
});

const traceParent = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const longestTraceParent = 55;
const isNought = (digits: string): boolean => /^0+$/.test(digits);

/** A caller's span, by its header `traceparent`, and whether its trace is kept; null for what the W3C does not allow. */
export function readTraceParent(header: string | string[] | undefined): (Trace & { isKept: boolean }) | null {
  // Of a later version the beginning would have to be read; there is none, and what is longer is not looked at.
  if (typeof header !== 'string' || header.length !== longestTraceParent || header.startsWith('ff'))
    return null;
  const [, traceId = '', spanId = '', flags = ''] = traceParent.exec(header) ?? [];
  if (traceId === '' || isNought(traceId) || isNought(spanId)) return null;
  return { traceId, spanId, isKept: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** A span as the next one is told of it. */
export const toTraceParent = ({ traceId, spanId }: Trace): string => `00-${traceId}-${spanId}-01`;
