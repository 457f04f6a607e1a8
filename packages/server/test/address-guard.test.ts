import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSender, type Sender } from '../src/webhooks/delivery/send/send-request.ts';
import { isPublicAddress } from '../src/webhooks/endpoints/address-guard.ts';
import { changeEndpoint } from '../src/webhooks/endpoints/change-endpoint.ts';
import { createEndpoint } from '../src/webhooks/endpoints/create-endpoint.ts';
import { defaultEventKinds as eventKinds } from '../src/webhooks/event-kinds.ts';
import { until } from './attribution-process.ts';
import { type NameAnswer, type NameServer, startNameServer } from './name-server.ts';
import { answer, type Receiver, startReceiver } from './receiver.ts';
import { testSealer } from './sealer.ts';
import { testActor } from './test-actor.ts';
import { closing, movedClock, useWebhooks } from './webhooks.ts';

const { db, query, publish, deliver, attempts, deliveries, endpoint } = useWebhooks();

/** Receiver that listens on every loopback address, in both families, to detect forbidden connections. */
let canary: Receiver;
let names: NameServer;
let sender: Sender;
const answers: Record<string, (times: number) => NameAnswer> = {};
const timesAsked = new Map<string, number>();
beforeAll(async () => {
  canary = await startReceiver(answer(200), '::').catch(() => startReceiver(answer(200), '0.0.0.0'));
  names = await startNameServer((name, type) => {
    const times = timesAsked.get(`${name} ${type}`) ?? 0;
    timesAsked.set(`${name} ${type}`, times + 1);
    return answers[name]?.(times) ?? null;
  });
  sender = createSender({
    clock: movedClock(),
    allowPrivateTargets: false,
    timeoutMs: 1_500,
    dnsServers: [names.address],
  });
});
afterAll(() => Promise.all([canary.close(), names.close(), sender.close()]));

/** Notations of addresses outside the public internet. PORT is replaced by the canary's port. */
const spellings = [
  'http://127.0.0.1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://127.1:PORT/',
  'http://127.0.1:PORT/',
  'http://127.255.255.254:PORT/',
  'http://0x7f000001:PORT/',
  'http://0X7F.1:PORT/',
  'http://2130706433:PORT/',
  'http://017700000001:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://0:PORT/',
  'http://0.0.0.0:PORT/',
  'http://[::1]:PORT/',
  'http://[::]:PORT/',
  'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[64:ff9b::7f00:1]:PORT/',
  'http://[64:ff9b:1::7f00:1]:PORT/',
  'http://[2002:7f00:1::]:PORT/',
  'http://[2001:0:7f00:1::]:PORT/',
  'http://[2001:db8::1]:PORT/',
  'http://[3fff::1]:PORT/',
  'http://[100::1]:PORT/',
  'http://[5f00::1]:PORT/',
  'http://[fe80::1]:PORT/',
  'http://[fec0::1]:PORT/',
  'http://[fc00::1]:PORT/',
  'http://[fd12:3456::1]:PORT/',
  'http://[ff02::1]:PORT/',
  'http://169.254.169.254:PORT/latest/meta-data',
  'http://[::ffff:169.254.169.254]:PORT/',
  'http://100.64.0.1:PORT/',
  'http://100.127.255.255:PORT/',
  'http://10.0.0.1:PORT/',
  'http://10.255.255.255:PORT/',
  'http://192.168.1.1:PORT/',
  'http://172.16.0.1:PORT/',
  'http://172.31.255.255:PORT/',
  'http://198.18.0.1:PORT/',
  'http://198.19.255.255:PORT/',
  'http://192.0.0.1:PORT/',
  'http://192.0.2.1:PORT/',
  'http://198.51.100.1:PORT/',
  'http://203.0.113.1:PORT/',
  'http://224.0.0.1:PORT/',
  'http://239.255.255.255:PORT/',
  'http://240.0.0.1:PORT/',
  'http://255.255.255.255:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/',
  'http://１２７.０.０.１:PORT/',
  'http://127。0。0。1:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http:\\\\127.0.0.1:PORT\\',
  'http:127.0.0.1:PORT',
  'http://127.0.0.1\t:PORT/',
  'https://127.0.0.1:PORT/',
  'http://localhost:PORT/',
  'http://LOCALHOST:PORT/',
  'http://localhost.:PORT/',
  'http://hooks.localhost:PORT/',
  'http://127.0.0.1:PORT/#@example.com',
  'http://127.0.0.1:PORT\\@example.com/',
];
const refusedAtSave = [
  'http://example.com@127.0.0.1:PORT/',
  'http://user:secret@8.8.8.8/',
  'ftp://8.8.8.8/',
  'file:///etc/passwd',
  'gopher://8.8.8.8/',
  'javascript:alert(1)',
  '//8.8.8.8/',
  'example.com',
  'http://256.256.256.256/',
  'http://[::1%25lo]:PORT/',
  `http://example.com/${'x'.repeat(2_000)}`,
];
const at = (spelling: string): string => spelling.replace('PORT', String(canary.port));

