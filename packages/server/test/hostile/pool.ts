import type { Random } from '../simulation/random.ts';

/**
 * Number of values stored per name. A new value replaces the oldest value. The same random choices pick the
 * same places, regardless of the values there.
 */
const places = 16;

const learnedNames = /(?:id|code|cursor|day|month|version|token|currency)$/i;

/** Names and ids for requests, from the installation's initial data and from its responses. */
export class Pool {
  readonly #known = new Map<string, unknown[]>();
  readonly #next = new Map<string, number>();

  constructor(known: Readonly<Record<string, readonly unknown[]>>) {
    for (const [name, values] of Object.entries(known)) this.#known.set(name, [...values]);
  }

  has(name: string): boolean {
    return this.#known.has(name);
  }

  pick(name: string, random: Random): unknown {
    const at = random.below(places);
    const values = this.#known.get(name);
    return values === undefined ? undefined : values[at % values.length];
  }

  /**
   * Adds the ids in a response.
   * @param noun collection to which an `id` in the response belongs, such as `payouts`
   */
  learn(value: unknown, noun: string, depth = 0): void {
    if (typeof value !== 'object' || value === null || depth > 4) return;
    if (Array.isArray(value)) {
      for (const each of value.slice(0, 3)) this.learn(each, noun, depth + 1);
      return;
    }
    for (const [key, each] of Object.entries(value)) {
      if (typeof each === 'object') this.learn(each, key === 'rows' ? noun : key, depth + 1);
      else if ((typeof each === 'string' || typeof each === 'number') && learnedNames.test(key))
        this.#add(key === 'id' ? idOf(noun) : key, each);
    }
  }

  #add(name: string, value: string | number): void {
    const values = this.#known.get(name) ?? [];
    this.#known.set(name, values);
    if (values.includes(value)) return;
    if (values.length < places) {
      values.push(value);
      return;
    }
    const at = this.#next.get(name) ?? 0;
    values[at] = value;
    this.#next.set(name, (at + 1) % places);
  }
}

/** Returns the name for a collection's ids: revShareId for `rev-shares`, bountyId for `bounties`. */
const idOf = (noun: string): string =>
  `${noun
    .replace(/ies$/, 'y')
    .replace(/s$/, '')
    .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`;
