import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { newKey } from '../../src/api-keys/key-format.ts';
import { isUnavailable } from '../../src/platform/database/database-errors.ts';
import { applyProgram } from '../apply-program.ts';
import { runAttribution, until } from '../attribution-process.ts';
import { databaseUrl } from '../database-url.ts';
import { auroraProgram } from '../fixtures.ts';
import { runInProcess } from '../run-in-process.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'attribution-programs-'));
let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await applyProgram(testDatabase.database.db, auroraProgram, 'fixture.yaml');
});
afterAll(async () => {
  await testDatabase.drop();
  rmSync(folder, { recursive: true });
});

const goodKey = newKey('secret');
const otherEnd = (key: string): string => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');

/** Files with an error on the line marked with <<<. */
const wrong: readonly (readonly [what: string, text: string, message: string])[] = [
  ['syntax', 'publisher:\n  id: p\n  name: a: b # <<<\n', ''],
  ['a tab for indentation', 'publisher:\n\tid: p # <<<\n', ''],
  ['a key given twice', 'publisher:\n  id: p\n  id: q # <<<\n', 'unique'],
  [
    'an unknown property',
    'publisher:\n  id: p\n  nmae: P # <<<\n',
    'publisher contains "nmae", which is not one of the allowed properties: id, name',
  ],
  [
    'a wrong type',
    'publisher: { id: p }\ngroups:\n  - id: g\n    revShare: "10" # <<<\n',
    'groups[0].revShare must be a number',
  ],
  ['a missing property', 'publisher: { name: P } # <<<\n', 'publisher.id is required'],
  [
    'a percent beyond 100',
    'publisher: { id: p }\ngroups:\n  - id: g\n    revShare: 101 # <<<\n',
    'must be at most 100',
  ],
  [
    'an unknown currency',
    'publisher: { id: p }\ngroups:\n  - id: g\n    revShare: 1\n    disabledCurrencies:\n      - USD\n      - DOGE # <<<\n',
    'groups[0].disabledCurrencies[1]',
  ],
  [
    'a bad code',
    'publisher: { id: p }\ngroups:\n  - id: g\n    revShare: 1\n    members:\n      - id: m\n        codes:\n          - code: "no spaces" # <<<\n',
    '2 to 32 letters, digits, _ and -',
  ],
  [
    'a bad address of an image',
    'publisher: { id: p }\ngroups:\n  - id: g\n    revShare: 1\n    members:\n      - id: m\n        logoImage: javascript:alert(1) # <<<\n',
    'logoImage',
  ],
  [
    'two defaults',
    'publisher: { id: p }\ngroups:\n  - { id: g, revShare: 1, default: true }\n  - id: h\n    revShare: 1\n    default: true # <<<\n',
    'only one group can be the default',
  ],
  [
    'a key with a wrong checksum',
    `publisher:\n  id: p\n  apiKeys:\n    - name: k\n      kind: secret\n      value: ${otherEnd(goodKey)} # <<<\n`,
    'checksum',
  ],
  [
    'a key of the other kind',
    `publisher:\n  id: p\n  apiKeys:\n    - name: k\n      kind: public\n      value: ${goodKey} # <<<\n`,
    'value is a secret key, but kind is public',
  ],
  [
    'a key for a group that is not there',
    'publisher:\n  id: p\n  apiKeys:\n    - name: k\n      kind: secret\n      group: nowhere # <<<\n',
    'no group nowhere',
  ],
  [
    'a new group without a share',
    'publisher: { id: p }\ngroups:\n  - id: g # <<<\n    name: G\n',
    'the new group g requires revShare',
  ],
  [
    'an unknown tier',
    'publisher: { id: p }\ngroups:\n  - id: g\n    revShare: 1\n    members:\n      - id: m\n        tier: Platinum # <<<\n',
    'group g has no tier named Platinum; it has no tiers',
  ],
  [
    'a tier id of another group',
    'publisher: { id: aurora }\ngroups:\n  - id: moba\n    tiers:\n      - id: 7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90 # <<<\n        name: Gold\n        revShare: 1\n',
    'belongs to group main',
  ],
  [
    'a tier name in use',
    'publisher: { id: aurora }\ngroups:\n  - id: main\n    tiers:\n      - id: 1b9f3c62-8e0d-4f7a-b1c5-6a2d9e8f4b31\n        name: Gold # <<<\n        revShare: 1\n',
    'another tier named Gold',
  ],
  [
    'two primary codes',
    'publisher: { id: p }\ngroups:\n  - id: g\n    revShare: 1\n    members:\n      - id: m\n        codes:\n          - { code: AA-1, primary: true }\n          - { code: AA-2, primary: true } # <<<\n',
    'primary code of m is listed twice',
  ],
  [
    'a player id in use',
    'publisher: { id: aurora }\ngroups:\n  - id: main\n    members:\n      - id: acc_new\n        playerId: p-1 # <<<\n',
    'another member of group main has the playerId p-1',
  ],
  [
    'a member named twice in a group',
    'publisher: { id: p }\ngroups:\n  - id: g\n    revShare: 1\n    members:\n      - { id: m, playerId: a }\n      - { id: m, playerId: b } # <<<\n',
    'member m is listed twice',
  ],
  [
    'a code named twice, in other letters',
    'publisher: { id: p }\ngroups:\n  - id: g\n    revShare: 1\n    members:\n      - id: m\n        codes:\n          - { code: AA }\n          - { code: aa } # <<<\n',
    'code aa is listed twice',
  ],
  [
    'a group named twice',
    'publisher: { id: p }\ngroups:\n  - { id: g, revShare: 1 }\n  - { id: g, revShare: 2 } # <<<\n',
    'group g is listed twice',
  ],
  [
    "another publisher's account",
    'publisher: { id: p }\ngroups:\n  - id: g\n    revShare: 1\n    members:\n      - id: acc_alice # <<<\n',
    "account acc_alice doesn't belong to publisher p",
  ],
  [
    'a code in use, in other letters',
    'publisher: { id: p }\ngroups:\n  - id: g\n    revShare: 1\n    members:\n      - id: m\n        codes:\n          - code: alice # <<<\n',
    'the code alice belongs to another member',
  ],
  [
    "a code of a group in another group's list",
    'publisher: { id: p }\ngroups:\n  - { id: h, revShare: 1 }\n  - id: g\n    revShare: 1\n    members:\n      - id: m\n        codes:\n          - code: HH-1\n            group: h # <<<\n',
    "must be g, the member's group",
  ],
  [
    'an identity in use',
    'publisher: { id: p }\ngroups:\n  - id: g\n    revShare: 1\n    members:\n      - id: m\n        identities:\n          - { provider: twitch, id: "123" } # <<<\n',
    'the twitch identity 123 belongs to another account',
  ],
];

