import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type ContractEnvelope,
  type ContractRequest,
  contractRequest,
  envelope,
  otherSecret,
  secret,
  standardHeaders,
} from './contract-request.ts';
import { rawPost } from './raw-post.ts';

/** Folder of the example receivers, each of which runs as its own process. */
const folder = join(import.meta.dirname, '../../../../examples/receivers');
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
  { name: 'C#', command: 'mono', args: [join(built, 'receiver.exe')], there: buildCsharp() },
];

/** Builds the receiver in C#. @returns false if Mono or one of its assemblies isn't installed */
function buildCsharp(): boolean {
  const assemblies = ['-r:System.Runtime.Serialization', '-r:System.Xml.Linq'];
  const source = join(folder, 'csharp/Receiver.cs');
  const out = `-out:${join(built, 'receiver.exe')}`;
  const { status, stdout, stderr } = spawnSync('mcs', ['-warnaserror', out, ...assemblies, source], {
    encoding: 'utf8',
  });
  const isMissing = status === null || /error CS0006: Metadata file/.test(stderr);
  if (!isMissing) expect([status, stdout, stderr]).toEqual([0, '', '']);
  return !isMissing;
}

/** Returns a free port, for a receiver that can't choose one. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}
/** Returns a request as the service would send it now. */
const request = (sent: ContractEnvelope, ...secrets: string[]): ContractRequest =>
  contractRequest(sent, [secrets[0] ?? secret, ...secrets.slice(1)], Date.now());
const signed = (id: string, body: string, atMs = Date.now()): ContractRequest => ({
  body,
  headers: { 'content-type': 'application/json', ...standardHeaders(id, body, [secret], atMs) },
});

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
      env: {
        ...process.env,
        TZ: zone,
        PORT: name === 'C#' ? await freePort() : '0',
        WEBHOOK_SECRET: secret,
        LC_ALL: 'C',
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
    const post = async (sent: {
      body: string | Uint8Array<ArrayBuffer>;
      headers: Record<string, string>;
    }) => {
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', ...sent });
      await response.text();
      return response.status;
    };
    return { port, lines, post, complaints: () => complaints };
  };

  test.for(zones)('accepts only signed requests, in %s', async (zone, context) => {
    context.skip(!there, `${name} is not on the PATH`);
    const { port, lines, post, complaints } = await start(zone);
    for (const [what, sent] of good) expect([what, await post(request(sent))]).toEqual([what, 200]);
    expect(await post(request(envelope))).toBe(200);
    const rotating = { ...envelope, eventId: 'rotating' };
    expect(await post(request(rotating, otherSecret, secret))).toBe(200);

    const { body, headers } = request({ ...envelope, eventId: 'bad' });
    const signature = headers['webhook-signature'] ?? '';
    const { 'webhook-signature': _, 'webhook-timestamp': __, 'webhook-id': ___, ...untimed } = headers;
    const with_ = (changes: Record<string, string>) => ({ body, headers: { ...headers, ...changes } });
    const seconds = Math.floor(Date.now() / 1_000);
    const bad = {
      'another secret': request({ ...envelope, eventId: 'bad' }, otherSecret),
      'another id': { body: body.replace('bad', 'dab'), headers },
      'another id beside the body': with_({ 'webhook-id': 'dab' }),
      'the id of another event, signed': signed('dab', body),
      'another type': { body: body.replace('NewMember', 'RemovedMember'), headers },
      'another time of the event': { body: body.replace('10:00:00.123', '11:00:00.123'), headers },
      'another payload': { body: body.replace('m-1', 'm-2'), headers },
      'six minutes ago': signed('bad', body, Date.now() - 360_000),
      'in six minutes': signed('bad', body, Date.now() + 360_000),
      'an old one with a new time': with_({ 'webhook-timestamp': String(seconds - 60) }),
      'no time': with_({ 'webhook-timestamp': '' }),
      'a time that is no number': with_({ 'webhook-timestamp': `${seconds}.0` }),
      'a time far away': with_({ 'webhook-timestamp': '999999999999' }),
      'a time beyond all': with_({ 'webhook-timestamp': '9'.repeat(40) }),
      "the contract's signature alone": { body, headers: untimed },
      'half a signature': with_({ 'webhook-signature': signature.slice(0, -1) }),
      'an empty signature': with_({ 'webhook-signature': '' }),
      'a signature that is not ASCII': with_({ 'webhook-signature': `${signature.slice(0, -1)}é` }),
      'no version': with_({ 'webhook-signature': signature.slice(3) }),
      'white space more': { body: `${body} `, headers },
      'no UTF-8': { body: Buffer.from(body.replace('é', '\xff'), 'latin1'), headers },
      'no JSON': signed('bad', '{"eventId":'),
      'no event': signed('bad', '{}'),
      null: signed('bad', 'null'),
      'a list': signed('bad', '[]'),
      'wrong types': signed('1', '{"eventId":1,"createdAt":2,"event":3}'),
      'deep nests': signed('bad', `{"event":${'['.repeat(200_000)}`),
      nothing: signed('bad', ''),
    };
    for (const [what, sent] of Object.entries(bad)) expect([what, await post(sent)]).toEqual([what, 403]);
    const tooLong = 2 ** 20 + 1;
    expect(await rawPost(port, `content-length: ${tooLong}`, 'x'.repeat(tooLong))).toMatch(
      /^HTTP\/1.[01] 413 /,
    );

    expect(await post(request({ ...envelope, eventId: 'last' }))).toBe(200);
    await expect.poll(() => lines.at(-1)).toMatch(/ last$/);
    expect(lines).toEqual(
      [...good.map(([, sent]) => sent.eventId), envelope.eventId, 'rotating', 'last'].map(
        (id) => `GroupManagement/NewMember ${id}`,
      ),
    );
    expect(complaints()).toBe('');
  });

  test('processes an event once, and forgets the oldest of very many', async (context) => {
    context.skip(!there, `${name} is not on the PATH`);
    const { lines, post } = await start('UTC');
    const send = (eventId: string) => post(request({ ...envelope, eventId, event: {} }));
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
