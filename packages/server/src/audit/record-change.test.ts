import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyProgram } from '../../test/apply-program.ts';
import { auroraProgram } from '../../test/fixtures.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import { Pages } from '../platform/page.ts';
import type { Actor } from './actor.ts';
import { listChanges } from './list-changes.ts';
import { batchEntries, type Change, recordChange, recordChanges } from './record-change.ts';

let testDatabase: TestDatabase;
const db = () => testDatabase.database.db;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await applyProgram(db(), auroraProgram);
});
afterAll(() => testDatabase.drop());

const pages = new Pages(Buffer.alloc(32));
const someone: Actor = { kind: 'command', id: 'someone', name: 'someone', command: 'tests run' };
const change = (target: string, facts: Partial<Change> = {}): Change => ({
  publisherId: 'aurora',
  action: 'test.run',
  target,
  ...facts,
});

async function written(actor: Actor, facts: Partial<Change>) {
  const target = facts.target ?? 'test:one';
  await inTransaction(db(), (tx) => recordChange(tx, actor, change(target, facts)));
  const { rows } = await listChanges(db(), pages, { publisherId: 'aurora' }, { cursor: null, size: 1 });
  const [entry] = rows;
  if (entry === undefined) throw new Error('nothing was written');
  return entry;
}

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
    .map((codes) => String.fromCharCode(...codes)),
  fc.constantFrom('', '\0', '\ud83d', '\ude00', '\\u0000', '\\\ud800', '\u202e', '\u0085', '"\\', '😀'),
);
/** Hostile text that is sometimes far too long. */
const anyText = fc.oneof(
  hostile,
  fc
    .tuple(hostile, fc.integer({ min: 200, max: 10_000 }))
    .map(([text, length]) => text.repeat(length).slice(0, 20_000)),
);
const anyValue = fc.oneof(
  anyText,
  fc.double(),
  fc.bigInt(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
);
const anyFacts = fc.option(
  fc.dictionary(
    hostile,
    fc.oneof(anyValue, fc.array(anyValue, { maxLength: 5 }), fc.dictionary(hostile, anyValue)),
  ),
  { nil: null },
);

test('saves a change with any names, targets, reasons and facts', async () => {
  const anyChange = fc.record({
    target: anyText,
    before: anyFacts,
    after: anyFacts,
    reason: fc.option(anyText),
  });
  const anyActor = fc.record({
    id: anyText,
    name: anyText,
    address: anyText,
    requestId: anyText,
    command: anyText,
  });
  await fc.assert(
    fc.asyncProperty(
      anyActor,
      fc.array(anyChange, { minLength: 1, maxLength: 20 }),
      async (actor, changes) => {
        await inTransaction(db(), (tx) =>
          recordChanges(
            tx,
            { kind: 'key', ...actor },
            changes.map(({ target, ...facts }) => change(target, facts)),
          ),
        );
      },
    ),
    { numRuns: 60 },
  );
});

test.each([
  ['a name of 10,000 characters', { name: 'n'.repeat(10_000) }, { name: 'n'.repeat(255) }],
  ['pairs that are cut', { id: `x${'😀'.repeat(200)}` }, { id: `x${'😀'.repeat(127)}` }],
  ['half a character', { name: 'a\ud83db' }, { name: 'a\ufffdb' }],
  ['U+0000', { name: 'a\0b' }, { name: 'a\ufffdb' }],
  ['no name at all', { id: '', name: '' }, { id: '-', name: '-' }],
  [
    'control characters, which are escaped when printed',
    { name: 'a\u001b[2J\u202eb' },
    { name: 'a\u001b[2J\u202eb' },
  ],
])('stores an actor with %s as well-formed text', async (_what, given, stored) => {
  expect((await written({ ...someone, ...given }, {})).actor).toEqual({ ...someone, ...stored });
});

test('finds an entry with a cut target by the whole target', async () => {
  const target = `member:${'x'.repeat(10_000)}`;
  await written(someone, { target });
  const found = await listChanges(db(), pages, { publisherId: 'aurora', target }, { cursor: null, size: 5 });
  expect(found.rows).toMatchObject([{ target: target.slice(0, 600) }]);
});

test('returns facts as recorded, with amounts as text', async () => {
  const facts = {
    name: 'Ünï\ncode "\\u0000"',
    shares: [1, 2.5],
    nested: { on: true, off: null },
    amountMinor: 12n,
  };
  const { before, after } = await written(someone, { before: facts, after: {} });
  expect([before, after]).toEqual([{ ...facts, amountMinor: '12' }, {}]);
});

test('truncates facts that are too long, and shows how many more there are', async () => {
  const name = 'n'.repeat(70_000);
  const { before } = await written(someone, { before: { name, size: 7 } });
  expect(before).toEqual({ name: `"${'n'.repeat(999)}…`, size: 7 });
  const many = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`fact-${index}`, name]));
  const { after } = await written(someone, { after: many });
  const names = Object.keys(after ?? {});
  expect(names.length).toBeGreaterThan(40);
  expect(after?.['…']).toBe(`${90 - names.length + 1} more`);
});

test('writes thousands of entries of one commit in their order', async () => {
  const targets = Array.from({ length: 6_000 }, (_, index) => `order:${index}`);
  await inTransaction(db(), (tx) =>
    batchEntries(tx, async () => {
      for (const target of targets) await recordChange(tx, someone, change(target));
    }),
  );
  const { rows } = await sql<{ target: string }>`
    select target from audit_entry where target like 'order:%' order by audit_id`.execute(db());
  expect(rows.map(({ target }) => target)).toEqual(targets);
});

test('rejects nested batches of entries, and drops the entries of failed work', async () => {
  await inTransaction(db(), async (tx) => {
    const nested = () => batchEntries(tx, () => recordChange(tx, someone, change('nested:inner')));
    await batchEntries(tx, async () => {
      await recordChange(tx, someone, change('nested:outer'));
      await expect(nested()).rejects.toThrow('must not be nested');
    });
    await expect(batchEntries(tx, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await recordChange(tx, someone, change('nested:after'));
  });
  const { rows } = await sql<{ target: string }>`
    select target from audit_entry where target like 'nested:%' order by audit_id`.execute(db());
  expect(rows.map(({ target }) => target)).toEqual(['nested:outer', 'nested:after']);
});

test('does not leave an entry for a change that fails', async () => {
  const failing = inTransaction(db(), async (tx) => {
    await recordChange(tx, someone, change('failed:one'));
    throw new Error('the change failed');
  });
  await expect(failing).rejects.toThrow('the change failed');
  const found = await listChanges(
    db(),
    pages,
    { publisherId: 'aurora', target: 'failed:one' },
    { cursor: null, size: 5 },
  );
  expect(found.rows).toEqual([]);
});
