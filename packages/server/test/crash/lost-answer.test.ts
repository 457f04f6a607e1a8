import { once } from 'node:events';
import { createServer, connect as openSocket, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { applyProgram } from '../apply-program.ts';
import { type AttributionServer, killLeftovers, startServer } from '../attribution-process.ts';
import { auroraProgram, purchase } from '../fixtures.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';

/** Proxy to PostgreSQL that cuts connections at the worst time: after a commit, before its confirmation arrives. */
let proxy: Server;
/** Text that marks a connection to be cut when its response arrives. */
let cutAt: string | null = null;
let cuts = 0;
let testDatabase: TestDatabase;
let server: AttributionServer;
let key = '';

beforeAll(async () => {
  testDatabase = await createTestDatabase({ isDurable: true });
  const { keys } = await applyProgram(testDatabase.database.db, auroraProgram, 'fixture.yaml');
  key = keys[0]?.key ?? '';
  const { host, port, user, password, database } = new pg.Client(testDatabase.connection);
  proxy = createServer((client) => {
    const postgres = host.startsWith('/') ? openSocket(`${host}/.s.PGSQL.${port}`) : openSocket(port, host);
    join(client, postgres);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address() as { port: number };
  const login = `${user}${password ? `:${encodeURIComponent(password)}` : ''}`;
  server = await startServer({
    DATABASE_URL: `postgres://${login}@127.0.0.1:${address.port}/${database}`,
    SETTLE_INTERVAL_MS: '60000', // no posting, so that a row is the same when it is read twice
  });
});
afterEach(() => {
  cutAt = null;
});
afterAll(async () => {
  server.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
  killLeftovers();
  proxy.close();
  await testDatabase.drop();
});

function join(client: Socket, postgres: Socket): void {
  let isMarked = false;
  for (const socket of [client, postgres]) socket.on('error', () => undefined);
  client.on('data', (chunk) => {
    isMarked ||= cutAt !== null && chunk.includes(cutAt);
    postgres.write(chunk);
  });
  postgres.on('data', (chunk) => {
    if (!isMarked) {
      client.write(chunk);
      return;
    }
    cuts += 1;
    client.destroy();
  });
  client.on('close', () => postgres.end());
  postgres.on('close', () => client.destroy());
}

const path = '/v1/attributions/transactions';
const headers = () => ({ 'x-shared-secret': key, 'content-type': 'application/json' });
const post = (body: unknown) =>
  fetch(server.url + path, { method: 'POST', headers: headers(), body: JSON.stringify(body) });
const get = async (transactionId: string) => {
  const answer = await fetch(`${server.url}${path}/${transactionId}`, { headers: headers() });
  return answer.status === 200 ? ((await answer.json()) as unknown[]) : [];
};

test.each([
  ['a purchase', (id: string) => purchase({ transactionId: id })],
  ['a split', (id: string) => ['ALICE', 'BOB'].map((code) => purchase({ transactionId: id, code }))],
  ['an array', (id: string) => [purchase({ transactionId: id }), purchase({ transactionId: `${id}-too` })]],
])(
  '%s without a confirmed commit is answered with 503, saved once, and rejected with 409 when sent again',
  async (what, compose) => {
    const transactionId = `unconfirmed-${what.replace(' ', '-')}`;
    const body = compose(transactionId);
    const cutsBefore = cuts;
    cutAt = transactionId;
    const unconfirmed = await post(body);
    expect(cuts, 'the service sends it to the database only once').toBe(cutsBefore + 1);
    cutAt = null;
    expect(unconfirmed.status).toBe(503);
    expect(unconfirmed.headers.get('retry-after')).not.toBeNull();
    expect(await unconfirmed.json()).toMatchObject({
      code: 'Unavailable',
      message: expect.stringContaining('GET'),
    });

    const saved = await get(transactionId);
    expect(saved).toHaveLength(what === 'a split' ? 2 : 1);
    expect((await post(body)).status).toBe(409);
    expect(await get(transactionId)).toEqual(saved);
  },
);

test('all purchases of an unconfirmed commit are answered with 503', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `neighbor-${index}`);
  await post(purchase()); // opens connections
  cutAt = 'neighbor-';
  const answers = await Promise.all(ids.map((transactionId) => post(purchase({ transactionId }))));
  cutAt = null;
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  for (const id of ids) {
    expect(await get(id)).toHaveLength(1);
    expect((await post(purchase({ transactionId: id }))).status).toBe(409);
  }
});
