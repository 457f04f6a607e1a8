interface Options<Value> {
  /** Reads one value from the database. Returns null, which isn't cached, if there is none. */
  load(key: string): Promise<Value | null>;
  /** Returns the keys of the cached values that are still current, using one query. */
  confirm(entries: ReadonlyMap<string, Value>): Promise<ReadonlySet<string>>;
  maxEntries: number;
}

/** Maximum time that a value is used without being confirmed. After that, it is reloaded. */
const trustMs = 4_500;
const confirmEveryMs = 1_500;
/**
 * Period during which an entry is still confirmed after it was last read. The limit keeps an idle process from
 * sending queries.
 */
const usedRecentlyMs = 30_000;

interface Entry<Value> {
  value: Value;
  confirmedAtMs: number;
  usedAtMs: number;
}

/**
 * Cache of database values that are at most five seconds old. One query every 1.5 s confirms all recently used values.
 * A value that hasn't been confirmed for 4.5 s is reloaded before use.
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

  /**
   * Starts confirming values in the background. Without confirmations, each value is reloaded every 4.5 s.
   */
  start(): this {
    this.#timer ??= setInterval(() => void this.#confirm(), confirmEveryMs).unref();
    return this;
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Returns the cached value without querying the database, or undefined if no current value is cached. */
  peek(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    const nowMs = performance.now();
    if (entry === undefined || nowMs - entry.confirmedAtMs >= trustMs) return undefined;
    entry.usedAtMs = nowMs;
    return entry.value;
  }

  /** Returns the value from memory or from the database. Concurrent callers share one query. */
  async get(key: string): Promise<Value | null> {
    return this.peek(key) ?? (this.#loading.get(key) || this.reload(key));
  }

  reload(key: string): Promise<Value | null> {
    const startedAtMs = performance.now();
    const loading = this.#options
      .load(key)
      .then((value) => {
        if (this.#loading.get(key) !== loading) return value;
        this.#entries.delete(key);
        if (value !== null) this.#add(key, value, startedAtMs);
        return value;
      })
      .finally(() => {
        if (this.#loading.get(key) === loading) this.#loading.delete(key);
      });
    this.#loading.set(key, loading);
    return loading;
  }

  #add(key: string, value: Value, confirmedAtMs: number): void {
    this.#entries.set(key, { value, confirmedAtMs, usedAtMs: performance.now() });
    if (this.#entries.size > this.#options.maxEntries) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
  }

  async #confirm(): Promise<void> {
    const startedAtMs = performance.now();
    const used = [...this.#entries].filter(([, { usedAtMs }]) => startedAtMs - usedAtMs < usedRecentlyMs);
    if (this.#confirming || used.length === 0) return;
    this.#confirming = true;
    const values = new Map(used.map(([key, { value }]) => [key, value]));
    try {
      const confirmed = await this.#options.confirm(values);
      for (const [key, value] of values) {
        const entry = this.#entries.get(key);
        if (entry?.value !== value) continue; // reloaded while the query ran
        if (confirmed.has(key)) entry.confirmedAtMs = startedAtMs;
        else this.#entries.delete(key);
      }
    } catch {
      // The database is unavailable. Values expire on their own, and readers get the error.
    } finally {
      this.#confirming = false;
    }
  }
}
