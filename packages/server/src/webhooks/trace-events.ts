import type { EventId } from '../platform/database/tables.generated.ts';
import { currentTrace, isSampled, markSampled, saveSpan, traceOf } from '../platform/telemetry/tracing.ts';

/** Marks a new event's id as traced if its cause is traced. Also traces a sample of the events published by workers. */
export const asTraced = (id: EventId): EventId =>
  currentTrace() !== null || isSampled() ? markSampled(id) : id;

/** Saves each traced event's first span, with a link to the event's cause. */
export function traceEvents(events: readonly { id: EventId; kind: string }[], startedMs: number): void {
  const cause = currentTrace();
  for (const { id, kind } of events) {
    const own = traceOf(id);
    if (own !== null)
      saveSpan({
        name: `event ${kind}`,
        kind: 'producer',
        own,
        parent: null,
        startedAt: startedMs,
        links: cause === null ? [] : [cause],
      });
  }
}
