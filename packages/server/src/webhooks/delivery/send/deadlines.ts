/**
 * Ends items that exceed a timeout. All items share one timer, because individual timers would be created and cleared
 * thousands of times a second.
 */
export class Deadlines<Item> {
  readonly #afterMs: number;
  readonly #onLate: (item: Item) => void;
  /** Start times, earliest first, which is also the order of the deadlines. */
  readonly #startedMs = new Map<Item, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(afterMs: number, onLate: (item: Item) => void) {
    this.#afterMs = afterMs;
    this.#onLate = onLate;
  }

  /** @param nowMs time from `performance.now()`, no earlier than that of any previous item */
  begin(item: Item, nowMs: number): void {
    this.#startedMs.set(item, nowMs);
    this.#timer ??= setTimeout(this.#check, this.#afterMs);
  }

  end(item: Item): void {
    this.#startedMs.delete(item);
  }

  close(): void {
    this.#startedMs.clear();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  readonly #check = (): void => {
    this.#timer = null;
    const nowMs = performance.now();
    for (const [item, startedMs] of this.#startedMs) {
      const leftMs = startedMs + this.#afterMs - nowMs;
      if (leftMs > 0) {
        this.#timer = setTimeout(this.#check, Math.ceil(leftMs));
        return;
      }
      this.#startedMs.delete(item);
      this.#onLate(item);
    }
  };
}
