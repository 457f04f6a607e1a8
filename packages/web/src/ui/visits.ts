/** Times of the reader's visits to one publisher, in milliseconds, stored in the browser. */
interface Visits {
  /** Time when the reader was last seen. */
  seenMs: number;
  /** Time when the reader was last seen before the current visit; null on the first visit. */
  beforeMs: number | null;
}

const key = 'attribution-visits';
/** Length of an absence after which a new visit begins. */
const gapMs = 12 * 3_600_000;
/** Maximum age of a visit that is worth mentioning. */
const maxAgeMs = 92 * 86_400_000;
/** Maximum number of publishers. The least recently visited are dropped. */
const maxPublishers = 20;

/** Records that the reader is here. @returns the end of the previous visit, if it was 12 hours to 92 days ago */
export function noteVisit(publisherId: string, nowMs: number): number | null {
  const all = new Map(Object.entries(read()));
  const last = all.get(publisherId);
  // A recreated sandbox may have an earlier clock than the previous one.
  const known = last !== undefined && last.seenMs <= nowMs ? last : null;
  const isNewVisit = known !== null && nowMs - known.seenMs >= gapMs;
  const beforeMs = isNewVisit ? known.seenMs : (known?.beforeMs ?? null);
  all.set(publisherId, { seenMs: nowMs, beforeMs });
  const latest = [...all].sort(([, one], [, other]) => other.seenMs - one.seenMs).slice(0, maxPublishers);
  try {
    localStorage.setItem(key, JSON.stringify(Object.fromEntries(latest)));
  } catch {
    // Without storage, each visit is the first one.
  }
  return beforeMs !== null && nowMs - beforeMs >= gapMs && nowMs - beforeMs <= maxAgeMs ? beforeMs : null;
}

function read(): Record<string, Visits> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    const entries = Object.entries(stored as object).filter(([, each]) => isVisits(each));
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}

const isVisits = (value: Partial<Visits> | null): boolean =>
  typeof value?.seenMs === 'number' && (value.beforeMs === null || typeof value.beforeMs === 'number');