test.each(wrong)('%s: the message names file and line', async (what, text, message) => {
  const file = join(folder, `${what.replaceAll(/\W+/g, '-')}.yaml`);
  const line = text.split('\n').findIndex((each) => each.includes('<<<')) + 1;
  writeFileSync(file, text);
  const { code, stdout, stderr } = await runInProcess(['provision', file], {
    environment: { DATABASE_URL: databaseUrl(testDatabase.connection) },
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.slice(0, file.length + 5)).toContain(`${file}:${line}:`);
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/\n\s+at /);
});

test('a database error while keys are created does not name a line in the file', async () => {
  const { db } = testDatabase.database;
  const program = `publisher: { id: lost, apiKeys: [ { name: backend, kind: secret } ] }`;
  const error = await db.transaction().execute(async (tx) => {
    await sql`lock table api_key in share mode`.execute(tx); // no new keys can be written
    const applied = applyProgram(db, program, 'lost.yaml').catch((error) => error);
    await until('the key to wait', async () => {
      const { rows } = await sql`
        select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ~ 'api_key'`.execute(db);
      return rows.length > 0;
    });
    return await applied;
  });
  expect(error).toBeInstanceOf(Error);
  expect(error.message).not.toContain('lost.yaml');
  expect(isUnavailable(error)).toBe(true);
});

test('an unreadable file is named, without a query', async () => {
  const file = join(folder, 'missing.yaml');
  const outcome = await runInProcess(['provision', file], {
    environment: { DATABASE_URL: 'postgres://127.0.0.1:9/x' },
  });
  expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining(`Couldn't read ${file}`) });
});

test('JSON is read like YAML, with its lines', async () => {
  const text = '{\n  "publisher": { "id": "p" },\n  "groups": [\n    { "id": "g", "share": 3 }\n  ]\n}\n';
  const outcome = await runAttribution(['provision', '-'], { input: text });
  expect(outcome).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^-:4: groups\[0\] contains "share", which is not one of .*members\n$/),
  });
});

/** Returns the reported errors without the file name. */
async function faultsOf(text: string, environment: Record<string, string>): Promise<string[]> {
  const { code, stdout, stderr } = await runInProcess(['provision', '-'], { input: text, environment });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr.trimEnd().split('\n');
}

