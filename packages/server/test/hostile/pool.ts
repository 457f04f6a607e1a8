import type { Random } from '../simulation/random.ts';

/** Of each name; the oldest goes. The same choices pick the same places, whatever stands there. */
const places = 16;

const kept = /(?:id|code|cursor|day|month|version|token|currency)$/i;

/** What there is to ask for: names and ids that the installation had at the beginning, and those that it has answered. */
export class Pool {
  readonly #known = new Map<string, unknown[]>();
  readonly #next = new Map<string, number>();

  constructor(known: Readonly<Record<string, readonly unknown[]>>) {
    for (const [name, values] of Object.entries(known)) this.#known.set(name, [...values]);
  }

  has(name: string): boolean {
    return this.#known.has(name);
  }

  /** @returns undefined where nothing of this name is known */
  pick(name: string, random: Random): unknown {
    const at = random.below(places);
    const values = this.#known.get(name);
    return values === undefined ? undefined : values[at % values.length];
  }

  /** Keeps the ids of an answer. @param noun what an `id` of it is of, such as `payouts` */
  learn(value: unknown, noun: string, depth = 0): void {
    if (typeof value !== 'object' || value === null || depth > 4) return;
    if (Array.isArray(value)) {
      for (const each of value.slice(0, 3)) this.learn(each, noun, depth + 1);
      return;
    }
    for (const [key, each] of Object.entries(value)) {
      if (typeof each === 'object') this.learn(each, key === 'rows' ? noun : key, depth + 1);
      else if ((typeof each === 'string' || typeof each === 'number') && kept.test(key))
        this.#keep(key === 'id' ? idOf(noun) : key, each);
    }
  }

  #keep(name: string, value: string | number): void {
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

/** `rev-shares` has revShareId, `bounties` bountyId. */
const idOf = (noun: string): string =>
  `${noun
    .replace(/ies$/, 'y')
    .replace(/s$/, '')
    .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`;
