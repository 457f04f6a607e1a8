import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindOfKey, newKey } from '../../src/api-keys/key-format.ts';
import { type Outcome, type ProcessOptions, runAttribution } from '../attribution-process.ts';
import { databaseUrl } from '../database-url.ts';
import { runInProcess } from '../run-in-process.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'attribution-programs-'));
let testDatabase: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  client = new pg.Client(testDatabase.connection);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await testDatabase.drop();
  rmSync(folder, { recursive: true });
});

const rows = async (query: string) => (await client.query(query)).rows;
const options = (input = ''): ProcessOptions => ({
  environment: { DATABASE_URL: databaseUrl(testDatabase.connection) },
  input,
});
const run = (words: string[], input?: string): Promise<Outcome> => runInProcess(words, options(input));
const provision = (text: string, ...words: string[]) => run(['provision', '-', ...words], text);

async function applied(text: string): Promise<{ publisher: string; keys: unknown[] }> {
  const { code, stdout, stderr } = await provision(text, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** Reads every table that applying a program file writes to, except for versions and times. */
async function everything(): Promise<unknown> {
  const tables = ['publisher', 'api_key', 'creator_group', 'tier', 'sku_share', 'membership', 'group_code'];
  const shared = ['creator_account', 'global_code', 'creator_identity'];
  const contents = [];
  for (const table of [...tables, ...shared]) {
    const row = `to_jsonb(${table}) - 'created_at' - 'programme_version'`;
    contents.push(table, await rows(`select ${row} as row from ${table} order by (${row})::text`));
  }
  return contents;
}

test('a file is applied, its keys are shown once, and applying it again changes nothing', async () => {
  const demo = readFileSync(new URL('../../../../examples/demo-program.yaml', import.meta.url), 'utf8');
  const file = join(folder, 'demo.yaml');
  writeFileSync(file, demo);
  const first = await runAttribution(['provision', file], options());
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toContain('Publisher aurora: 2 group(s), 4 member(s) match the file.');
  const shown = first.stdout.match(/svc_[sp]k_\w{38}/g) ?? [];
  expect(shown.map(kindOfKey)).toEqual(['secret', 'public', 'secret']);

  const before = await everything();
  const again = await run(['provision', file]);
  expect(again).toEqual({ code: 0, signal: null, stderr: '', stdout: `${first.stdout.split('\n')[0]}\n` });
  expect(await everything()).toEqual(before);
});

test('an exported file applies without a change, and the export names its actor', async () => {
  const { code, stdout } = await run(['program', 'export', '--publisher', 'aurora']);
  expect({ code, start: stdout.slice(0, 38) }).toEqual({
    code: 0,
    start: '# The program of the publisher aurora ',
  });
  const before = await everything();
  expect(await run(['provision', '-'], stdout)).toMatchObject({ code: 0, stderr: '' });
  expect(await everything()).toEqual(before);
  expect(await run(['audit', 'list', '--publisher', 'aurora', '--action', 'program'])).toMatchObject({
    stdout: expect.stringContaining('program export  program.export  publisher:aurora'),
  });
  expect(await run(['program', 'export', '--publisher', 'nobody'])).toMatchObject({
    code: 1,
    stderr: 'There is no publisher nobody.\n',
  });
});

test('the example file can be applied unchanged beside the demo, and again with other names', async () => {
  const text = readFileSync(new URL('../../../../examples/your-program.yaml', import.meta.url), 'utf8');
  const said = 'Publisher your-studio: 1 group(s), 2 member(s) match the file.';
  const first = await run(['provision', '-'], text);
  expect(first).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(said) });
  expect(first.stdout.match(/svc_[sp]k_\w{38}/g)?.map(kindOfKey)).toEqual(['secret', 'public']);

  const names = { 'your-studio': 'another-studio', NOVA: 'STELLA', KITE: 'MILAN' };
  const renamed = Object.entries(names).reduce((text, [name, other]) => text.replaceAll(name, other), text);
  expect(await run(['provision', '-'], renamed)).toMatchObject({ code: 0, stderr: '' });
});

test('--json prints only the publisher and the new keys', async () => {
  const keys = [
    { name: 'all', kind: 'secret' },
    { name: 'game', kind: 'public' },
    { name: 'one', kind: 'secret', group: 'g' },
  ];
  const json = JSON.stringify({
    publisher: { id: 'json', apiKeys: keys },
    groups: [{ id: 'g', revShare: 1 }],
  });
  expect(await applied(json)).toEqual({
    publisher: 'json',
    keys: keys.map((key) => ({ ...key, key: expect.stringMatching(/^svc_[sp]k_/) })),
  });
  expect(await applied(json)).toEqual({ publisher: 'json', keys: [] });
});

