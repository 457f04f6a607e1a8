/** Maximum number of concurrent requests to an endpoint that responds. */
const maxAtOnce = 64;
/** Time without a response after which an endpoint isn't sent any more requests until it responds. */
const stalledAfterMs = 2_000;

/**
 * Period whose deliveries may be taken ahead: longer than a round of taking on a busy machine, and shorter than the time
 * after which queued deliveries are released.
 */
const aheadMs = 100;
const maxAhead = 512;
/** Age at which a count of deliveries no longer describes the endpoint's present speed. */
const outdatedAfterMs = 1_000;

/**
 * Limits this process's concurrent requests to an endpoint: one until a delivery succeeds, one more with each success,
 * and back to one after a failure. An endpoint that always hangs therefore uses one connection, and an endpoint that
 * starts to hang accumulates at most two seconds' worth of requests. Also counts how many deliveries an endpoint accepts,
 * so that a fast endpoint's backlog is taken in large sets.
 */
export class EndpointSlots {
  #limit = 1;
  #inFlight = 0;
  #isProven = false;
  #lastAnswerMs = 0;
  #hung = false;
  #periodMs = 0;
  #inPeriod = 0;
  /** Number of deliveries in the last complete period. */
  #perPeriod = 0;

  get inFlight(): number {
    return this.#inFlight;
  }

  /** True if the last attempt failed after hanging. */
  get hung(): boolean {
    return this.#hung;
  }

  /** True if the last attempt succeeded. */
  get isProven(): boolean {
    return this.#isProven;
  }

  /** True if the endpoint accepts more deliveries within a tenth of a second than are taken ahead for others. */
  isFast(nowMs: number): boolean {
    return this.#ahead(nowMs) > 2 * this.#limit;
  }

  free(nowMs: number): number {
    return this.#isStalled(nowMs) ? 0 : Math.max(0, this.#limit - this.#inFlight);
  }

  /**
   * Returns how many deliveries to take, so that the next deliveries are ready when the current requests end.
   * @param queued number of deliveries taken but not sent yet
   */
  wanted(queued: number, nowMs: number): number {
    if (this.#isStalled(nowMs)) return 0;
    const ahead = this.#ahead(nowMs);
    const missing = this.#limit + ahead - this.#inFlight - queued;
    // If enough deliveries are queued, wait until more can be taken at once.
    return queued > 0 && missing < Math.max(this.#limit / 2, ahead / 4) ? 0 : Math.max(0, missing);
  }

  #ahead(nowMs: number): number {
    if (!this.#isProven) return 0;
    const isCurrent = nowMs - this.#periodMs < outdatedAfterMs;
    return Math.max(2 * this.#limit, isCurrent ? Math.min(this.#perPeriod, maxAhead) : 0);
  }

  #count(nowMs: number): void {
    const sinceMs = nowMs - this.#periodMs;
    if (sinceMs >= aheadMs) {
      this.#perPeriod = sinceMs < 2 * aheadMs ? this.#inPeriod : 0;
      this.#inPeriod = 0;
      this.#periodMs = nowMs;
    }
    this.#inPeriod += 1;
  }

  #isStalled(nowMs: number): boolean {
    return this.#inFlight > 0 && nowMs - this.#lastAnswerMs > stalledAfterMs;
  }

  sent(nowMs: number): void {
    if (this.#inFlight === 0) this.#lastAnswerMs = nowMs;
    this.#inFlight += 1;
  }

  answered(isDelivered: boolean, nowMs: number, hung = false): void {
    this.#inFlight -= 1;
    this.#hung = hung && !isDelivered;
    this.#lastAnswerMs = nowMs;
    this.#isProven = isDelivered;
    this.#limit = isDelivered ? Math.min(maxAtOnce, this.#limit + 1) : 1;
    if (isDelivered) this.#count(nowMs);
    else this.#perPeriod = this.#inPeriod = 0;
  }
}
