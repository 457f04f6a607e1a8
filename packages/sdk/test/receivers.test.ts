import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ContractEnvelope, contractRequest, envelope, otherSecret, secret } from './contract-request.ts';
import { rawPost } from './raw-post.ts';

/** The receivers of examples/receivers, as processes that get requests. */
const folder = join(import.meta.dirname, '../../../examples/receivers');
const built = mkdtempSync(join(tmpdir(), 'receivers-'));
const has = (command: string, argument: string) => spawnSync(command, [argument]).status === 0;

const receivers = [
  { name: 'Node', command: process.execPath, args: [join(folder, 'node/receiver.mjs')], there: true },
  {
    name: 'Python',
    command: 'python3',
    args: [join(folder, 'python/receiver.py')],
    there: has('python3', '--version'),
  },
  { name: 'Go', command: join(built, 'receiver'), args: [], there: has('go', 'version') },
];
const zones = ['UTC', 'America/St_Johns', 'Pacific/Kiritimati'];

beforeAll(() => {
  if (!has('go', 'version')) return;
  const env = { ...process.env, GOCACHE: process.env.GOCACHE ?? join(built, 'cache') };
  const { status, stderr } = spawnSync('go', ['build', '-o', join(built, 'receiver'), '.'], {
    cwd: join(folder, 'go'),
    env,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}, 180_000);
afterAll(() => rmSync(built, { recursive: true, force: true }));

const started: ChildProcess[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
});

const payloads: [string, object][] = [
  [
    'text of every kind',
    { a: '<b>&amp;</b> "quoted" \\ / \' \u2028\u2029 é 漢字 🎮 \u0301 \uFFFD \uFEFF', 'ключ "1"': '' },
  ],
  [
    'every control character',
    { name: String.fromCharCode(...Array.from({ length: 32 }, (_, code) => code), 127, 128, 159) },
  ],
  [
    'numbers',
    {
      zero: 0,
      most: Number.MAX_SAFE_INTEGER,
      least: -Number.MAX_SAFE_INTEGER,
      percent: 12.3456,
      small: 0.0001,
      large: 99_999_999.99,
    },
  ],
  [
    'keys out of order, and nests',
    { z: { y: [{ x: [[], {}, [null, true, false]] }] }, a: '', Z: ['é'], _: {} },
  ],
  ['nothing', {}],
];
const times = [
  '2026-03-08 02:30:00.000000',
  '2026-11-01 01:30:00.999000',
  '2026-12-31 23:59:59.001000',
  '1994-12-31 12:00:00.120000',
];

const good: [string, ContractEnvelope][] = [
  ...payloads.map(([name, event], at): [string, ContractEnvelope] => [
    name,
    { ...envelope, eventId: `payload-${at}`, event },
  ]),
  ...times.map((createdAt): [string, ContractEnvelope] => [
    createdAt,
    { ...envelope, eventId: `at-${createdAt.slice(0, 4)}${createdAt.slice(5, 7)}`, createdAt },
  ]),
];

describe.each(receivers)('the receiver in $name', ({ name, command, args, there }) => {
  const start = async (zone: string) => {
    const child = spawn(command, args, {
      env: { ...process.env, TZ: zone, PORT: '0', WEBHOOK_SECRET: secret, LC_ALL: 'C' },
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
    const post = async (request: {
      body: string | Uint8Array<ArrayBuffer>;
      headers: Record<string, string>;
    }) => {
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', ...request });
      await response.text();
      return response.status;
    };
    return { port, lines, post, complaints: () => complaints };
  };

  test.for(zones)('takes what is signed and nothing else, in %s', async (zone, context) => {
    context.skip(!there, `${name} is not on the PATH`);
    const { port, lines, post, complaints } = await start(zone);
    for (const [what, sent] of good) expect([what, await post(contractRequest(sent))]).toEqual([what, 200]);
    expect(await post(contractRequest())).toBe(200);

    const { body, headers } = contractRequest({ ...envelope, eventId: 'bad' });
    const signature = headers['x-webhook-signature-256'] ?? '';
    const { 'x-webhook-signature-256': _, ...unsigned } = headers;
    const bad = {
      'another secret': contractRequest({ ...envelope, eventId: 'bad' }, [otherSecret]),
      'another id': { body: body.replace('bad', 'dab'), headers },
      'another time': { body: body.replace('10:00:00.123', '11:00:00.123'), headers },
      'another millisecond': { body: body.replace('.123000', '.124000'), headers },
      'another payload': { body: body.replace('m-1', 'm-2'), headers },
      'no signature': { body, headers: unsigned },
      'half a signature': {
        body,
        headers: { ...headers, 'x-webhook-signature-256': signature.slice(0, -1) },
      },
      'an empty signature': { body, headers: { ...headers, 'x-webhook-signature-256': '' } },
      'a signature that is not ASCII': {
        body,
        headers: { ...headers, 'x-webhook-signature-256': `${signature.slice(0, -1)}é` },
      },
      'no prefix': { body, headers: { ...headers, 'x-webhook-signature-256': signature.slice(7) } },
      'no JSON': { body: '{"eventId":', headers },
      'no event': { body: '{}', headers },
      null: { body: 'null', headers },
      'a list': { body: '[]', headers },
      'wrong types': { body: '{"eventId":1,"createdAt":2,"event":3}', headers },
      'no UTF-8': { body: Buffer.from(body.replace('é', '\xff'), 'latin1'), headers },
      'half a character': { body: body.replace('é', '\\ud800'), headers },
      'no date': { body: body.replace('2026-11-21', '2026-21-11'), headers },
      'deep nests': { body: `{"event":${'['.repeat(200_000)}`, headers },
      nothing: { body: '', headers },
    };
    for (const [what, request] of Object.entries(bad))
      expect([what, await post(request)]).toEqual([what, 403]);
    const tooLong = 2 ** 20 + 1;
    expect(await rawPost(port, `content-length: ${tooLong}`, 'x'.repeat(tooLong))).toMatch(
      /^HTTP\/1.[01] 413 /,
    );

    expect(await post(contractRequest({ ...envelope, eventId: 'last' }))).toBe(200);
    await expect.poll(() => lines.at(-1)).toMatch(/ last$/);
    expect(lines).toEqual(
      [...good.map(([, sent]) => sent.eventId), envelope.eventId, 'last'].map(
        (id) => `GroupManagement/NewMember ${id}`,
      ),
    );
    expect(complaints()).toBe('');
  });

  test('takes an event once, and forgets the oldest of very many', async (context) => {
    context.skip(!there, `${name} is not on the PATH`);
    const { lines, post } = await start('UTC');
    const send = (eventId: string) => post(contractRequest({ ...envelope, eventId, event: {} }));
    for (const id of ['one', 'two', 'one', 'one', 'two']) expect(await send(id)).toBe(200);
    expect(await Promise.all(Array.from({ length: 20 }, () => send('same')))).toEqual(
      Array.from({ length: 20 }, () => 200),
    );
    await expect.poll(() => lines.length).toBe(3);
    for (let from = 0; from < 1_000; from += 50)
      await Promise.all(Array.from({ length: 50 }, (_, at) => send(`many-${from + at}`)));
    expect(await send('many-999')).toBe(200);
    expect(await send('one')).toBe(200);
    await expect.poll(() => lines.length).toBe(1_004);
    expect(lines.at(-1)).toMatch(/ one$/);
  });

  test('does not start without a secret', async (context) => {
    context.skip(!there, `${name} is not on the PATH`);
    const env = { ...process.env, PORT: '0', WEBHOOK_SECRET: '' };
    const { status, stderr } = spawnSync(command, args, { env, encoding: 'utf8', timeout: 10_000 });
    expect(status).toBe(1);
    expect(stderr).toContain('WEBHOOK_SECRET');
  });
});