const nowhere = { DATABASE_URL: 'postgres://127.0.0.1:9/x' };

test('all errors of form are listed at once, in the order of their lines, without a database', async () => {
  const text = `publisher: { id: p, nmae: P }
groups:
  - id: g
    revShare: "10"
    codeTTLInDays: 0
    holdDays: none
    disabledCurrencies: [USD, DOGE]
    members:
      - id: m
        codes:
          - code: no spaces
      - name: Nobody
`;
  expect(await faultsOf(text, nowhere)).toEqual([
    expect.stringContaining('-:1: publisher contains "nmae", which is not one of the allowed properties'),
    '-:4: groups[0].revShare must be a number',
    '-:5: groups[0].codeTTLInDays must be at least 1',
    '-:6: groups[0].holdDays must be a whole number',
    expect.stringContaining('-:7: groups[0].disabledCurrencies[1] is not an allowed value'),
    expect.stringContaining('-:11: groups[0].members[0].codes[0].code must be: 2 to 32 letters'),
    '-:12: groups[0].members[1].id is required',
  ]);
});

test('an invalid choice is one error, not one for each alternative', async () => {
  const text = `publisher: { id: p }
groups:
  - id: g
    revShare: 1
    members:
      - { id: m, tier: 7, playerMetadata: none }
`;
  expect(await faultsOf(text, nowhere)).toHaveLength(2);
});

test('all duplicates in a file are listed at once', async () => {
  const text = `publisher: { id: p }
groups:
  - { id: g, revShare: 1, default: true }
  - { id: g, revShare: 2 }
  - id: h
    revShare: 1
    default: true
    tiers:
      - { name: Gold, revShare: 1 }
      - { name: Gold, revShare: 2 }
    members:
      - { id: m, codes: [ { code: AA }, { code: aa } ] }
      - { id: m }
`;
  expect(await faultsOf(text, nowhere)).toEqual([
    '-:4: group g is listed twice',
    '-:7: only one group can be the default',
    '-:10: tier Gold is listed twice',
    '-:12: code aa is listed twice',
    '-:13: member m is listed twice',
  ]);
});

test('of many errors, the first hundred are listed, with the number of others', async () => {
  const members = Array.from({ length: 250 }, () => '      - { name: Nobody }\n').join('');
  const faults = await faultsOf(
    `publisher: { id: p }\ngroups:\n  - id: g\n    members:\n${members}`,
    nowhere,
  );
  expect(faults).toHaveLength(101);
  expect(faults.at(-1)).toBe('-: and 150 more');
});

test('the demo file for another publisher lists all conflicts with the demo, and is applied without them', async () => {
  const demo = readFileSync(new URL('../../../../examples/demo-program.yaml', import.meta.url), 'utf8');
  const { connection, database, drop } = await createTestDatabase();
  onTestFinished(drop);
  await applyProgram(database.db, demo);
  const environment = { DATABASE_URL: databaseUrl(connection) };
  const other = demo.replace('id: aurora', 'id: borealis');
  const lineOf = (text: string, after = ''): number =>
    other.slice(0, other.indexOf(text, other.indexOf(after))).split('\n').length;
  const another = "doesn't belong to publisher borealis; use another id";
  const taken = 'belongs to another member; choose another code';
  expect(await faultsOf(other, environment)).toEqual([
    `-:${lineOf('acc_alice')}: account acc_alice ${another}`,
    `-:${lineOf('code: ALICE')}: the code ALICE ${taken}`,
    `-:${lineOf('provider: twitch')}: the twitch identity 123 belongs to another account`,
    `-:${lineOf('acc_bob')}: account acc_bob ${another}`,
    `-:${lineOf('code: BOB')}: the code BOB ${taken}`,
    `-:${lineOf('acc_carol')}: account acc_carol ${another}`,
    `-:${lineOf('code: CAROL')}: the code CAROL ${taken}`,
    `-:${lineOf('acc_alice', 'id: moba')}: account acc_alice ${another}`,
  ]);

  const mended = other.replaceAll('acc_', 'bor_').replaceAll(/code: (ALICE|BOB|CAROL),/g, 'code: $1-2,');
  const input = mended.replace('id: "123"', 'id: "124"');
  expect(await runInProcess(['provision', '-'], { input, environment })).toMatchObject({
    code: 0,
    stderr: '',
  });
});

