/** Maximum number of concurrent requests to an endpoint that responds. */
const maxAtOnce = 64;
/** Time without a response after which an endpoint isn't sent any more requests until it responds. */
const stalledAfterMs = 2_000;

/**
 * Limits this process's concurrent requests to an endpoint: one until a delivery succeeds, one more with each success,
 * and back to one after a failure. An endpoint that always hangs therefore uses one connection, and an endpoint that
 * starts to hang accumulates at most two seconds' worth of requests.
 */
export class EndpointSlots {
  #limit = 1;
  #inFlight = 0;
  #isProven = false;
  #lastAnswerMs = 0;
  #hung = false;

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

  free(nowMs: number): number {
    return this.#isStalled(nowMs) ? 0 : Math.max(0, this.#limit - this.#inFlight);
  }

  /**
   * Returns how many deliveries to take, so that the next deliveries are ready when the current requests end.
   * @param queued number of deliveries taken but not sent yet
   */
  wanted(queued: number, nowMs: number): number {
    if (this.#isStalled(nowMs)) return 0;
    const ahead = this.#isProven ? 2 * this.#limit : 0;
    const missing = this.#limit + ahead - this.#inFlight - queued;
    // If enough deliveries are queued, wait until more can be taken at once.
    return queued > 0 && missing < this.#limit / 2 ? 0 : Math.max(0, missing);
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
  }
}
