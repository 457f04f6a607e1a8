import type { EndpointId } from '../../../platform/database/tables.generated.ts';
import type { HeldDelivery } from './delivery-capacity.ts';
import { EndpointSlots } from './endpoint-slots.ts';
import type { TakenDelivery } from './take-deliveries.ts';

export interface Queued {
  delivery: TakenDelivery;
  held: HeldDelivery;
  takenMs: number;
}

export interface Lane {
  slots: EndpointSlots;
  queue: Queued[];
  /** True if a failure was saved since the last success. Deliveries taken before the failure don't reflect it. */
  hasFailed: boolean;
}

const maxLanes = 20_000;

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
