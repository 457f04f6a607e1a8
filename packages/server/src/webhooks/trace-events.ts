import type { EventId } from '../platform/database/tables.generated.ts';
import { currentTrace, isSampled, markSampled, saveSpan, traceOf } from '../platform/telemetry/tracing.ts';

/** The id of a new event, which says that it is traced when what causes it is; of what a worker tells, some are chosen. */
export const asTraced = (id: EventId): EventId =>
  currentTrace() !== null || isSampled() ? markSampled(id) : id;

/** The first span of each event's trace, linked to what caused it. */
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
