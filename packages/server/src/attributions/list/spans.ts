import { type RawBuilder, sql } from 'kysely';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** Time range in milliseconds with an exclusive end. A missing bound is infinite. */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** Span divided into whole hours or days, which have counts, and partial hours or days at its ends. */
export interface DividedSpan {
  whole: Span | null;
  /** Spans that each lie within a single hour or day. */
  partials: readonly Span[];
}

/**
 * @param unitMs an hour or a day, in UTC
 * @param complete part of the span where every row counts; only units entirely within this part are whole
 */
export function divide(span: Span, unitMs: number, complete: Span = span): DividedSpan {
  if (span.fromMs >= span.toMs) return { whole: null, partials: [] };
  const fromMs = Math.ceil(complete.fromMs / unitMs) * unitMs;
  const toMs = Math.floor(complete.toMs / unitMs) * unitMs;
  if (fromMs > toMs) return { whole: null, partials: [span] };
  const partials = [
    { fromMs: span.fromMs, toMs: fromMs },
    { fromMs: toMs, toMs: span.toMs },
  ].filter((partial) => partial.fromMs < partial.toMs);
  return { whole: fromMs < toMs ? { fromMs, toMs } : null, partials };
}

export const startOf = (ms: number, unitMs: number): number => Math.floor(ms / unitMs) * unitMs;

const textOf = (ms: number): string => {
  if (Number.isFinite(ms)) return new Date(ms).toISOString();
  return ms < 0 ? '-infinity' : 'infinity';
};

export const toTimestamptz = (ms: number): RawBuilder<Date> => sql`${textOf(ms)}::timestamptz`;

/** Returns the UTC day that contains a time, as an SQL expression. */
export const dayOf = (ms: number): RawBuilder<Date> =>
  sql`${Number.isFinite(ms) ? textOf(ms).slice(0, 10) : textOf(ms)}::date`;

export const isWithin = (time: RawBuilder<unknown>, { fromMs, toMs }: Span): RawBuilder<boolean> =>
  sql`${time} >= ${toTimestamptz(fromMs)} and ${time} < ${toTimestamptz(toMs)}`;
