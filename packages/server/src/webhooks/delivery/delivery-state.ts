import type { WorkerId } from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';
import type { FairShares } from '../../platform/work/fair-shares.ts';
import type { SavedAttempt } from './send/save-attempts.ts';
import { DeliveryCapacity, type HeldDelivery } from './take/delivery-capacity.ts';
import { EndpointLanes } from './take/endpoint-lanes.ts';
import { type DeliveryKey, nameOf } from './take/worker-lease.ts';

/** Ended attempt of a held delivery. */
export interface EndedAttempt extends SavedAttempt {
  readonly delivery: HeldDelivery;
}

/** State that the loops of one worker share. */
export class DeliveryState {
  /** Id that marks the worker's deliveries in the database. */
  readonly workerId = newRowId<WorkerId>();
  /**
   * Capacity for held deliveries. Taking deliveries reserves it, hanging requests move it, and removing a delivery
   * releases it.
   */
  readonly capacity: DeliveryCapacity;
  /** Deliveries waiting to be sent, by endpoint. */
  readonly lanes = new EndpointLanes();
  /** Time of the last take, on the clock of `performance.now()`, for the heartbeat. */
  tookMs = Number.NEGATIVE_INFINITY;
  /** True while the worker stops: attempts that it cancels are not saved. */
  isGivingUp = false;
  readonly #held = new Set<HeldDelivery>();
  readonly #ended = new Map<string, EndedAttempt[]>();

  constructor(maxTaken: number, minPatienceMs: number) {
    this.capacity = new DeliveryCapacity(maxTaken, minPatienceMs);
  }

  /** Number of held deliveries: taken, with an outcome that isn't saved yet. */
  get heldCount(): number {
    return this.#held.size;
  }

  /** Returns the names of the held deliveries. */
  names(): Set<string> {
    return new Set([...this.#held].map(nameOf));
  }

  /**
   * Adds a delivery that was taken.
   * @param shares capacity reserved for the delivery
   */
  add({ publisherId, endpointId, eventId }: DeliveryKey, shares: readonly FairShares[]): HeldDelivery {
    const held: HeldDelivery = {
      publisherId,
      endpointId,
      eventId,
      shares: [...shares],
      sentMs: null,
      request: null,
      isGivenUp: false,
    };
    this.#held.add(held);
    return held;
  }

  /** Removes a delivery after its outcome is saved or the delivery is released. */
  remove(delivery: HeldDelivery): void {
    if (this.#held.delete(delivery)) this.capacity.remove(delivery);
  }

  /** Enqueues a publisher's ended attempts for saving. */
  addEnded(publisherId: string, ...attempts: EndedAttempt[]): void {
    const ended = this.#ended.get(publisherId);
    if (ended === undefined) this.#ended.set(publisherId, attempts);
    else ended.push(...attempts);
  }

  /** Returns and clears the ended attempts, by publisher. */
  takeEnded(): [publisherId: string, ended: EndedAttempt[]][] {
    const all = [...this.#ended];
    this.#ended.clear();
    return all;
  }
}
