import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { asEveryRole, asRole } from '../../../test/admin.ts';
import { entriesOf } from '../../../test/audit.ts';
import { purchase } from '../../../test/fixtures.ts';
import { makeLargeLedger } from '../../../test/large-ledger.ts';
import { useMoney } from '../../../test/money.ts';
import { testActor } from '../../../test/test-actor.ts';
import { startService } from '../../../test/test-service.ts';
import { createToken } from '../../accounts/tokens/create-token.ts';

const { service, db, record, settle } = useMoney();
const rows = 200_000;
const path = '/admin/v1/publishers/large/transactions.csv';

let headers: Record<string, string>;
beforeAll(async () => {
  await asAdmin((admin) => makeLargeLedger(admin, { rows, days: 50, membersOfGroup: 50 }));
  const { token } = await createToken(
    db(),
    testActor,
    { publisherId: 'large', name: 'exporter', role: 'finance', expiresAt: new Date(Date.now() + 3_600_000) },
    new Date(),
  );
  headers = { authorization: `Bearer ${token}` };
}, 120_000);

async function asAdmin(work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client(service().testDatabase.adminConnection);
  await admin.connect();
  await work(admin).finally(() => admin.end());
}

/** Splits a line whose cells don't contain commas. */
const cellsOf = (line: string): string[] => line.split(',').map((cell) => cell.replace(/^"(.*)"$/, '$1'));

test('roles with the permission can export their own publisher’s purchases', async () => {
  await record(purchase({ transactionId: 'exported' }));
  const { owner, manager, finance, ...others } = await asEveryRole(service());
  for (const ask of [owner, manager, finance])
    expect(await ask('GET', '/transactions.csv?code=ALICE')).toMatchObject({ status: 200 });
  for (const [role, ask] of Object.entries(others))
    expect(await ask('GET', '/transactions.csv'), role).toMatchObject({ status: 403 });
  const rival = await asRole(service(), 'owner', 'rival');
  expect(await rival('GET', '/admin/v1/publishers/aurora/transactions.csv')).toMatchObject({ status: 404 });
  expect(await owner('GET', '/transactions.csv?group=nowhere')).toMatchObject({ status: 400 });
});

test('the file is UTF-8 with formulas escaped and ids quoted, and the export has an audit entry', async () => {
  const finance = await asRole(service(), 'finance');
  await record(
    purchase({
      transactionId: '662E41',
      code: 'BOB',
      description: '=HYPERLINK("http://evil.example")',
      playerId: '0042',
      playerName: '+1, "Zoë"',
    }),
  );
  await settle();
  const entries = await entriesOf(db(), async () => {
    const { status, text, headers: answered } = await finance('GET', '/transactions.csv?code=bob');
    expect(status).toBe(200);
    expect(answered.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answered.get('content-disposition')).toContain('attachment');
    const [head = '', line = '', rest] = text.split('\r\n');
    expect(head).toMatch(/^\ufeff?transactionId,attributionId,group,/);
    expect(line).toContain('"662E41",');
    expect(line).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
    expect(line).toContain(`,USD,9.99,999,10,1.00,100,0.00,0,no,"0042","'+1, ""Zoë"""`);
    expect(rest).toBe('');
  });
  expect(entries).toMatchObject([
    { action: 'transaction.export', target: 'publisher:aurora', after: { code: 'bob' } },
  ]);
});

test('chosen rows are exported, and no others', async () => {
  const finance = await asRole(service(), 'finance');
  for (const transactionId of ['one', 'two', 'three']) await record(purchase({ transactionId }));
  const listed = (await finance('GET', '/transactions')).body.rows as Record<string, string>[];
  const idOf = (name: string) => listed.find(({ transactionId }) => transactionId === name)?.attributionId;
  const chosen = async (query: string) => {
    const { status, text } = await finance('GET', `/transactions.csv?${query}`);
    expect(status).toBe(200);
    return text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => cellsOf(line)[0]);
  };
  expect(await chosen(`ids=${idOf('one')},${idOf('three')}&sort=oldest`)).toEqual(['one', 'three']);
  expect(await chosen(`ids=${idOf('one')}&ids=${idOf('three')}&code=bob`), 'with a filter').toEqual([]);
  // Rows of another publisher are not found.
  const rival = await asRole(service(), 'owner', 'rival');
  const { text } = await rival('GET', `/transactions.csv?ids=${idOf('one')}`);
  expect(text.trimEnd().split('\r\n')).toHaveLength(1);
  const many = Array.from({ length: 201 }, () => idOf('one')).join();
  for (const ids of ['order-1', many])
    expect((await finance('GET', `/transactions.csv?ids=${ids}`)).status, ids.slice(0, 20)).toBe(400);
});

