import type { PostingId, RecordingId } from '../../platform/database/tables.generated.ts';
import { kept, nameOf, saveSpan, type Trace, traceOf, tracesOf } from '../../platform/telemetry/tracing.ts';

/** The span of a posting: a trace of its own, by its id, linked to the first of the commits it posts that are traced. */
export class PostingTrace {
  readonly #startedMs = performance.now();
  #links: readonly Trace[] = [];
  #own: Trace | null = null;

  /** The posting's id, which says that it is traced when something that it posts is. */
  of(recordings: readonly RecordingId[], id: PostingId): PostingId {
    this.#links = tracesOf(recordings);
    if (this.#links.length === 0) return id;
    const postingId = kept(id);
    this.#own = traceOf(postingId);
    return postingId;
  }

  /** It has ended, posted or not. */
  end(publisherId: string, rows: number, error: unknown = null): void {
    if (this.#own === null) return;
    saveSpan({
      name: 'post',
      own: this.#own,
      parent: null,
      startedAt: this.#startedMs,
      links: this.#links,
      attributes: { 'attribution.publisher_id': publisherId, 'attribution.rows': rows },
      error: error === null ? null : nameOf(error),
    });
  }
}
