import {
  namedChild,
  newTrace,
  saveSpan,
  type Trace,
  toTraceParent,
  traceOf,
} from '../../../platform/telemetry/tracing.ts';
import type { TakenDelivery } from '../take/take-deliveries.ts';
import type { Attempt } from './send-request.ts';

export class AttemptTrace {
  readonly #own: Trace;
  readonly #delivery: Trace;
  readonly #of: TakenDelivery;

  constructor(event: Trace, of: TakenDelivery) {
    this.#delivery = deliveryIn(event, of);
    this.#own = newTrace(this.#delivery);
    this.#of = of;
  }

  get headers(): { traceparent: string } {
    return { traceparent: toTraceParent(this.#own) };
  }

  end({ startedAt, durationMs, statusCode, error }: Attempt): void {
    const { endpointId, endpoint, tries } = this.#of;
    saveSpan({
      name: 'attempt',
      kind: 'client',
      own: this.#own,
      parent: this.#delivery,
      startedAt,
      endedAt: new Date(startedAt.getTime() + durationMs),
      attributes: {
        'http.request.method': 'POST',
        'server.address': new URL(endpoint.url).hostname, // the rest of the URL may contain a secret
        'attribution.endpoint_id': endpointId,
        'attribution.attempt': tries + 1,
        ...(statusCode !== null && { 'http.response.status_code': statusCode }),
      },
      error: statusCode === 200 ? null : statusCode === null ? (error ?? 'no response') : String(statusCode),
    });
  }
}

/** Starts the span of an attempt; null if the event isn't traced. */
export function traceAttempt(delivery: TakenDelivery): AttemptTrace | null {
  const event = traceOf(delivery.eventId);
  return event === null ? null : new AttemptTrace(event, delivery);
}

/** Saves an ended delivery's span, which lasts from the event to its last attempt. */
export function traceDelivery(delivery: TakenDelivery, outcome: 'Delivered' | 'Failed', at: Date): void {
  const event = traceOf(delivery.eventId);
  if (event === null) return;
  const { publisherId, endpointId, kind, createdAt, tries } = delivery;
  saveSpan({
    name: `deliver ${kind}`,
    own: deliveryIn(event, delivery),
    parent: event,
    startedAt: createdAt,
    endedAt: at,
    attributes: {
      'attribution.publisher_id': publisherId,
      'attribution.endpoint_id': endpointId,
      'attribution.attempts': tries + 1,
    },
    error: outcome === 'Failed' ? outcome : null,
  });
}

/** Returns the trace of a delivery, with the same span id in every process. */
const deliveryIn = (event: Trace, { endpointId }: TakenDelivery): Trace => namedChild(event, endpointId);
