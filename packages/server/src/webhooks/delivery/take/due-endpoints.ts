import type { Db } from '../../../platform/database/database.ts';
import type { EndpointId } from '../../../platform/database/tables.generated.ts';
import type { DuePlace, TakenDelivery, TakeSize } from './take-deliveries.ts';
import { type WaitingEndpoint, waitingEndpoints } from './waiting-endpoints.ts';

export const endpointsAtOnce = 5_000;
const lookEveryMs = 50;
/** Looks that read all that waits take a fifth of the time at most. */
const restAfterSum = 4;

/** What a look found: endpoints that may have something due, and which of it to take first. */
export interface Look {
  endpoints: WaitingEndpoint[];
  first: 'oldest' | 'newest';
}

/**
 * Finds endpoints that may have something due: those of a look at the database, which costs something, now and then;
 * in between those that had more than was taken of them. Every other look is for what is new, so that a backlog
 * does not keep it waiting.
 */
export class DueEndpoints {
  readonly #db: Db;
  readonly #isSpread: boolean;
  #goOnAfter: WaitingEndpoint | null = null;
  #nextLookMs = Number.NEGATIVE_INFINITY;
  /** Endpoints that had as much due as was asked for, so may have more. */
  readonly #unfinished = new Map<string, WaitingEndpoint>();
  #looksForNew = false;

  /** @param isSpread whether publishers lie on several nodes */
  constructor(db: Db, isSpread: boolean) {
    this.#db = db;
    this.#isSpread = isSpread;
  }

  /** Whether another look may find more. */
  get mayHaveMore(): boolean {
    return this.#unfinished.size > 0 || this.#goOnAfter !== null;
  }

  async look(): Promise<Look> {
    const nowMs = performance.now();
    if (nowMs < this.#nextLookMs) return { endpoints: [...this.#unfinished.values()], first: 'oldest' };
    this.#nextLookMs = nowMs + lookEveryMs;
    const endpoints = await waitingEndpoints(this.#db, this.#goOnAfter, {
      limit: endpointsAtOnce,
      isSpread: this.#isSpread,
    });
    const tookMs = performance.now() - nowMs;
    if (this.#isSpread) this.#nextLookMs += restAfterSum * tookMs;
    this.#goOnAfter = endpoints.length === endpointsAtOnce ? (endpoints.at(-1) ?? null) : null;
    this.#looksForNew = !this.#looksForNew;
    if (!this.#looksForNew) this.#unfinished.clear(); // they are among those found
    return { endpoints, first: this.#looksForNew ? 'newest' : 'oldest' };
  }

  /** An endpoint that had as much as was asked for may have more, due no earlier than the last of it. */
  keepUnfinished(
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
