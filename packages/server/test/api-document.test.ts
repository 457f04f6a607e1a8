import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

type Json = Record<string, unknown>;

const document = JSON.parse(
  readFileSync(new URL('../../../docs/openapi.generated.json', import.meta.url), 'utf8'),
);
const operations: Json[] = Object.values(document.paths as Record<string, Json>).flatMap(
  (path) => Object.values(path) as Json[],
);

/** Yields every object in the document with its path. In examples, yields only the outermost object. */
function* nodesOf(value: unknown, place = ''): Generator<[place: string, node: Json]> {
  if (typeof value !== 'object' || value === null || /\/examples?$/.test(place)) return;
  if (!Array.isArray(value)) yield [place, value as Json];
  for (const [key, each] of Object.entries(value)) yield* nodesOf(each, `${place}/${key}`);
}
const nodes = [...nodesOf(document)];

it('lists the 168 currencies once', () => {
  const lists = nodes.filter(([, { enum: listed }]) => Array.isArray(listed) && listed.includes('EUR'));
  expect(lists.map(([place]) => place)).toEqual(['/components/schemas/Currency']);
  expect(lists[0]?.[1].enum).toHaveLength(168);
});

it('has patterns that work without flags', () => {
  const patterns = new Set(
    nodes.map(([, { pattern }]) => pattern).filter((each) => typeof each === 'string'),
  );
  expect(patterns.size).toBeGreaterThan(2);
  for (const pattern of patterns) {
    expect(pattern).not.toMatch(/\\[pPu]/);
    expect(() => [new RegExp(pattern), new RegExp(pattern, 'u')]).not.toThrow();
  }
});

it('names the model for every body', () => {
  const bodies = nodes.filter(([place]) =>
    /\/content\/[^/]+\/schema$/.test(place.replaceAll('application/', '')),
  );
  expect(bodies.length).toBeGreaterThan(60);
  const isNamed = (schema: Json): boolean =>
    typeof schema.$ref === 'string' ||
    schema.type === 'string' ||
    [schema.items, schema.anyOf].flat().some((each) => each !== undefined && isNamed(each as Json));
  expect(bodies.filter(([, schema]) => !isNamed(schema)).map(([place]) => place)).toEqual([]);
});

it('allows properties of later versions in responses and webhook payloads', () => {
  const reached = new Map<string, Json>();
  const follow = (value: unknown): void => {
    for (const [place, node] of nodesOf(value)) {
      if (node.additionalProperties === false) reached.set(place, node);
      const name = typeof node.$ref === 'string' && node.$ref.split('/').slice(-2);
      if (!name || followed.has(String(node.$ref))) continue;
      followed.add(String(node.$ref));
      follow(document.components[name[0] ?? ''][name[1] ?? '']);
    }
  };
  const followed = new Set<string>();
  follow(operations.map(({ responses }) => responses));
  follow(document.webhooks);
  expect(followed.size).toBeGreaterThan(30);
  expect([...reached.keys()]).toEqual([]);
});

it('declares every operation’s key; a public operation accepts both kinds', () => {
  const kinds = new Set(operations.map(({ security }) => JSON.stringify(security)));
  expect(kinds).toEqual(new Set(['[{"secretKey":[]}]', '[{"publicKey":[]},{"secretKey":[]}]']));
});
