import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataOutput } from '../../src/cli/print/printable.ts';
import { publishEvents } from '../../src/webhooks/publish-events.ts';
import { applyProgram } from '../apply-program.ts';
import { databaseUrl } from '../database-url.ts';
import { addEndpoint } from '../endpoints.ts';
import { answer, type Receiver, startReceiver } from '../receiver.ts';
import { Collected, runInProcess } from '../run-in-process.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';

/**
 * Control characters that clear the screen (with ESC and C1), reverse or delete text, move the cursor back,
 * and forge a line.
 */
const evil = 'x\u001b[2J\u009b31m\u202egnp\u2066\u200f\u061c\u007f\b\r\u0085y';
const commanding = /(?![\n\t])\p{Control}|\p{Bidi_Control}/u;

let testDatabase: TestDatabase;
let receiver: Receiver;
let endpointId: string;
let eventId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const { db } = testDatabase.database;
  const program = `
publisher: { id: studio, apiKeys: [ { name: backend, kind: secret } ] }
groups:
  - id: main
    revShare: 10
    members: [ { id: acc_ann, name: Ann, playerId: p-1, codes: [ { code: ANN } ] } ]
    bounties:
      - id: first
        name: First
        startsAt: 2026-01-01T00:00:00Z
        objectives: [ { name: One, type: Purchase, condition: Count, count: 1 } ]
        rewards: [ { name: Sword, type: External } ]
`;
  await applyProgram(db, program, 'test.yaml');
  // Written directly to bypass all checks.
  await sql`update creator_account set name = ${evil}`.execute(db);
  await sql`update membership set player_id = ${evil}, player_metadata = null`.execute(db);
  await sql`update api_key set name = ${evil}`.execute(db);
  await sql`update bounty set name = ${evil}`.execute(db);
  receiver = await startReceiver(answer(500, {}, evil));
  ({ endpointId } = await addEndpoint(db, 'studio', receiver.url, ['GroupManagement/NewMember']));
  await publishEvents(db, 'studio', [
    { kind: 'GroupManagement/NewMember', event: { memberId: 'acc_ann', name: evil } },
  ]);
  const { rows } = await sql<{ event_id: string }>`select event_id from webhook_event`.execute(db);
  eventId = rows[0]?.event_id ?? '';
  await sql`
    insert into webhook_attempt (publisher_id, endpoint_id, event_id, attempt_number, started_at, duration_ms, error, answer)
    values ('studio', ${endpointId}, ${eventId}, 1, now(), 1, ${evil}, ${Buffer.from(evil)})`.execute(db);
});
afterAll(async () => {
  await receiver.close();
  await testDatabase.drop();
});

const run = (words: readonly string[], input = '') =>
  runInProcess(words, {
    environment: {
      DATABASE_URL: databaseUrl(testDatabase.connection),
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    },
    input,
  });

/** Commands that print data that comes from outside the service. */
const shows: readonly (readonly [what: string, words: () => string[]])[] = [
  ['members list', () => ['members', 'list', '--publisher', 'studio']],
  ['keys list', () => ['keys', 'list', '--publisher', 'studio']],
  ['bounties list', () => ['bounties', 'list', '--publisher', 'studio', '--group', 'main']],
  ['bounties show', () => ['bounties', 'show', 'first', '--publisher', 'studio']],
  ['webhooks deliveries', () => ['webhooks', 'deliveries', '--publisher', 'studio', '--event', eventId]],
  ['webhooks test', () => ['webhooks', 'test', endpointId, '--publisher', 'studio']],
];

test.each(shows)('%s cannot control a terminal, and its JSON is exact', async (_, words) => {
  const { stdout, stderr } = await run(words());
  expect(stderr).toBe('');
  expect(stdout).toContain(
    'x\\u001b[2J\\u009b31m\\u202egnp\\u2066\\u200f\\u061c\\u007f\\u0008\\u000d\\u0085y',
  );
  expect(stdout).not.toMatch(commanding);
  const json = await run([...words(), '--json']);
  expect(json.stdout).not.toMatch(commanding);
  expect(strings(JSON.parse(json.stdout))).toContain(evil);
});

test.each([
  [
    'a file',
    ['provision', '-'],
    `{ publisher: { id: p }, "${evil.replaceAll(/\p{Control}/gu, '\u009b')}": 1 }`,
  ],
  ['words', ['payouts', `--${evil}`], ''],
  ['a name', ['members', 'list', '--publisher', evil], ''],
])('errors about %s cannot control a terminal', async (_, words, input) => {
  const { code, stdout, stderr } = await run(words, input);
  expect(code).toBeGreaterThan(0);
  expect(stdout + stderr).toMatch(/\\u(009b|202e)/);
  expect(stdout + stderr).not.toMatch(commanding);
});

test('data is written unchanged to a file, and made printable for a terminal', async () => {
  const file = new Collected();
  expect(dataOutput(file)).toBe(file);
  const terminal = Object.assign(new Collected(), { isTTY: true });
  const output = dataOutput(terminal);
  const bytes = Buffer.from(`é${evil}€`);
  for (const byte of bytes) output.write(Buffer.of(byte));
  await new Promise((resolve) => void output.end(resolve));
  expect(terminal.text()).toMatch(/^éx\\u001b\[2J\\u009b31m\\u202e.*\\u0085y€$/u);
});

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}
