import { type RawBuilder, sql } from 'kysely';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** A stretch of time in milliseconds, without `toMs` itself; infinite where it has no end. */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** A stretch in terms of hours or days that have counts: those that are wholly in it, and what is cut off of others. */
export interface Divided {
  whole: Span | null;
  /** Each within one hour or day. */
  cuts: readonly Span[];
}

/**
 * @param unitMs an hour or a day, of UTC
 * @param sure what of the span all rows are asked of; of a day that is not wholly in it the counts say nothing
 */
export function divide(span: Span, unitMs: number, sure: Span = span): Divided {
  if (span.fromMs >= span.toMs) return { whole: null, cuts: [] };
  const fromMs = Math.ceil(sure.fromMs / unitMs) * unitMs;
  const toMs = Math.floor(sure.toMs / unitMs) * unitMs;
  if (fromMs > toMs) return { whole: null, cuts: [span] };
  const cuts = [
    { fromMs: span.fromMs, toMs: fromMs },
    { fromMs: toMs, toMs: span.toMs },
  ].filter((cut) => cut.fromMs < cut.toMs);
  return { whole: fromMs < toMs ? { fromMs, toMs } : null, cuts };
}

/** When the hour or day begins that a moment is in. */
export const startOf = (ms: number, unitMs: number): number => Math.floor(ms / unitMs) * unitMs;

const textOf = (ms: number): string => {
  if (Number.isFinite(ms)) return new Date(ms).toISOString();
  return ms < 0 ? '-infinity' : 'infinity';
};

export const moment = (ms: number): RawBuilder<Date> => sql`${textOf(ms)}::timestamptz`;

/** The UTC day of a moment. */
export const dayOf = (ms: number): RawBuilder<Date> =>
  sql`${Number.isFinite(ms) ? textOf(ms).slice(0, 10) : textOf(ms)}::date`;

/** Whether a time in a statement is within a span. */
export const isWithin = (time: RawBuilder<unknown>, { fromMs, toMs }: Span): RawBuilder<boolean> =>
  sql`${time} >= ${moment(fromMs)} and ${time} < ${moment(toMs)}`;
