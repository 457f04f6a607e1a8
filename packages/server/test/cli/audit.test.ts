import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../src/audit/list-changes.ts';
import { recordChange } from '../../src/audit/record-change.ts';
import { runCommand } from '../../src/main.ts';
import { inTransaction } from '../../src/platform/database/in-transaction.ts';
import { applyProgram } from '../apply-program.ts';
import { manyEntries } from '../audit.ts';
import { databaseUrl } from '../database-url.ts';
import { auroraProgram, rivalProgram } from '../fixtures.ts';
import { Collected, runInProcess } from '../run-in-process.ts';
import { keyFor } from '../sealer.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';

const perPublisher = 500;
let testDatabase: TestDatabase;
let environment: Record<string, string>;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const { db } = testDatabase.database;
  for (const [program, publisherId] of [
    [auroraProgram, 'aurora'],
    [rivalProgram, 'rival'],
  ] as const) {
    await applyProgram(db, program);
    await manyEntries(db, publisherId, perPublisher);
  }
  environment = { DATABASE_URL: databaseUrl(testDatabase.connection) };
});
afterAll(() => testDatabase.drop());

const run = (...words: string[]) => runInProcess(['audit', ...words], { environment });

interface Listed {
  entries: (Omit<AuditEntry, 'at'> & { at: string })[];
  nextCursor: string | null;
}

async function list(...words: string[]): Promise<Listed> {
  const { code, stdout, stderr } = await run('list', '--publisher', 'aurora', '--json', ...words);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

async function exported(...words: string[]): Promise<Listed['entries']> {
  const { code, stdout, stderr } = await run('export', '--publisher', 'aurora', ...words);
  expect([code, stderr]).toEqual([0, '']);
  return stdout === ''
    ? []
    : stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
}

/** Returns the ids in the database, newest first. */
async function ids(condition = sql`true`): Promise<string[]> {
  const { rows } = await sql<{ audit_id: string }>`
    select audit_id from audit_entry
    where publisher_id = 'aurora' and ${condition}
    order by audit_id desc`.execute(testDatabase.database.db);
  return rows.map(({ audit_id }) => audit_id);
}

const idsOf = (entries: Listed['entries']): string[] => entries.map(({ auditId }) => auditId);

const from = '2026-01-01T00:20:00Z';
const until = '2026-01-01T00:40:00Z';
const filters: [words: string[], condition: ReturnType<typeof sql<boolean>>][] = [
  [[], sql`true`],
  [['--since', from], sql`at >= ${from}`],
  [['--until', until], sql`at < ${until}`],
  [['--since', from, '--until', until], sql`at >= ${from} and at < ${until}`],
  [['--actor-kind', 'staff'], sql`actor_kind = 'staff'`],
  [['--actor', 'rare'], sql`actor_id = 'rare'`],
  [['--actor', 'backend', '--actor-kind', 'command'], sql`actor_id = 'backend' and actor_kind = 'command'`],
  [['--action', 'member.remove'], sql`action = 'member.remove'`],
  [['--action', 'member'], sql`action like 'member.%'`],
  [['--target', 'member:rare'], sql`target = 'member:rare'`],
  [
    ['--target', 'member:rare', '--until', until, '--action', 'payout'],
    sql`target = 'member:rare' and at < ${until}`,
  ],
];

describe.each(filters)('audit with %j', (words, condition) => {
  test('lists exactly the matching entries, newest first, page by page, without gaps or repeats', async () => {
    const expected = await ids(condition);
    expect(expected.length).toBeGreaterThan(1);
    const size = Math.ceil(expected.length / 3);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Listed = await list(
        ...words,
        '--limit',
        String(size),
        ...(cursor === null ? [] : ['--cursor', cursor]),
      );
      expect(page.entries.length).toBeLessThanOrEqual(size);
      seen.push(...idsOf(page.entries));
      cursor = page.nextCursor;
    } while (cursor !== null && seen.length < 2 * expected.length);
    expect(seen).toEqual(expected);
  });

  test('exports exactly the matching entries, one per line', async () => {
    expect(idsOf(await exported(...words))).toEqual(await ids(condition));
  });
});

test('filters without a match list nothing, and --until is exclusive', async () => {
  const [latest] = (await list('--limit', '1', '--until', until)).entries;
  if (latest === undefined) throw new Error('an entry was expected');
  for (const words of [
    ['--action', 'member.'],
    ['--action', 'mem'],
    ['--action', '%'],
    ['--action', 'member.remove.again'],
    ['--target', 'member'],
    ['--actor', 'RARE'],
    ['--since', latest.at, '--until', latest.at],
  ])
    expect([words, await exported(...words)]).toEqual([words, []]);
  expect(idsOf(await exported('--since', latest.at, '--until', until))).toEqual([latest.auditId]);
  expect((await run('list', '--publisher', 'aurora', '--action', 'nothing')).stdout).toBe('No changes.\n');
});

