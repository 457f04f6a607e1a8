import { FairShares } from '../../../platform/work/fair-shares.ts';
import type { StartedRequest } from '../send/send-request.ts';
import type { DeliveryKey } from './worker-lease.ts';

/** A delivery that this process has in hand, until its end is saved. */
export interface InHand extends DeliveryKey {
  /** What it takes a part of. */
  readonly shares: FairShares[];
  /** When its request was sent; null while it waits for a slot. */
  sentMs: number | null;
  /** The request under way; null before and after. */
  request: StartedRequest | null;
  /** Its request is to end early. */
  isGivenUp: boolean;
}

/** The share of `maxTaken` for endpoints that have not delivered lately: the rest is for those that do. */
const unprovenShare = 0.75;
/** A request under way for longer has no part in the room for others any more. */
export const hangingAfterMs = 500;
/** So many times `maxTaken` may hang, beside those in the room: each costs a socket and some kilobytes. */
const hangingPerTaken = 2;
/** A publisher alone may have half of what may hang: publishers whose receivers all hang at once are rare. */
const hangingWeight = 1;

/**
 * What one process may have in hand, so that endpoints that hang take nothing from others, however many there are.
 * A request that has been under way for half a second leaves the room to others and counts among those that hang, of
 * which there may be more. All of it is shared out among publishers. When even these are too many, those that hang
 * longest are given up.
 */
export class DeliveryRoom {
  readonly #inHand: FairShares;
  readonly #unproven: FairShares;
  readonly #hanging: FairShares;
  readonly #leastPatienceMs: number;
  /** Under way, in the order they were sent. */
  readonly #young = new Set<InHand>();
  readonly #old = new Set<InHand>();

  /**
   * @param maxTaken deliveries in hand, beside those that hang
   * @param leastPatienceMs no request ends earlier for the sake of others
   */
  constructor(maxTaken: number, leastPatienceMs: number) {
    this.#inHand = new FairShares(maxTaken);
    this.#unproven = new FairShares(Math.floor(maxTaken * unprovenShare));
    this.#hanging = new FairShares(maxTaken * hangingPerTaken, hangingWeight);
    this.#leastPatienceMs = leastPatienceMs;
  }

  get isFull(): boolean {
    return this.#inHand.free === 0;
  }

  /** What one endpoint of the publisher may have: an eighth of what is free, so that something is left for the next. */
  fairShare(publisherId: string, endpointHas: number): number {
    const left = this.#inHand.left(publisherId);
    return Math.min(left, Math.max(1, Math.floor(left / 8)) - endpointHas);
  }

  /**
   * Keeps room for deliveries about to be taken.
   * @param kind `hung`: an endpoint whose last request hung; they get no more than half of what there is for unproven ones
   * @returns the shares of each delivery; null when there is no room for so many
   */
  reserve(publisherId: string, count: number, kind: 'proven' | 'unproven' | 'hung'): FairShares[] | null {
    if (kind === 'hung' && this.#unproven.free <= this.#unproven.total / 2) return null;
    const shares = kind === 'proven' ? [this.#inHand] : [this.#inHand, this.#unproven];
    if (!shares.every((each) => each.mayTake(publisherId, count))) return null;
    for (const each of shares) each.take(publisherId, count);
    return shares;
  }

  /** What was reserved and not found. */
  giveBack(publisherId: string, count: number, shares: readonly FairShares[]): void {
    if (count > 0) for (const each of shares) each.giveBack(publisherId, count);
  }

  sent(delivery: InHand, nowMs: number): void {
    delivery.sentMs = nowMs;
    this.#young.add(delivery);
  }

  answered(delivery: InHand): void {
    this.#young.delete(delivery);
    this.#old.delete(delivery);
  }

  /** It is no longer in hand. */
  forget(delivery: InHand): void {
    this.answered(delivery);
    this.giveBack(delivery.publisherId, 1, delivery.shares.splice(0));
  }

  /** Lets what hangs leave the room to others. */
  sweep(nowMs: number): void {
    for (const delivery of this.#young) {
      if (nowMs - (delivery.sentMs ?? nowMs) <= hangingAfterMs) return; // and so are all that follow
      const { publisherId, shares } = delivery;
      if (this.#hanging.take(publisherId, 1)) {
        this.giveBack(publisherId, 1, shares.splice(0, shares.length, this.#hanging));
        this.#young.delete(delivery);
        this.#old.add(delivery);
      } else if (!this.#giveUpOldest(this.#hanging.free > 0 ? publisherId : null, nowMs)) return;
    }
  }

  /** Ends the request that has hung longest, of one publisher where it alone has too many. @returns false: none yet */
  #giveUpOldest(publisherId: string | null, nowMs: number): boolean {
    for (const delivery of this.#old) {
      if (nowMs - (delivery.sentMs ?? nowMs) < this.#leastPatienceMs) return false;
      if (delivery.isGivenUp || (publisherId !== null && delivery.publisherId !== publisherId)) continue;
      giveUp(delivery);
      return true;
    }
    return false;
  }

  /** Ends everything that is under way. */
  giveUpAll(): void {
    for (const delivery of [...this.#young, ...this.#old]) giveUp(delivery);
  }

  get underWay(): number {
    return this.#young.size + this.#old.size;
  }
}

function giveUp(delivery: InHand): void {
  delivery.isGivenUp = true;
  delivery.request?.giveUp();
}
