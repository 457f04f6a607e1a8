import type { Db } from '../../../platform/database/database.ts';
import type { EndpointId } from '../../../platform/database/tables.generated.ts';
import type { DuePlace, TakenDelivery, TakeSize } from './take-deliveries.ts';
import { type WaitingEndpoint, waitingEndpoints } from './waiting-endpoints.ts';

export const endpointsAtOnce = 5_000;
const readEveryMs = 50;
/**
 * Pause after reading all pending deliveries, as a multiple of the read's duration, so that reads take up at most a
 * fifth of the time.
 */
const pauseFactor = 4;

/** Endpoints that may have due deliveries, and the order in which to take them. */
export interface Candidates {
  endpoints: WaitingEndpoint[];
  first: 'oldest' | 'newest';
}

/**
 * Finds endpoints that may have due deliveries. Reads them from the database only at intervals, because the read is
 * expensive. In between, returns the endpoints that had more deliveries than were taken. Every other read looks for the
 * newest deliveries, so that a backlog doesn't delay them.
 */
export class DueEndpoints {
  readonly #db: Db;
  readonly #isSpread: boolean;
  #continueAfter: WaitingEndpoint | null = null;
  #nextReadMs = Number.NEGATIVE_INFINITY;
  /** Endpoints for which all requested deliveries were taken, so more may be due. */
  readonly #unfinished = new Map<string, WaitingEndpoint>();
  #newestFirst = false;

  /** @param isSpread whether publishers are spread over several nodes */
  constructor(db: Db, isSpread: boolean) {
    this.#db = db;
    this.#isSpread = isSpread;
  }

  /** True if another read might find more endpoints. */
  get mayHaveMore(): boolean {
    return this.#unfinished.size > 0 || this.#continueAfter !== null;
  }

  async read(): Promise<Candidates> {
    const nowMs = performance.now();
    if (nowMs < this.#nextReadMs) return { endpoints: [...this.#unfinished.values()], first: 'oldest' };
    this.#nextReadMs = nowMs + readEveryMs;
    const endpoints = await waitingEndpoints(this.#db, this.#continueAfter, {
      limit: endpointsAtOnce,
      isSpread: this.#isSpread,
    });
    const tookMs = performance.now() - nowMs;
    if (this.#isSpread) this.#nextReadMs += pauseFactor * tookMs;
    this.#continueAfter = endpoints.length === endpointsAtOnce ? (endpoints.at(-1) ?? null) : null;
    this.#newestFirst = !this.#newestFirst;
    if (!this.#newestFirst) this.#unfinished.clear(); // this read found these endpoints too
    return { endpoints, first: this.#newestFirst ? 'newest' : 'oldest' };
  }

  /**
   * Stores the endpoints for which all requested deliveries were taken. They may have more, due no earlier than the
   * last one taken.
   */
  updateUnfinished(
    publisherId: string,
    endpointIds: readonly EndpointId[],
    size: TakeSize,
    taken: readonly TakenDelivery[],
  ): void {
    const byEndpoint = Map.groupBy(taken, (delivery) => delivery.endpointId);
    for (const endpointId of endpointIds) {
      const name = `${publisherId}/${endpointId}`;
      const own = byEndpoint.get(endpointId) ?? [];
      const last = own.reduce<DuePlace | undefined>(later, undefined);
      if (last === undefined || own.length < size) this.#unfinished.delete(name);
      else this.#unfinished.set(name, { publisherId, endpointId, from: last });
    }
  }
}

const later = (one: DuePlace | undefined, { dueAt, eventId }: DuePlace): DuePlace =>
  one === undefined || dueAt > one.dueAt || (+dueAt === +one.dueAt && eventId > one.eventId)
    ? { dueAt, eventId }
    : one;
