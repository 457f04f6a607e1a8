import type { EndpointId } from '../../../platform/database/tables.generated.ts';
import type { InHand } from './delivery-room.ts';
import { EndpointSlots } from './endpoint-slots.ts';
import type { TakenDelivery } from './take-deliveries.ts';

/** A delivery to be sent, and since when it is in hand. */
export interface Queued {
  delivery: TakenDelivery;
  inHand: InHand;
  takenMs: number;
}

/** What this process keeps of an endpoint while it has something to do for it. */
export interface Lane {
  slots: EndpointSlots;
  /** Taken, and waiting for a slot. */
  queue: Queued[];
  /** A failure was saved since the last delivery: those under way when they were taken did not know of it. */
  hasFailed: boolean;
}

const maxLanes = 20_000;

/** The endpoints that this process has to do with. */
export class EndpointLanes {
  readonly #lanes = new Map<string, Lane>();

  of(publisherId: string, endpointId: EndpointId): Lane {
    const name = `${publisherId}/${endpointId}`;
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      if (this.#lanes.size >= maxLanes) this.#forgetIdle();
      lane = { slots: new EndpointSlots(), queue: [], hasFailed: false };
      this.#lanes.set(name, lane);
    }
    return lane;
  }

  all(): IterableIterator<Lane> {
    return this.#lanes.values();
  }

  #forgetIdle(): void {
    for (const [name, { slots, queue }] of this.#lanes)
      if (slots.inFlight === 0 && queue.length === 0) this.#lanes.delete(name);
  }
}
