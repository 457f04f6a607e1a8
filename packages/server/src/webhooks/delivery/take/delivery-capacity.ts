import { FairShares } from '../../../platform/work/fair-shares.ts';
import type { StartedRequest } from '../send/send-request.ts';
import type { DeliveryKey } from './worker-lease.ts';

/** Delivery that this process holds until the outcome is saved. */
export interface HeldDelivery extends DeliveryKey {
  readonly shares: FairShares[];
  /** Time when the delivery's request was sent; null while the delivery is waiting for a slot. */
  sentMs: number | null;
  /** Null until the request is sent. */
  request: StartedRequest | null;
  isGivenUp: boolean;
}

/** Part of `maxTaken` for endpoints without a recent success. The rest is reserved for endpoints with one. */
const unprovenShare = 0.75;
/** Duration after which a request in progress counts as hanging and frees its capacity. */
export const hangingAfterMs = 500;
/**
 * Maximum number of hanging requests, as a multiple of `maxTaken`. Each request costs a socket and a few
 * kilobytes.
 */
const hangingPerTaken = 2;
/**
 * Weight for the fair shares of hanging requests. It allows a single publisher to have half of all hanging requests,
 * because all publishers' endpoints rarely hang at once.
 */
const hangingWeight = 1;

/**
 * Limits the deliveries that one process holds, so that hanging endpoints don't slow down others, no matter how many
 * hang. A request that is still in progress after half a second frees its capacity and counts as hanging. The limit for
 * hanging requests is higher than for other deliveries. Publishers get fair shares of both. When too many requests
 * hang, the oldest are canceled.
 */
export class DeliveryCapacity {
  readonly #regular: FairShares;
  readonly #unproven: FairShares;
  readonly #hanging: FairShares;
  readonly #minPatienceMs: number;
  /** Requests in progress that aren't hanging yet, in the order in which they were sent. */
  readonly #young = new Set<HeldDelivery>();
  readonly #old = new Set<HeldDelivery>();

  /**
   * @param maxTaken maximum number of held deliveries, not counting hanging ones
   * @param minPatienceMs minimum time before a hanging request is canceled
   */
  constructor(maxTaken: number, minPatienceMs: number) {
    this.#regular = new FairShares(maxTaken);
    this.#unproven = new FairShares(Math.floor(maxTaken * unprovenShare));
    this.#hanging = new FairShares(maxTaken * hangingPerTaken, hangingWeight);
    this.#minPatienceMs = minPatienceMs;
  }

  get isFull(): boolean {
    return this.#regular.free === 0;
  }

  /**
   * Returns how many more deliveries an endpoint may have: an eighth of the free capacity, so that some is left for
   * other endpoints. A fast endpoint may have half of it, because it releases it within a fraction of a second.
   */
  fairShare(publisherId: string, endpointHas: number, isFast = false): number {
    const left = this.#regular.left(publisherId);
    return Math.min(left, Math.max(1, Math.floor(left / (isFast ? 2 : 8))) - endpointHas);
  }

  /**
   * Reserves capacity for deliveries about to be taken.
   * @param kind `hung` for an endpoint whose last request hung; these endpoints get at most half of the capacity for
   * unproven endpoints
   * @returns the shares for each delivery; null if there isn't enough capacity
   */
  reserve(publisherId: string, count: number, kind: 'proven' | 'unproven' | 'hung'): FairShares[] | null {
    if (kind === 'hung' && this.#unproven.free <= this.#unproven.total / 2) return null;
    const shares = kind === 'proven' ? [this.#regular] : [this.#regular, this.#unproven];
    if (!shares.every((each) => each.mayTake(publisherId, count))) return null;
    for (const each of shares) each.take(publisherId, count);
    return shares;
  }

  release(publisherId: string, count: number, shares: readonly FairShares[]): void {
    if (count > 0) for (const each of shares) each.giveBack(publisherId, count);
  }

  sent(delivery: HeldDelivery, nowMs: number): void {
    delivery.sentMs = nowMs;
    this.#young.add(delivery);
  }

  answered(delivery: HeldDelivery): void {
    this.#young.delete(delivery);
    this.#old.delete(delivery);
  }

  remove(delivery: HeldDelivery): void {
    this.answered(delivery);
    this.release(delivery.publisherId, 1, delivery.shares.splice(0));
  }

  /** Moves hanging requests out of the regular capacity, and cancels the oldest ones if there are too many. */
  sweep(nowMs: number): void {
    for (const delivery of this.#young) {
      if (nowMs - (delivery.sentMs ?? nowMs) <= hangingAfterMs) return; // the following requests are younger
      const { publisherId, shares } = delivery;
      if (this.#hanging.take(publisherId, 1)) {
        this.release(publisherId, 1, shares.splice(0, shares.length, this.#hanging));
        this.#young.delete(delivery);
        this.#old.add(delivery);
      } else if (!this.#giveUpOldest(this.#hanging.free > 0 ? publisherId : null, nowMs)) return;
    }
  }

  /**
   * Cancels the oldest hanging request, of all requests or of one publisher's. Returns false if none has been hanging
   * long enough.
   */
  #giveUpOldest(publisherId: string | null, nowMs: number): boolean {
    for (const delivery of this.#old) {
      if (nowMs - (delivery.sentMs ?? nowMs) < this.#minPatienceMs) return false;
      if (delivery.isGivenUp || (publisherId !== null && delivery.publisherId !== publisherId)) continue;
      giveUp(delivery);
      return true;
    }
    return false;
  }

  giveUpAll(): void {
    for (const delivery of [...this.#young, ...this.#old]) giveUp(delivery);
  }

  get underWay(): number {
    return this.#young.size + this.#old.size;
  }
}

function giveUp(delivery: HeldDelivery): void {
  delivery.isGivenUp = true;
  delivery.request?.giveUp();
}
