import type { WorkerId } from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';
import type { FairShares } from '../../platform/work/fair-shares.ts';
import type { FinishedAttempt } from './send/save-attempts.ts';
import { DeliveryRoom, type InHand } from './take/delivery-room.ts';
import { EndpointLanes } from './take/endpoint-lanes.ts';
import type { DeliveryKey } from './take/worker-lease.ts';

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
  readonly #inHand = new Map<string, InHand>();
  readonly #ended = new Map<string, FinishedAttempt[]>();

  constructor(maxTaken: number, leastPatienceMs: number) {
    this.room = new DeliveryRoom(maxTaken, leastPatienceMs);
  }

  /** How many are in hand: all that is taken, until its end is saved. */
  get inHand(): number {
    return this.#inHand.size;
  }

  has(key: DeliveryKey): boolean {
    return this.#inHand.has(nameOf(key));
  }

  /** Takes a delivery in hand. @param shares what was reserved for it */
  keep({ publisherId, endpointId, eventId }: DeliveryKey, shares: readonly FairShares[]): InHand {
    const giveUp = new AbortController();
    const inHand = { publisherId, endpointId, eventId, shares: [...shares], sentMs: null, giveUp };
    this.#inHand.set(nameOf(inHand), inHand);
    return inHand;
  }

  /** It is in hand no more: saved, or given back. */
  letGo(key: DeliveryKey): void {
    const name = nameOf(key);
    const inHand = this.#inHand.get(name);
    if (inHand !== undefined) this.room.forget(inHand);
    this.#inHand.delete(name);
  }

  /** An attempt has ended and is to be saved. */
  end(publisherId: string, ...attempts: FinishedAttempt[]): void {
    const ended = this.#ended.get(publisherId);
    if (ended === undefined) this.#ended.set(publisherId, attempts);
    else ended.push(...attempts);
  }

  /** What has ended since the last time, by publisher. */
  takeEnded(): [publisherId: string, ended: FinishedAttempt[]][] {
    const all = [...this.#ended];
    this.#ended.clear();
    return all;
  }
}

const nameOf = ({ publisherId, endpointId, eventId }: DeliveryKey): string =>
  `${publisherId}/${endpointId}/${eventId}`;
