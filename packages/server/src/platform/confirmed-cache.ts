interface Options<Value> {
  /** Reads one value from the database; null when there is none, which is not kept. */
  load(key: string): Promise<Value | null>;
  /** Asks the database, once for all, which kept values are still true. */
  confirm(entries: ReadonlyMap<string, Value>): Promise<ReadonlySet<string>>;
  maxEntries: number;
}

/** A value is used for this long after the database last confirmed it, and then asked for again. */
const trustMs = 4_500;
const confirmEveryMs = 1_500;
/** Time without a read after which an entry is no longer confirmed, so that an idle process queries nothing. */
const usedLatelyMs = 30_000;

interface Entry<Value> {
  value: Value;
  confirmedAtMs: number;
  usedAtMs: number;
}

/**
 * Values of the database kept in memory, so that a warm read costs no round trip, and old for five seconds
 * at most: all values used lately are confirmed by one query every 1.5 s, and a value that could not be confirmed
 * for 4.5 s is read anew before it is used.
 */
export class ConfirmedCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #loading = new Map<string, Promise<Value | null>>();
  readonly #options: Options<Value>;
  #timer: NodeJS.Timeout | null = null;
  #confirming = false;

  constructor(options: Options<Value>) {
    this.#options = options;
  }

  /** Begins to confirm by itself; without it values are read anew every 4.5 s. */
  start(): this {
    this.#timer ??= setInterval(() => void this.#confirm(), confirmEveryMs).unref();
    return this;
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** @returns the kept value when it is warm, without asking the database */
  peek(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    const nowMs = performance.now();
    if (entry === undefined || nowMs - entry.confirmedAtMs >= trustMs) return undefined;
    entry.usedAtMs = nowMs;
    return entry.value;
  }

  /** @returns the kept value, or what the database says; concurrent callers share one query */
  async get(key: string): Promise<Value | null> {
    return this.peek(key) ?? (this.#loading.get(key) || this.reload(key));
  }

  /** Reads a value anew, whatever is kept. */
  reload(key: string): Promise<Value | null> {
    const askedAtMs = performance.now();
    const loading = this.#options
      .load(key)
      .then((value) => {
        if (this.#loading.get(key) !== loading) return value;
        this.#entries.delete(key);
        if (value !== null) this.#keep(key, value, askedAtMs);
        return value;
      })
      .finally(() => {
        if (this.#loading.get(key) === loading) this.#loading.delete(key);
      });
    this.#loading.set(key, loading);
    return loading;
  }

  #keep(key: string, value: Value, confirmedAtMs: number): void {
    this.#entries.set(key, { value, confirmedAtMs, usedAtMs: performance.now() });
    if (this.#entries.size > this.#options.maxEntries) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
  }

  async #confirm(): Promise<void> {
    const askedAtMs = performance.now();
    const used = [...this.#entries].filter(([, { usedAtMs }]) => askedAtMs - usedAtMs < usedLatelyMs);
    if (this.#confirming || used.length === 0) return;
    this.#confirming = true;
    const asked = new Map(used.map(([key, { value }]) => [key, value]));
    try {
      const still = await this.#options.confirm(asked);
      for (const [key, value] of asked) {
        const entry = this.#entries.get(key);
        if (entry?.value !== value) continue; // read anew meanwhile
        if (still.has(key)) entry.confirmedAtMs = askedAtMs;
        else this.#entries.delete(key);
      }
    } catch {
      // The database is away: values lose their trust by themselves, and readers get its error.
    } finally {
      this.#confirming = false;
    }
  }
}
