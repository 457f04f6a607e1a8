import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useTransactions } from '../../server/test/transactions.ts';
import { contractRequest, envelope, otherSecret, secret } from './webhooks/contract-request.ts';

// Each back end in examples/shop runs as its own process, with the built package and its framework, against a real
// service.

const { service, keys, get, list } = useTransactions();
const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'examples-'));

beforeAll(() => {
  cpSync(join(root, 'examples/shop'), join(folder, 'shop'), { recursive: true });
  const installed = join(folder, 'node_modules');
  const own = join(installed, '@creator-attribution/client');
  mkdirSync(own, { recursive: true });
  for (const name of ['express', 'fastify'])
    symlinkSync(join(root, 'node_modules', name), join(installed, name));
  copyFileSync(join(root, 'packages/client/package.json'), join(own, 'package.json'));
  const config = join(root, 'packages/client/tsconfig.build.json');
  const built = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', config, '--outDir', join(own, 'dist')],
    { encoding: 'utf8' },
  );
  expect([built.status, built.stdout]).toEqual([0, '']);
}, 120_000);

const started: ChildProcess[] = [];
afterAll(async () => {
  for (const child of started) {
    if (child.exitCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

interface Shop {
  /** Sends a request to the shop. @returns the status and the body */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<[number, unknown]>;
  lines: string[];
  /** Returns what was written to standard error. */
  complaints(): string;
}

async function start(args: readonly string[], changes: Record<string, string> = {}): Promise<Shop> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: {
      ...process.env,
      ...{
        PORT: '0',
        WEBHOOK_SECRET: secret,
        ATTRIBUTION_URL: service().url,
        ATTRIBUTION_KEY: keys().backend,
      },
      ...changes,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let complaints = '';
  child.stderr.on('data', (data) => {
    complaints += data;
  });
  const lines: string[] = [];
  const reader = createInterface(child.stdout);
  reader.on('line', (line) => lines.push(line));
  await Promise.race([
    once(reader, 'line'),
    once(child, 'exit').then(() => expect(complaints).toBe('a start')),
  ]);
  const port = /^listening on port (\d+)$/.exec(lines.shift() ?? '')?.[1] ?? '';
  return {
    lines,
    complaints: () => complaints,
    async post(path, body, headers = { 'content-type': 'application/json' }) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers,
        body: text,
      });
      const answer = await response.text();
      return [response.status, response.ok && answer.startsWith('{') ? JSON.parse(answer) : null];
    },
  };
}

const backEnds: [name: string, args: string[]][] = [
  ['plain Node', ['shop/node.mjs']],
  ['Express', ['shop/express.mjs']],
  ['Fastify', ['shop/fastify.mjs']],
  ['Next.js', [join(import.meta.dirname, 'serve-routes.mjs'), join(folder, 'shop/nextjs')]],
];

describe.each(backEnds)('the back end with %s', (name, args) => {
  const id = `example-${name.replace(/\W/g, '')}`;
  const order = {
    ...{ id, code: 'alice', title: 'Battle pass', price: '9.99', currency: 'USD', playerId: 'player-7' },
    paidAt: '2026-05-01T12:00:00Z',
  };

  test('credits an order once, reports refunds once, and leaves other orders alone', async () => {
    const { post, complaints } = await start(args);
    for (let time = 0; time < 2; time += 1)
      expect(await post('/api/orders', order)).toEqual([200, { credited: 'ALICE' }]);
    const rows = async () => (await get(id)).body.map((each: { transaction: unknown }) => each.transaction);
    expect(await rows()).toMatchObject([{ code: 'ALICE', subtotal: 999, currency: 'USD' }]);
    for (const other of [{ code: 'nobody' }, { code: '' }, { code: undefined }])
      expect(await post('/api/orders', { ...order, id: `${id}-other`, ...other })).toEqual([
        200,
        { credited: null },
      ]);
    expect((await get(`${id}-other`)).status).toBe(404);

    const refund = { orderId: id, refundId: 're_1', amount: '4.00', currency: 'USD' };
    for (let time = 0; time < 2; time += 1)
      expect(await post('/api/refunds', refund)).toEqual([200, { refunded: true }]);
    const { body } = await list(`transactionId=${id}&include=meta`);
    expect(JSON.stringify(body)).toContain('"refundedAmount":400');
    expect(await post('/api/refunds', { orderId: id, refundId: 're_2' })).toEqual([200, { refunded: true }]);
    expect(await rows()).toMatchObject([{ status: 'Refund' }]);
    expect(await post('/api/refunds', { ...refund, orderId: `${id}-other` })).toEqual([
      200,
      { refunded: false },
    ]);
    expect(complaints()).toBe('');
  });

  test('answers 400 to a body that isn’t JSON, and fails if the service rejects its key', async () => {
    const { post } = await start(args);
    expect((await post('/api/orders', '{"id":'))[0]).toBe(400);
    expect((await post('/api/refunds', 'null,'))[0]).toBe(400);
    expect((await post('/api/other', '{}'))[0]).toBe(404);
    const locked = await start(args, { ATTRIBUTION_KEY: 'svc_sk_wrong' });
    expect((await locked.post('/api/orders', order))[0]).toBe(500);
  });

  test('receives webhooks: verified, and each event once', async () => {
    const { post, lines } = await start(args);
    const sent = contractRequest(envelope, [secret], Date.now());
    const forged = contractRequest({ ...envelope, eventId: 'forged' }, [otherSecret], Date.now());
    expect((await post('/api/webhooks', forged.body, forged.headers))[0]).toBe(403);
    expect((await post('/api/webhooks', `${sent.body} `, sent.headers))[0]).toBe(403);
    for (let time = 0; time < 2; time += 1)
      expect((await post('/api/webhooks', sent.body, sent.headers))[0]).toBe(200);
    const last = contractRequest({ ...envelope, eventId: 'last' }, [secret], Date.now());
    expect((await post('/api/webhooks', last.body, last.headers))[0]).toBe(200);
    await expect.poll(() => lines.length).toBe(2);
    expect(lines).toEqual([
      `GroupManagement/NewMember ${envelope.eventId}`,
      'GroupManagement/NewMember last',
    ]);
  });
});
