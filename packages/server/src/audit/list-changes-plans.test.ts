import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { applyProgram } from '../../test/apply-program.ts';
import { manyEntries } from '../../test/audit.ts';
import { auroraProgram, rivalProgram } from '../../test/fixtures.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { Pages } from '../platform/page.ts';
import { type ChangeFilter, listChanges } from './list-changes.ts';

const perPublisher = 50_000;
const pages = new Pages(Buffer.alloc(32));
let testDatabase: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const { db } = testDatabase.database;
  await applyProgram(db, auroraProgram);
  await applyProgram(db, rivalProgram);
  for (const publisherId of ['aurora', 'rival']) await manyEntries(db, publisherId, perPublisher);
  owner = new pg.Client(testDatabase.ownerConnection);
  await owner.connect();
  await owner.query('vacuum analyze audit_entry');
});
afterAll(async () => {
  await owner.end();
  await testDatabase.drop();
});

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

async function planOf(filter: Omit<ChangeFilter, 'publisherId'>, cursor: string | null = null) {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const { rows, nextCursor } = await listChanges(
    testDatabase.database.db,
    pages,
    { publisherId: 'aurora', ...filter },
    { cursor, size: 50 },
  );
  const sent = query.mock.calls.map(([text, values]: unknown[]) => ({ text, values: values as unknown[] }));
  query.mockRestore();
  const page = sent.find(({ text }) => typeof text === 'string' && text.includes('from audit_entry'));
  if (page === undefined) throw new Error('no page was read');
  // The statement is planned with values, like the statements that the driver sends.
  const explained = await owner.query(`explain (analyze, buffers, format json) ${page.text}`, page.values);
  const [{ Plan: top }] = explained.rows[0]['QUERY PLAN'] as [{ Plan: Plan }];
  const nodes: Plan[] = [];
  for (const queue = [top]; queue.length > 0; ) {
    const node = queue.pop();
    if (node !== undefined) nodes.push(node);
    queue.push(...(node?.Plans ?? []));
  }
  return {
    found: rows.length,
    nextCursor,
    blocks: top['Shared Hit Blocks'] + top['Shared Read Blocks'],
    types: nodes.map((node) => node['Node Type']),
    indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
  };
}

const hour = 3_600_000;
const since = Date.UTC(2026, 0, 1);

test.each<[what: string, Omit<ChangeFilter, 'publisherId'>, index: string]>([
  ['no filter', {}, 'audit_entry_pkey'],
  ['a time', { from: new Date(since + hour), until: new Date(since + 2 * hour) }, 'audit_entry_pkey'],
  ['an actor', { actorKind: 'command', actorId: 'rare' }, 'audit_entry_by_actor'],
  ['an actor of any kind', { actorId: 'rare' }, 'audit_entry_by_actor'],
  ['a kind of actor', { actorKind: 'staff' }, 'audit_entry_by_actor'],
  ['an action', { action: 'payout.rarely' }, 'audit_entry_by_action'],
  ['a noun', { action: 'rarity' }, 'audit_entry_by_action'],
  ['a target', { target: 'member:rare' }, 'audit_entry_by_target'],
  ['an unknown target', { target: 'member:unknown' }, 'audit_entry_by_target'],
  ['an actor within a time', { actorId: 'rare', from: new Date(since + hour) }, 'audit_entry_by_actor'],
  ['an actor that acts all the time', { actorKind: 'key', actorId: 'backend' }, 'audit_entry_'],
  ['a noun of most entries', { action: 'member' }, 'audit_entry_'],
])(
  'reads a page by %s from a small range of an index, with 100,000 entries',
  async (_what, filter, index) => {
    const { types, indexes, blocks, found } = await planOf(filter);
    expect(types).not.toContain('Seq Scan');
    expect(indexes).toEqual([expect.stringContaining(index)]);
    expect(blocks).toBeLessThan(250);
    expect(found > 0 || filter.target === 'member:unknown').toBe(true);
  },
);

test('reads the last page as cheaply as the first', async () => {
  const end = { action: 'member.approve', until: new Date(since + 3 * 60_000) };
  const first = await planOf({ action: 'member.approve' });
  const last = await planOf(end);
  expect(last.found).toBeGreaterThan(0);
  expect(last.blocks).toBeLessThan(Math.max(100, 2 * first.blocks));
});
