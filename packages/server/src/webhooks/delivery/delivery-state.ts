import type { WorkerId } from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';
import type { FairShares } from '../../platform/work/fair-shares.ts';
import type { SavedAttempt } from './send/save-attempts.ts';
import { DeliveryRoom, type InHand } from './take/delivery-room.ts';
import { EndpointLanes } from './take/endpoint-lanes.ts';
import { type DeliveryKey, nameOf } from './take/worker-lease.ts';

/** An attempt of a delivery in hand that has ended. */
export interface EndedAttempt extends SavedAttempt {
  readonly delivery: InHand;
}

/** What the loops of one worker share. All else each has to itself. */
export class DeliveryState {
  /** Marks its deliveries in the database. */
  readonly workerId = newRowId<WorkerId>();
  /** How much may be in hand: taking reserves it, sending says what hangs, letting go gives it back. */
  readonly room: DeliveryRoom;
  /** By endpoint, what waits to be sent: taking adds, sending removes. */
  readonly lanes = new EndpointLanes();
  /** When something was last taken, by `performance.now()`: taking sets it, the heartbeat goes by it. */
  tookMs = Number.NEGATIVE_INFINITY;
  /** It stops, and what it gives up stays as it was: stopping sets it, sending goes by it. */
  isGivingUp = false;
  readonly #inHand = new Set<InHand>();
  readonly #ended = new Map<string, EndedAttempt[]>();

  constructor(maxTaken: number, leastPatienceMs: number) {
    this.room = new DeliveryRoom(maxTaken, leastPatienceMs);
  }

  /** How many are in hand: all that is taken, until its end is saved. */
  get inHand(): number {
    return this.#inHand.size;
  }

  /** What is in hand, each by its name. */
  names(): Set<string> {
    return new Set([...this.#inHand].map(nameOf));
  }

  /** Takes a delivery in hand. @param shares what was reserved for it */
  keep({ publisherId, endpointId, eventId }: DeliveryKey, shares: readonly FairShares[]): InHand {
    const inHand: InHand = {
      publisherId,
      endpointId,
      eventId,
      shares: [...shares],
      sentMs: null,
      request: null,
      isGivenUp: false,
    };
    this.#inHand.add(inHand);
    return inHand;
  }

  /** It is in hand no more: saved, or given back. */
  letGo(delivery: InHand): void {
    if (this.#inHand.delete(delivery)) this.room.forget(delivery);
  }

  /** Attempts of a publisher's have ended and are to be saved. */
  end(publisherId: string, ...attempts: EndedAttempt[]): void {
    const ended = this.#ended.get(publisherId);
    if (ended === undefined) this.#ended.set(publisherId, attempts);
    else ended.push(...attempts);
  }

  /** What has ended since the last time, by publisher. */
  takeEnded(): [publisherId: string, ended: EndedAttempt[]][] {
    const all = [...this.#ended];
    this.#ended.clear();
    return all;
  }
}
