import type { PostingId, RecordingId } from '../../platform/database/tables.generated.ts';
import {
  errorName,
  markSampled,
  saveSpan,
  type Trace,
  traceOf,
  tracesOf,
} from '../../platform/telemetry/tracing.ts';

/**
 * Span of a posting. It belongs to a separate trace, which is identified by the posting's id and links to the first
 * traced commits in the posting.
 */
export class PostingTrace {
  readonly #startedMs = performance.now();
  #links: readonly Trace[] = [];
  #own: Trace | null = null;

  /** Returns the posting's id, marked as traced if any of its recordings are traced. */
  idFor(recordings: readonly RecordingId[], id: PostingId): PostingId {
    this.#links = tracesOf(recordings);
    if (this.#links.length === 0) return id;
    const postingId = markSampled(id);
    this.#own = traceOf(postingId);
    return postingId;
  }

  end(publisherId: string, rows: number, error: unknown = null): void {
    if (this.#own === null) return;
    saveSpan({
      name: 'post',
      own: this.#own,
      parent: null,
      startedAt: this.#startedMs,
      links: this.#links,
      attributes: { 'attribution.publisher_id': publisherId, 'attribution.rows': rows },
      error: error === null ? null : errorName(error),
    });
  }
}
