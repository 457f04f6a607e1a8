/**
 * Ends what takes longer than a time that is the same for all: with one timer, where one for each would be made and
 * cleared thousands of times a second.
 */
export class Deadlines<Item> {
  readonly #afterMs: number;
  readonly #onLate: (item: Item) => void;
  /** In the order they began, which is that in which they must end. */
  readonly #startedMs = new Map<Item, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(afterMs: number, onLate: (item: Item) => void) {
    this.#afterMs = afterMs;
    this.#onLate = onLate;
  }

  /** @param nowMs by `performance.now()`, no earlier than that of any before */
  begin(item: Item, nowMs: number): void {
    this.#startedMs.set(item, nowMs);
    this.#timer ??= setTimeout(this.#look, this.#afterMs);
  }

  end(item: Item): void {
    this.#startedMs.delete(item);
  }

  /** Nothing is late any more. */
  close(): void {
    this.#startedMs.clear();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  readonly #look = (): void => {
    this.#timer = null;
    const nowMs = performance.now();
    for (const [item, startedMs] of this.#startedMs) {
      const leftMs = startedMs + this.#afterMs - nowMs;
      if (leftMs > 0) {
        this.#timer = setTimeout(this.#look, Math.ceil(leftMs));
        return;
      }
      this.#startedMs.delete(item);
      this.#onLate(item);
    }
  };
}
