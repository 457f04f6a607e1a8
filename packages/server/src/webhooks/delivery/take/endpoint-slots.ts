/** Requests to one endpoint at once, when it answers well. */
const maxAtOnce = 64;
/** An endpoint with a request this old is sent nothing more until it answers. */
const stalledAfterMs = 2_000;

/**
 * How many requests one endpoint may have under way in this process: one until it has delivered, then more with
 * each delivery, and one again after a failure. So an endpoint that hangs holds one connection, and one that
 * began to hang holds what it was sent in two seconds.
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

  /** Whether the last attempt ended without being delivered, and only after a while. */
  get hung(): boolean {
    return this.#hung;
  }

  /** Whether the last attempt was delivered. */
  get isProven(): boolean {
    return this.#isProven;
  }

  /** How many more may be sent now. */
  free(nowMs: number): number {
    return this.#isStalled(nowMs) ? 0 : Math.max(0, this.#limit - this.#inFlight);
  }

  /**
   * How many to take, so that the next ones are at hand when these are answered.
   * @param queued those taken and not sent yet
   */
  wanted(queued: number, nowMs: number): number {
    if (this.#isStalled(nowMs)) return 0;
    const ahead = this.#isProven ? 2 * this.#limit : 0;
    const missing = this.#limit + ahead - this.#inFlight - queued;
    // Not one by one: while there is enough to go on with, the next set is worth waiting for.
    return queued > 0 && missing < this.#limit / 2 ? 0 : Math.max(0, missing);
  }

  #isStalled(nowMs: number): boolean {
    return this.#inFlight > 0 && nowMs - this.#lastAnswerMs > stalledAfterMs;
  }

  sent(nowMs: number): void {
    if (this.#inFlight === 0) this.#lastAnswerMs = nowMs;
    this.#inFlight += 1;
  }

  /** @param hung whether it took long */
  answered(isDelivered: boolean, nowMs: number, hung = false): void {
    this.#inFlight -= 1;
    this.#hung = hung && !isDelivered;
    this.#lastAnswerMs = nowMs;
    this.#isProven = isDelivered;
    this.#limit = isDelivered ? Math.min(maxAtOnce, this.#limit + 1) : 1;
  }
}