test('an export of 200,000 rows contains each row once, in order, and adds up to exactly the sum of the rollup', async () => {
  const response = await fetch(service().url + path, { headers });
  expect(response.status).toBe(200);
  if (response.body === null) throw new Error('there is no body');
  let rest = '';
  let count = -1;
  let share = 0n;
  let before = '9999';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      count += 1;
      if (count === 0) continue;
      const { 1: id = '', 3: date = '', 16: minor = '' } = cellsOf(line);
      const key = `${date} ${id}`;
      if (key >= before) throw new Error(`the row ${key} does not come after ${before}`);
      before = key;
      share += BigInt(minor);
    }
  }
  const { rows: sums } = await sql<{ share: string; n: string }>`
    select sum(share_minor) as share, sum(row_count) as n from group_rollup where publisher_id = 'large'`.execute(
    db(),
  );
  expect(rest).toBe('');
  expect({ count, share }).toEqual({ count: Number(sums[0]?.n), share: BigInt(sums[0]?.share ?? 0) });
}, 120_000);

test('an export reads only as fast as its client, and cuts the connection if the database fails', async () => {
  const response = await fetch(service().url + path, { headers });
  const reader = response.body?.getReader();
  let bytes = (await reader?.read())?.value?.length ?? 0;
  await sleep(1_000); // enough to produce the whole file
  await asAdmin((admin) => admin.query('alter table attribution rename to attribution_gone'));
  const readAll = async (): Promise<void> => {
    for (;;) {
      const piece = await reader?.read();
      if (piece === undefined || piece.done) return;
      bytes += piece.value.length;
    }
  };
  await expect(readAll()).rejects.toThrow();
  await asAdmin((admin) => admin.query('alter table attribution_gone rename to attribution'));
  // Out of 45 MB, only one piece and the system's buffers have been sent.
  expect(bytes / 2 ** 20).toBeLessThan(15);
});

test('a person can run two exports of any kind at once, and a third when one of them ends', async () => {
  const open = (url = path) => fetch(service().url + url, { headers });
  const running = [await open(), await open()];
  for (const name of ['transactions.csv', 'payouts/month.csv?month=2026-10', 'audit.ndjson']) {
    const third = await open(`/admin/v1/publishers/large/${name}`);
    expect([third.status, third.headers.get('retry-after')], name).toEqual([429, '5']);
    expect(await third.json()).toMatchObject({ code: 'RateLimited' });
  }
  await running[0]?.body?.cancel();
  for (let tries = 0; running.length < 3; tries += 1) {
    expect(tries, 'the place of an aborted export is free again').toBeLessThan(100);
    const again = await open();
    if (again.status === 200) running.push(again);
    else await again.text();
    await sleep(20);
  }
  for (const { body } of running.slice(1)) await body?.cancel();
});

test('a client that disconnects frees its connection, and a client that stops reading does not block shutdown', async () => {
  const beside = await startService({ beside: service() });
  const gone = await begin(beside.url);
  gone.destroy();
  const { usage } = service().testDatabase.database;
  for (let tries = 0; usage().idle < usage().total; tries += 1) {
    expect(tries, 'no further page is read').toBeLessThan(100);
    await sleep(20);
  }
  const silent = await begin(beside.url);
  const closedAtMs = performance.now();
  await beside.close();
  // Sending the buffered data takes a few seconds. A process that waited for the client would take 15 s.
  expect(performance.now() - closedAtMs).toBeLessThan(10_000);
  silent.destroy();
}, 30_000);

/** Starts an export and pauses after the first data arrives. */
async function begin(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: here\r\nauthorization: ${headers.authorization}\r\n\r\n`);
  await once(socket, 'data');
  return socket.pause();
}