test('another publisher’s entries are never listed, and a cursor is valid only for its own list', async () => {
  const everything = new Set(idsOf(await exported()));
  const { stdout } = await run('export', '--publisher', 'rival');
  const rivals: Listed['entries'] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rivals.length).toBeGreaterThanOrEqual(perPublisher);
  expect(idsOf(rivals).some((id) => everything.has(id))).toBe(false);

  const { nextCursor } = await list('--limit', '5');
  if (nextCursor === null) throw new Error('more entries were expected');
  expect((await list('--limit', '7', '--cursor', nextCursor)).entries).toHaveLength(7);
  const refused = async (words: string[]) => {
    const { code, stderr } = await run('list', ...words);
    expect([code, stderr]).toEqual([
      1,
      'The cursor does not belong to this list. Start again without a cursor.\n',
    ]);
  };
  await refused(['--publisher', 'rival', '--cursor', nextCursor]);
  await refused(['--publisher', 'aurora', '--action', 'member', '--cursor', nextCursor]);
  await refused(['--publisher', 'aurora', '--since', from, '--cursor', nextCursor]);
  await refused([
    '--publisher',
    'aurora',
    '--cursor',
    `${nextCursor.slice(0, -1)}${nextCursor.endsWith('A') ? 'B' : 'A'}`,
  ]);
  await refused(['--publisher', 'aurora', '--cursor', 'garbage']);
});

test.each([
  [['list', '--publisher', 'nobody'], 1, /nobody/],
  [['export', '--publisher', 'nobody'], 1, /nobody/],
  [['list'], 2, /--publisher/],
  [['list', '--publisher', 'aurora', '--limit', '0'], 2, /from 1 to 1000/],
  [['list', '--publisher', 'aurora', '--limit', '1001'], 2, /from 1 to 1000/],
  [['list', '--publisher', 'aurora', '--since', 'yesterday'], 2, /must be a timestamp/],
  [['list', '--publisher', 'aurora', '--actor-kind', 'ghost'], 2, /Allowed choices/],
])('%j is rejected with a message', async (words, code, message) => {
  expect(await run(...words)).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
});

test('an entry shows actor, origin, change and reason, and names cannot control the terminal', async () => {
  const { db } = testDatabase.database;
  const actor = {
    kind: 'staff',
    id: 'staff-1',
    name: 'Eve\u001b[2J\u202e\nAdam',
    address: '192.0.2.7',
    requestId: 'r-1',
  } as const;
  await inTransaction(db, (tx) =>
    recordChange(tx, actor, {
      publisherId: 'aurora',
      action: 'group.put',
      target: 'group:main\u2066',
      before: { name: 'Old\nname' },
      after: { name: 'New\u0085name' },
      reason: 'asked\u001b]0;x\u0007 for',
    }),
  );
  const { entries } = await list('--action', 'group.put', '--limit', '1');
  expect(entries).toEqual([
    {
      auditId: expect.any(String),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      actor,
      action: 'group.put',
      target: 'group:main\u2066',
      before: { name: 'Old\nname' },
      after: { name: 'New\u0085name' },
      reason: 'asked\u001b]0;x\u0007 for',
    },
  ]);
  expect((await exported('--actor', 'staff-1'))[0]).toEqual(entries[0]);
  const { stdout } = await run('list', '--publisher', 'aurora', '--limit', '1');
  expect(stdout).not.toMatch(/(?!\n)\p{Control}|[\u202e\u2066]/u);
  expect(stdout).toContain('{"name":"Old\\nname"} → {"name":"New\\u0085name"}');
  expect(stdout.trimEnd().split('\n')).toHaveLength(3);
});

/** Output stream whose reader waits until the test tells it to read. */
class SlowReader extends Writable {
  taken = 0;
  isAsked = false;
  #ready: (() => void) | null = null;
  readonly #hasLeft: boolean;

  constructor(hasLeft = false) {
    super({ highWaterMark: 1_024 });
    this.#hasLeft = hasLeft;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.isAsked = true;
    this.#ready = () => {
      this.taken += chunk.length;
      done(this.#hasLeft ? Object.assign(new Error('nobody reads'), { code: 'EPIPE' }) : undefined);
    };
  }

  take(): void {
    const ready = this.#ready;
    this.#ready = null;
    ready?.();
  }
}

function exportTo(stdout: Writable): Promise<number> {
  const all = { LOG_LEVEL: 'silent', ...keyFor(environment), ...environment };
  return runCommand(['audit', 'export', '--publisher', 'aurora'], {
    environment: all,
    stdin: () => Readable.from([]),
    stdout,
    stderr: new Collected(),
  });
}

test('an export runs as fast as it is read, and buffers at most a page', async () => {
  const slow = new SlowReader();
  let isDone = false;
  const code = exportTo(slow).finally(() => {
    isDone = true;
  });
  while (!slow.isAsked) await sleep(5);
  const page = slow.writableLength;
  await sleep(150);
  expect([isDone, slow.writableLength]).toEqual([false, page]);
  while (!isDone) {
    slow.take();
    await sleep(1);
  }
  expect(await code).toBe(0);
  expect(slow.taken).toBeGreaterThan(2 * page);
});

test('an export ends without failure when its reader leaves', async () => {
  const leaving = new SlowReader(true);
  const code = exportTo(leaving);
  while (!leaving.isAsked) await sleep(5);
  leaving.take();
  expect(await code).toBe(0);
});
