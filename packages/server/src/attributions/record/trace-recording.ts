import type { EventId, RecordingId } from '../../platform/database/tables.generated.ts';
import {
  currentTrace,
  kept,
  maxLinks,
  nameOf,
  newTrace,
  saveSpan,
  type Trace,
  traceOf,
} from '../../platform/telemetry/tracing.ts';
import type { AttributionRow } from '../attribution-row.ts';
import type { NewAttribution } from './record-columns.ts';

/** How a request that is traced waits for its commit, and what of it is told. */
export class TracedRequest {
  readonly #parent: Trace;
  readonly #sinceMs = performance.now();
  /** The span of its commit, once it has begun. */
  readonly commit: Trace;
  #commitMs: number | null = null;
  #recordingId: RecordingId | null = null;
  #events: EventId[] = [];
  #hasEnded = false;

  constructor(parent: Trace) {
    this.#parent = parent;
    this.commit = newTrace(parent);
  }

  /** Its commit begins, perhaps anew. */
  begin(recordingId: RecordingId): void {
    this.#commitMs ??= performance.now();
    this.#recordingId = recordingId;
    this.#events = [];
  }

  /** One of its rows is told by an event: of the first ones, whose ids say that they are traced. */
  tell(eventId: EventId): EventId {
    if (this.#events.length === maxLinks) return eventId;
    const traced = kept(eventId);
    this.#events.push(traced);
    return traced;
  }

  /** It is answered. @param error what it is refused with; null when its rows are saved */
  end(rows: readonly AttributionRow[], error: Error | null): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const failed = error === null ? null : nameOf(error);
    saveSpan({
      name: 'queue',
      parent: this.#parent,
      startedAt: this.#sinceMs,
      ...(this.#commitMs !== null && { endedAt: this.#commitMs }),
      error: this.#commitMs === null ? failed : null,
    });
    if (this.#commitMs === null) return;
    const recording = this.#recordingId === null || error !== null ? null : traceOf(this.#recordingId);
    const events = error === null ? this.#events.flatMap((id) => traceOf(id) ?? []) : [];
    saveSpan({
      name: 'commit',
      own: this.commit,
      parent: this.#parent,
      startedAt: this.#commitMs,
      links: [...(recording === null ? [] : [recording]), ...events],
      attributes: { 'attribution.rows': rows.length },
      error: failed,
    });
    for (const own of events)
      saveSpan({
        name: 'event Attribution/TransactionRecorded',
        kind: 'producer',
        own,
        parent: null,
        startedAt: this.#commitMs,
        links: [this.commit],
      });
  }
}

/** @returns null where the request is in no trace that is kept */
export function traceWaiting(): TracedRequest | null {
  const parent = currentTrace();
  return parent === null ? null : new TracedRequest(parent);
}

/** The requests of one commit that are traced, and the commit itself, whose id says that it is. */
export class TracedRecording {
  readonly recordingId: RecordingId;
  readonly #requests: readonly TracedRequest[];
  readonly #startedMs = performance.now();
  readonly #byRow = new Map<NewAttribution, TracedRequest>();

  constructor(recordingId: RecordingId, requests: readonly TracedRequest[]) {
    this.recordingId = kept(recordingId);
    this.#requests = requests;
    for (const request of requests) request.begin(this.recordingId);
  }

  add(request: TracedRequest | null, rows: readonly NewAttribution[]): void {
    if (request !== null) for (const row of rows) this.#byRow.set(row, request);
  }

  eventId(row: NewAttribution, eventId: EventId): EventId {
    return this.#byRow.get(row)?.tell(eventId) ?? eventId;
  }

  /** It has been committed, and its requests are about to be answered. */
  end(rows: number): void {
    const own = traceOf(this.recordingId);
    if (own === null) return;
    saveSpan({
      name: 'record',
      own,
      parent: null,
      startedAt: this.#startedMs,
      links: this.#requests.slice(0, maxLinks).map(({ commit }) => commit),
      attributes: { 'attribution.rows': rows, 'attribution.traced_requests': this.#requests.length },
    });
  }
}

/** @returns null where none of the requests is traced */
export function traceRecording(
  recordingId: RecordingId,
  waiting: readonly { traced: TracedRequest | null }[],
): TracedRecording | null {
  const requests = waiting.flatMap(({ traced }) => traced ?? []);
  return requests.length === 0 ? null : new TracedRecording(recordingId, requests);
}
