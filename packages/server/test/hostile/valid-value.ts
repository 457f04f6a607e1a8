import type { DocumentedApi } from '../documented-answers.ts';
import type { Random } from '../simulation/random.ts';
import type { Pool } from './pool.ts';

// biome-ignore lint/suspicious/noExplicitAny: schemas can have any shape
type Schema = any;

const maxDepth = 8;
const dates = ['2026-05-01T12:00:00.000Z', '2026-01-01T00:00:00Z', '2031-06-01T00:00:00+02:00'];
const texts: Readonly<Record<string, string>> = {
  currency: 'USD',
  password: 'correct horse battery staple',
  url: 'https://receiver.invalid/hook',
};

/** Generates values that match the document's schemas, with known ids. */
export class ValidValues {
  readonly #api: DocumentedApi;
  readonly #pool: Pool;

  constructor(api: DocumentedApi, pool: Pool) {
    this.#api = api;
    this.#pool = pool;
  }

  /**
   * Generates a value.
   * @param name name of the property or parameter
   */
  of(given: Schema, name: string, random: Random, depth = 0): unknown {
    const schema = this.#api.resolve(given) as Schema;
    if (schema === undefined || depth > maxDepth) return null;
    if (schema.const !== undefined) return schema.const;
    const known =
      typeof schema.enum === 'undefined' && !random.oneIn(8) ? this.#pool.pick(name, random) : undefined;
    if (known !== undefined && fits(schema, known)) return known;
    if (Array.isArray(schema.enum)) return random.pick(schema.enum);
    const choices = schema.type === 'object' ? undefined : (schema.anyOf ?? schema.oneOf);
    if (choices !== undefined) return this.of(random.pick(choices), name, random, depth + 1);
    if (Array.isArray(schema.allOf))
      return Object.assign({}, ...schema.allOf.map((each: Schema) => this.of(each, name, random, depth + 1)));
    const type = Array.isArray(schema.type) ? random.pick<string>(schema.type) : schema.type;
    switch (type) {
      case 'object':
        return this.#object(schema, random, depth);
      case 'array': {
        const length = Math.max(schema.minItems ?? 0, random.below(3));
        return Array.from({ length }, () => this.of(schema.items ?? {}, singular(name), random, depth + 1));
      }
      case 'integer':
      case 'number':
        return numberOf(schema, random);
      case 'boolean':
        return random.oneIn(2);
      case 'null':
        return null;
      default:
        return textOf(schema, name, random);
    }
  }

  #object(schema: Schema, random: Random, depth: number): Record<string, unknown> {
    const one = schema.oneOf ?? schema.anyOf;
    const form = one === undefined ? {} : (this.#api.resolve(random.pick(one)) as Schema);
    const required = new Set<string>([...(schema.required ?? []), ...(form.required ?? [])]);
    const properties: Record<string, Schema> = { ...schema.properties, ...form.properties };
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([key]) => required.has(key) || random.oneIn(one === undefined ? 2 : 4))
        .map(([key, each]) => [key, this.of(each, key, random, depth + 1)]),
    );
  }
}

const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/s$/, '');

function fits({ type, enum: listed, format }: Schema, value: unknown): boolean {
  if (listed !== undefined || format === 'date-time') return false;
  return type === undefined || type === (typeof value === 'number' ? 'integer' : typeof value);
}

function numberOf({ minimum = 0, maximum = 1_000_000, type }: Schema, random: Random): number {
  const at = random.pick([
    minimum,
    maximum,
    minimum + 1,
    minimum + random.below(Math.max(1, Math.min(maximum - minimum, 1_000))),
  ]);
  return type === 'number' && random.oneIn(3) ? at / 3 : at;
}

function textOf(
  { format, pattern, minLength = 0, maxLength = 200 }: Schema,
  name: string,
  random: Random,
): string {
  if (format === 'date-time') return random.pick(dates);
  if (format === 'uuid') return '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90';
  if (format === 'uri') return texts.url ?? '';
  if (format === 'email' || /email/i.test(name)) return `p${random.below(100)}@example.com`;
  if (pattern?.includes('[0-9]') && !pattern.includes('a-z')) return String(random.below(100_000));
  const text = texts[name] ?? `x${random.below(1_000)}`;
  return text.padEnd(minLength, 'x').slice(0, maxLength);
}