describe('an address outside the public internet', () => {
  test.each([...spellings, ...refusedAtSave])('is rejected when it is saved: %s', async (spelling) => {
    const { endpointId } = await endpoint('https://example.com/');
    const deps = { db: db(), sealer: testSealer, allowPrivateTargets: false };
    const asked = { publisherId: 'aurora', url: at(spelling) };
    const refused = { code: 'InvalidInput', path: ['url'], message: expect.stringMatching(/address|URL/) };
    await expect(createEndpoint(deps, testActor, { ...asked, eventKinds })).rejects.toMatchObject(refused);
    await expect(changeEndpoint(deps, testActor, { ...asked, endpointId })).rejects.toMatchObject(refused);
    const saved = await query<{ url: string }>(sql`select url from webhook_endpoint`);
    expect(saved).toEqual([{ url: 'https://example.com/' }]);
  });

  test.each([...spellings, 'http://example.com@127.0.0.1:PORT/', 'http://a:b@[::1]:PORT/'])(
    'is not connected to even if it was saved: %s',
    async (spelling) => {
      const { statusCode, error } = await sender.send(at(spelling), {}, '{}');
      expect(statusCode).toBeNull();
      expect(error).toMatch(/isn't on the public internet|does not exist|no address|Invalid|invalid/);
      expect(canary.connections()).toBe(0);
    },
  );

  test('the canary receives a connection', async () => {
    const own = closing(await startReceiver());
    const bold = createSender({ clock: movedClock(), allowPrivateTargets: true });
    for (const spelling of [
      'http://127.1:PORT/',
      'http://0x7f000001:PORT/',
      'http://①②⑦.⓪.⓪.①:PORT/',
      'http://0:PORT/',
    ])
      expect(await bold.send(spelling.replace('PORT', String(own.port)), {}, '{}')).toMatchObject({
        statusCode: 200,
      });
    await bold.close();
  });
});

describe('a name', () => {
  test.each<[string, (times: number) => NameAnswer]>([
    ['127.0.0.1', () => ['127.0.0.1']],
    ['::1', () => ['::1']],
    ['::ffff:127.0.0.1, written in words', () => ['::ffff:7f00:1']],
    ['the cloud’s metadata', () => ['169.254.169.254']],
    ['a public address and loopback', () => ['203.0.114.9', '127.0.0.1']],
    ['loopback and a public address', () => ['127.0.0.1', '203.0.114.9']],
    ['a public IPv4 address and ::1', () => ['203.0.114.9', '::1']],
    ['a public IPv6 address and 10.0.0.1', () => ['2600::9', '10.0.0.1']],
  ])('that resolves to %s is not connected to', async (_what, found) => {
    const name = `case-${Object.keys(answers).length}.example.com`;
    answers[name] = found;
    const { statusCode, error } = await sender.send(`http://${name}:${canary.port}/`, {}, '{}');
    expect({ statusCode, error }).toEqual({
      statusCode: null,
      error: expect.stringContaining("isn't on the public internet"),
    });
    expect(names.asked).toContain(name);
    expect(canary.connections()).toBe(0);
  });

  test('that first resolves to a public address and then to loopback is not connected to', async () => {
    answers['rebind.example.com'] = (times) => (times === 0 ? ['192.0.3.77'] : ['127.0.0.1']);
    for (let times = 0; times < 4; times += 1) {
      const own = createSender({
        clock: movedClock(),
        allowPrivateTargets: false,
        timeoutMs: 400,
        dnsServers: [names.address],
      });
      expect(await own.send(`http://rebind.example.com:${canary.port}/`, {}, '{}')).toMatchObject({
        statusCode: null,
      });
      expect(await own.send(`http://rebind.example.com:${canary.port}/`, {}, '{}')).toMatchObject({
        statusCode: null,
      });
      await own.close();
    }
    expect(canary.connections()).toBe(0);
  });

  test.each<[string, NameAnswer, RegExp]>([
    ['that does not exist', null, /does not exist/],
    ['without addresses', [], /no address/],
    ['whose servers are silent', 'silence', /no response within 1.5 s|in time/],
  ])('that gets %s ends the attempt in time, with a message', async (_what, found, error) => {
    const name = `odd-${Object.keys(answers).length}.example.com`;
    answers[name] = () => found;
    const startedMs = performance.now();
    expect((await sender.send(`http://${name}/`, {}, '{}')).error).toMatch(error);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });

  test('is resolved with the name servers if private targets are allowed', async () => {
    const own = closing(await startReceiver());
    answers['inside.example.com'] = () => ['127.0.0.1'];
    const options = { clock: movedClock(), allowPrivateTargets: true, dnsServers: [names.address] };
    const bold = createSender(options);
    for (const host of ['inside.example.com', 'localhost'])
      expect(await bold.send(`http://${host}:${own.port}/`, {}, '{}')).toMatchObject({ statusCode: 200 });
    await bold.close();
  });
});

test('a row written without the checks is rejected at every attempt, with a message', async () => {
  const { endpointId } = await endpoint(`http://127.0.0.1:${canary.port}/`);
  deliver(movedClock(), {}, { allowPrivateTargets: false });
  await publish();
  await until('the attempt', async () => (await attempts(endpointId)).length > 0);
  expect(await attempts(endpointId)).toMatchObject([
    { status_code: null, error: expect.stringContaining("127.0.0.1 isn't on the public internet") },
  ]);
  expect(await deliveries(endpointId)).toMatchObject([{ status: 'Pending' }]);
  expect(canary.connections()).toBe(0);
});

test.each([
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.1', '100.63.255.255', '100.128.0.1', '126.255.255.255'],
  ...['128.0.0.1', '169.253.0.1', '172.15.0.1', '172.32.0.1', '192.167.0.1', '192.169.0.1', '198.17.0.1'],
  ...['198.20.0.1', '223.255.255.254', '2606:4700:4700::1111', '2a00:1450:4001::200e', '2400:cb00::1'],
])('%s is a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  '',
  'localhost',
  '1.1.1',
  '8.8.8.8%eth0',
  'fe80::1%eth0',
  '2606:4700::1%1',
  '300.1.1.1',
  '8.8.8.8/32',
])('%j is not a public address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
