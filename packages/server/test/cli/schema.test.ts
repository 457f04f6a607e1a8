import { readdirSync } from 'node:fs';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { version } from '../../src/platform/config.ts';
import { runAttribution, spawnAttribution, until } from '../attribution-process.ts';
import { createEmptyDatabase, urlsOf } from '../database-url.ts';
import { runInProcess } from '../run-in-process.ts';
import { connect, createTestDatabase } from '../test-database.ts';

type Roles = Parameters<typeof urlsOf>[0];

const migrations = readdirSync(new URL('../../migrations/', import.meta.url)).sort();
const last = migrations.at(-1) ?? '';

async function migratedDatabase(change: string): Promise<Roles> {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const client = new pg.Client(database.ownerConnection);
  await client.connect();
  await client.query(change);
  await client.end();
  return database;
}

async function emptyDatabase(): Promise<Roles> {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  return database;
}

const run = (words: string[], roles: Roles) =>
  (words[0] === 'serve' ? runAttribution : runInProcess)(words, {
    environment: { ...urlsOf(roles), PORT: '0' },
  });

test('ten simultaneous migrations of an empty database succeed, and apply each migration once', async () => {
  const roles = await emptyDatabase();
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => run(['migrate', '--json'], roles)));
  for (const outcome of outcomes) expect(outcome).toMatchObject({ code: 0, stderr: '' });
  const applied = outcomes.flatMap(({ stdout }) => JSON.parse(stdout).applied as string[]);
  expect(applied.toSorted()).toEqual(migrations);
  const client = await connect(roles.connection);
  const { rows } = await client.query('select name from schema_migration order by name');
  expect(rows.map(({ name }) => name)).toEqual(migrations);

  expect(await run(['migrate'], roles)).toMatchObject({
    code: 0,
    stdout: 'The database is up to date.\n',
  });
});

test('waiting for the schema ends when another process has migrated it and granted the privileges', async () => {
  const roles = await emptyDatabase();
  const { DATABASE_URL = '' } = urlsOf(roles); // the owner's URL is only for the migration
  const waiting = spawnAttribution(['migrate', '--wait', '60'], { environment: { DATABASE_URL } });
  await until('it to wait', () => waiting.stderr().includes('Waiting: The database is empty.'));
  const client = await connect(roles.connection);
  expect((await client.query("select to_regclass('publisher') as made")).rows).toEqual([{ made: null }]);

  expect(await run(['migrate'], roles)).toMatchObject({ code: 0 });
  expect(await waiting.ended).toMatchObject({ code: 0, stdout: 'The database is ready for this version.\n' });
});

test.each([
  ['empty', null, 'The database is empty. '],
  [
    'behind',
    `delete from schema_migration where name = '${last}'`,
    `The database is missing the migrations ${last}. `,
  ],
  ['out of reach', 'revoke select on publisher from attribution', 'Role .* lacks .*select on publisher'],
])(
  'waiting for a schema that stays %s times out with the reason, and changes nothing',
  async (_, change, words) => {
    const roles = change === null ? await emptyDatabase() : await migratedDatabase(change);
    const client = await connect(roles.ownerConnection);
    const objects = () => client.query('select count(*), max(relacl::text) from pg_class');
    const before = (await objects()).rows;
    const outcome = await run(['migrate', '--wait', '1'], roles);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(new RegExp(`^Waiting: ${words}`));
    expect(outcome.stderr).toMatch(/Gave up after 1 s\.\n$/);
    expect((await objects()).rows).toEqual(before);
  },
);

test.each([['-1'], ['1.5'], ['86401'], ['soon']])('waiting for %s seconds is rejected', async (seconds) => {
  expect(await runInProcess(['migrate', '--wait', seconds])).toMatchObject({ code: 2 });
});

const states = [
  ['empty', null, 'The database is empty. Run `npx attribution migrate` first.'],
  [
    'behind',
    `delete from schema_migration where name = '${last}'`,
    `The database is missing the migrations ${last}. Run \`npx attribution migrate\` first.`,
  ],
  [
    'newer',
    "insert into schema_migration (name, sha256) values ('9999_future.sql', 'x')",
    `The database cannot be used: its schema is newer than this version, ${version} (it has 9999_future.sql); run the newer version.`,
  ],
  [
    'newer, and not for this program',
    "insert into schema_migration (name, sha256, oldest_program) values ('9998_fine.sql', 'x', '0.2.0'), ('9999_future.sql', 'x', '0.10.0')",
    `The database cannot be used: its schema is newer than this version, ${version} (it has 9999_future.sql); run 0.10.0 or newer.`,
  ],
  [
    'newer at the end and behind before it',
    `update schema_migration set name = '9999_future.sql', oldest_program = '0.2.0' where name = '${last}'`,
    `The database cannot be used: it has 9999_future.sql where this version has ${last}; it belongs to a different build.`,
  ],
  [
    'of another build',
    `update schema_migration set sha256 = 'x' where name = '${last}'`,
    `The database cannot be used: the contents of migration ${last} differ from this version's; it belongs to a different build.`,
  ],
] as const;

test.each(states)('serve rejects a schema that is %s, with a message', async (_state, change, message) => {
  const roles = change === null ? await emptyDatabase() : await migratedDatabase(change);
  expect(await run(['serve'], roles)).toEqual({
    code: 1,
    signal: null,
    stdout: '',
    stderr: `${message}\n`,
  });
});

test.each(states.slice(2))(
  'migrate and keys reject a schema that is %s, too',
  async (_state, change, message) => {
    const roles = await migratedDatabase(change ?? '');
    const reason = message.replace('The database cannot be used: ', '').replace(/\.$/, '');
    for (const words of [['migrate'], ['keys', 'list', '--publisher', 'aurora']]) {
      const { code, stderr } = await run(words, roles);
      expect(code).toBe(1);
      expect(stderr).toContain(reason);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  },
);

test.each([[['serve']], [['migrate']], [['keys', 'list', '--publisher', 'aurora']]])(
  '%j reports an unreachable database, without a stack trace or its password',
  async (words) => {
    const { code, stderr } = await runAttribution(words, {
      environment: { DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:9/shop', PORT: '0' },
    });
    expect(code).toBe(1);
    expect(stderr).toContain('127.0.0.1:9');
    expect(stderr).not.toMatch(/hunter2|\n\s+at /);
  },
);
