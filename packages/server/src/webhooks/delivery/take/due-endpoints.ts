import type { Db } from '../../../platform/database/database.ts';
import type { EndpointId } from '../../../platform/database/tables.generated.ts';
import {
  type DuePlace,
  type TakenDelivery,
  type TakeSize,
  type WaitingEndpoint,
  waitingEndpoints,
} from './take-deliveries.ts';

export const endpointsAtOnce = 5_000;
const lookEveryMs = 50;

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
  #goOnAfter: WaitingEndpoint | null = null;
  #lookedMs = Number.NEGATIVE_INFINITY;
  /** Endpoints that had as much due as was asked for, so may have more. */
  readonly #unfinished = new Map<string, WaitingEndpoint>();
  #looksForNew = false;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Whether another look may find more. */
  get mayHaveMore(): boolean {
    return this.#unfinished.size > 0 || this.#goOnAfter !== null;
  }

  async look(): Promise<Look> {
    const nowMs = performance.now();
    if (nowMs - this.#lookedMs < lookEveryMs)
      return { endpoints: [...this.#unfinished.values()], first: 'oldest' };
    this.#lookedMs = nowMs;
    const endpoints = await waitingEndpoints(this.#db, this.#goOnAfter, endpointsAtOnce);
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
