/** Item that has been started, as a link of a list in the order of the deadlines. */
export interface Deadline<Item> {
  readonly item: Item;
  readonly startedMs: number;
  before: Deadline<Item> | null;
  after: Deadline<Item> | null;
  isOver: boolean;
}

/**
 * Ends items that exceed a timeout. All items share one timer, because individual timers would be created and cleared
 * thousands of times a second. All have the same timeout, so a linked list keeps them in the order of their deadlines.
 */
export class Deadlines<Item> {
  readonly #afterMs: number;
  readonly #onLate: (item: Item) => void;
  #first: Deadline<Item> | null = null;
  #last: Deadline<Item> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(afterMs: number, onLate: (item: Item) => void) {
    this.#afterMs = afterMs;
    this.#onLate = onLate;
  }

  /**
   * @param nowMs time from `performance.now()`, no earlier than that of any previous item
   * @returns the deadline, to end it
   */
  begin(item: Item, nowMs: number): Deadline<Item> {
    const last = this.#last;
    const deadline: Deadline<Item> = { item, startedMs: nowMs, before: last, after: null, isOver: false };
    if (last === null) this.#first = deadline;
    else last.after = deadline;
    this.#last = deadline;
    this.#timer ??= setTimeout(this.#check, this.#afterMs);
    return deadline;
  }

  end(deadline: Deadline<Item>): void {
    if (deadline.isOver) return;
    deadline.isOver = true;
    const { before, after } = deadline;
    if (before === null) this.#first = after;
    else before.after = after;
    if (after === null) this.#last = before;
    else after.before = before;
    deadline.before = null;
    deadline.after = null;
  }

  close(): void {
    while (this.#first !== null) this.end(this.#first);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  readonly #check = (): void => {
    this.#timer = null;
    const nowMs = performance.now();
    for (let next = this.#first; next !== null; next = this.#first) {
      const leftMs = next.startedMs + this.#afterMs - nowMs;
      if (leftMs > 0) {
        // An item may have begun, and started the timer, while a late one was ended.
        if (this.#timer !== null) clearTimeout(this.#timer);
        this.#timer = setTimeout(this.#check, Math.ceil(leftMs));
        return;
      }
      this.end(next);
      this.#onLate(next.item);
    }
  };
}
