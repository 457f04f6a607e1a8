import type { EventId, RecordingId } from '../../platform/database/tables.generated.ts';
import {
  currentTrace,
  errorName,
  markSampled,
  maxLinks,
  newTrace,
  saveSpan,
  type Trace,
  traceOf,
} from '../../platform/telemetry/tracing.ts';
import type { AttributionRow } from '../attribution-row.ts';
import type { NewAttribution } from './record-columns.ts';

/** Spans of a traced request: its wait in the queue, its commit and its events. */
export class TracedRequest {
  readonly #parent: Trace;
  readonly #sinceMs = performance.now();
  readonly commit: Trace;
  #commitMs: number | null = null;
  #recordingId: RecordingId | null = null;
  #events: EventId[] = [];
  #hasEnded = false;

  constructor(parent: Trace) {
    this.#parent = parent;
    this.commit = newTrace(parent);
  }

  begin(recordingId: RecordingId): void {
    this.#commitMs ??= performance.now();
    this.#recordingId = recordingId;
    this.#events = [];
  }

  /**
   * Adds an event for one of the request's rows. Only the first few events are traced.
   * @returns the event's id, marked if the event is traced
   */
  addEvent(eventId: EventId): EventId {
    if (this.#events.length === maxLinks) return eventId;
    const traced = markSampled(eventId);
    this.#events.push(traced);
    return traced;
  }

  /**
   * Ends the spans when the request's response is ready.
   * @param error the error that rejects the request; null if its rows are saved
   */
  end(rows: readonly AttributionRow[], error: Error | null): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const failed = error === null ? null : errorName(error);
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

export function traceWaiting(): TracedRequest | null {
  const parent = currentTrace();
  return parent === null ? null : new TracedRequest(parent);
}

/** Span of a commit with traced requests. The commit's id is marked as traced. */
export class TracedRecording {
  readonly recordingId: RecordingId;
  readonly #requests: readonly TracedRequest[];
  readonly #startedMs = performance.now();
  readonly #byRow = new Map<NewAttribution, TracedRequest>();

  constructor(recordingId: RecordingId, requests: readonly TracedRequest[]) {
    this.recordingId = markSampled(recordingId);
    this.#requests = requests;
    for (const request of requests) request.begin(this.recordingId);
  }

  add(request: TracedRequest | null, rows: readonly NewAttribution[]): void {
    if (request !== null) for (const row of rows) this.#byRow.set(row, request);
  }

  eventId(row: NewAttribution, eventId: EventId): EventId {
    return this.#byRow.get(row)?.addEvent(eventId) ?? eventId;
  }

  /** Ends the span. Called after the commit and before the responses are sent. */
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

export function traceRecording(
  recordingId: RecordingId,
  queued: readonly { traced: TracedRequest | null }[],
): TracedRecording | null {
  const requests = queued.flatMap(({ traced }) => traced ?? []);
  return requests.length === 0 ? null : new TracedRecording(recordingId, requests);
}