test('all of a member’s conflicts are listed, regardless of which was rejected first', async () => {
  const environment = { DATABASE_URL: databaseUrl(testDatabase.connection) };
  const text = `publisher: { id: aurora }
groups:
  - id: main
    members:
      - id: acc_new
        tier: Platinum
        codes:
          - code: alice
          - code: BOB
        identities:
          - { provider: twitch, id: "123" }
`;
  expect(await faultsOf(text, environment)).toEqual([
    '-:6: group main has no tier named Platinum; use one of Gold',
    '-:8: the code alice belongs to another member; choose another code',
    '-:9: the code BOB belongs to another member; choose another code',
    '-:11: the twitch identity 123 belongs to another account',
  ]);
});

test('a taken playerId is listed with all other errors, regardless of who has it', async () => {
  const { db } = testDatabase.database;
  const programOf = (publisher: string, ...members: string[]) =>
    `{ publisher: { id: ${publisher} }, groups: [ { id: main, revShare: 1, members: [ ${members.join(', ')} ] } ] }`;
  await applyProgram(db, programOf('abroad', '{ id: acc_abroad }'));
  await applyProgram(
    db,
    programOf('home', '{ id: acc_there }, { id: acc_gone, playerId: p-1, status: Removed }'),
  );
  await applyProgram(db, programOf('home', '{ id: acc_first, playerId: p-1 }'));
  const text = `publisher: { id: home }
groups:
  - id: main
    members:
      - { id: acc_abroad,
          playerId: p-1 }
      - { id: acc_new,
          playerId: p-1,
          tier: Platinum,
          codes: [ { code: alice } ] }
      - { id: acc_there,
          playerId: p-1 }
      - { id: acc_gone, status: Approved, identities: [
          { provider: twitch, id: "123" } ] }
      - { id: acc_last, tier: Tin }
      - { id: acc_former, playerId: p-1, status: Removed }
`;
  const taken = 'another member of group main has the playerId';
  expect(await faultsOf(text, { DATABASE_URL: databaseUrl(testDatabase.connection) })).toEqual([
    expect.stringContaining("-:5: account acc_abroad doesn't belong to publisher home"),
    `-:6: ${taken} p-1`,
    `-:8: ${taken} p-1`,
    '-:9: group main has no tier named Platinum; it has no tiers',
    expect.stringContaining('-:10: the code alice belongs to another member'),
    `-:12: ${taken} p-1`,
    `-:13: ${taken} of acc_gone`,
    '-:14: the twitch identity 123 belongs to another account',
    '-:15: group main has no tier named Tin; it has no tiers',
  ]);
});

test('all errors of operations are listed at once, and nothing is saved', async () => {
  const text = `publisher:
  id: aurora
  apiKeys:
    - { name: nowhere, kind: secret, group: nowhere }
    - { name: refused, kind: secret, group: fresh }
groups:
  - id: main
    name: Not Saved
    tiers:
      - { id: 1b9f3c62-8e0d-4f7a-b1c5-6a2d9e8f4b31, name: Gold, revShare: 1 }
      - { name: Silver, revShare: 1 }
    schedules:
      - { startDate: 2040-01-01T00:00:00Z, endDate: 2040-01-01T00:00:00Z, revShare: 5 }
      - { startDate: 2041-01-01T00:00:00Z, endDate: 2042-01-01T00:00:00Z, tiers: [ { tier: Tin, revShare: 5 } ] }
      - { startDate: 2043-01-01T00:00:00Z, endDate: 2044-01-01T00:00:00Z }
    members:
      - { id: acc_new, tier: Tin }
      - { id: acc_newer, codes: [ { code: ALICE } ] }
      - { id: acc_newest, tier: Silver }
  - id: fresh
    members:
      - { id: acc_unsaid, tier: Tin }
`;
  const environment = { DATABASE_URL: databaseUrl(testDatabase.connection) };
  expect(await faultsOf(text, environment)).toEqual([
    expect.stringMatching(/^-:4: .*no group nowhere/),
    expect.stringContaining('-:10: group main has another tier named Gold'),
    '-:13: endDate must be after startDate',
    '-:14: group main has no tier named Tin; use one of Silver, Gold',
    '-:15: revShare or tiers is required',
    '-:17: group main has no tier named Tin; use one of Silver, Gold',
    expect.stringContaining('-:18: the code ALICE belongs to another member'),
    '-:20: the new group fresh requires revShare',
  ]);
  const { rows } = await sql`select from creator_group where name = 'Not Saved'`.execute(
    testDatabase.database.db,
  );
  expect(rows).toEqual([]);
});