test('a given key value is used as is, and only its hash is stored', async () => {
  const value = newKey('secret');
  const text = `publisher: { id: own, apiKeys: [ { name: dev, kind: secret, value: ${value} } ] }`;
  expect(await applied(text)).toEqual({
    publisher: 'own',
    keys: [{ name: 'dev', kind: 'secret', key: value }],
  });
  expect(await applied(text)).toEqual({ publisher: 'own', keys: [] });
  expect(JSON.stringify(await rows("select * from api_key where publisher_id = 'own'"))).not.toContain(value);
  const taken = await provision(text.replace('id: own', 'id: other').replace(value, `\n    ${value}`));
  expect(taken).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^-:1: .*its name or value is already in use/),
  });
});

test('fields in the file are changed, and others are left alone', async () => {
  await applied(`
publisher: { id: partial, name: Before }
groups:
  - id: g
    revShare: 10
    holdDays: 7
    tiers: [ { name: Gold, revShare: 20 } ]
    members: [ { id: p_one, name: One, playerId: p-1, tier: Gold, codes: [ { code: P-ONE } ] } ]`);
  await applied(
    '{ publisher: { id: partial }, groups: [ { id: g, revShare: 12, members: [ { id: p_one, visible: false } ] } ] }',
  );
  expect(await rows("select name from publisher where publisher_id = 'partial'")).toEqual([
    { name: 'Before' },
  ]);
  expect(
    await rows(
      "select share_millionths, hold_days, is_default from creator_group where publisher_id = 'partial'",
    ),
  ).toEqual([{ share_millionths: 120_000, hold_days: 7, is_default: true }]);
  expect(
    await rows(`
      select m.player_id, m.is_visible, t.name as tier, a.name, c.code, c.is_primary
      from membership m join tier t using (publisher_id, tier_id)
      join creator_account a using (account_id) join global_code c using (account_id)
      where m.publisher_id = 'partial'`),
  ).toEqual([
    { player_id: 'p-1', is_visible: false, tier: 'Gold', name: 'One', code: 'P-ONE', is_primary: true },
  ]);
});

test('one id in two groups is one account with two memberships', async () => {
  await applied(`
publisher: { id: twice }
groups:
  - { id: one, revShare: 1, members: [ { id: t_same, name: Same, codes: [ { code: T-SAME } ] } ] }
  - { id: two, revShare: 2, default: true, members: [ { id: t_same, codes: [ { code: T-TWO, group: two } ] } ] }`);
  expect(await rows("select account_id, name from creator_account where account_id = 't_same'")).toEqual([
    { account_id: 't_same', name: 'Same' },
  ]);
  const memberships = await rows(
    "select group_id, account_id from membership where publisher_id = 'twice' order by group_id",
  );
  expect(memberships).toEqual([
    { group_id: 'one', account_id: 't_same' },
    { group_id: 'two', account_id: 't_same' },
  ]);
  expect(
    await rows("select group_id from creator_group where publisher_id = 'twice' and is_default"),
  ).toEqual([{ group_id: 'two' }]);
});

test('applying one file ten times at once creates one publisher and each key once', async () => {
  const text = `
publisher: { id: many, apiKeys: [ { name: backend, kind: secret } ] }
groups: [ { id: g, revShare: 10, members: [ { id: m_one, playerId: p, codes: [ { code: M-ONE } ] } ] } ]`;
  const words = ['provision', '-', '--json'];
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => runAttribution(words, options(text))));
  for (const outcome of outcomes) expect(outcome).toMatchObject({ code: 0, stderr: '' });
  const keys = outcomes.flatMap(({ stdout }) => JSON.parse(stdout).keys);
  expect(keys).toHaveLength(1);
});

test('an error at the last member saves nothing', async () => {
  const before = await everything();
  const members = Array.from(
    { length: 200 },
    (_, index) => `      - { id: last_${index}, codes: [ { code: LAST-${index} } ] }`,
  );
  const text = `publisher: { id: last, apiKeys: [ { name: k, kind: secret } ] }
groups:
  - id: g
    revShare: 10
    members:
${members.join('\n')}
      - { id: last_end, codes: [ { code: LAST-7 } ] }
`;
  const outcome = await provision(text);
  expect(outcome).toMatchObject({ code: 1, stdout: '' });
  expect(outcome.stderr).toMatch(/^-:206: .*the code LAST-7 belongs to another member/);
  expect(await everything()).toEqual(before);
});
