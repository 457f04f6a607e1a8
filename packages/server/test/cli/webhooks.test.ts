import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyWebhook } from '../../../client/src/webhooks/index.ts';
import { type AttributionProcess, spawnAttribution, until } from '../attribution-process.ts';
import { answer, hang, type Receiver, startReceiver } from '../receiver.ts';
import { runInProcess } from '../run-in-process.ts';
import { useRunningService } from '../running-service.ts';
import { closing, isSigned, standardSignatures } from '../webhooks.ts';

const service = useRunningService({ WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true', WEBHOOK_INTERVAL_MS: '50' });
const program = `
publisher: { id: studio }
groups:
  - id: main
    revShare: 10
    members:
      - { id: acc_ann, name: Ann, playerId: p-1, codes: [ { code: ANN } ] }
      - { id: acc_ben, name: Ben, status: Pending, codes: [ { code: BEN } ] }
      - { id: acc_cid, name: Cid, status: Pending, codes: [ { code: CID } ] }
`;
let receiver: Receiver;
const secrets: string[] = [];
/** All output, except output that shows a secret on purpose. */
let printed = '';

beforeAll(async () => {
  receiver = await startReceiver();
  const { code } = await runInProcess(['provision', '-'], {
    environment: service().environment,
    input: program,
  });
  expect(code).toBe(0);
});
afterAll(async () => {
  const { server } = service();
  for (const secret of secrets)
    expect(printed + server.stdout() + server.stderr()).not.toContain(secret.slice('whsec_'.length));
  await receiver.close();
});

/** Fails with a process's output if the process ends early. */
const ended = async (process: AttributionProcess): Promise<never> => {
  const { code, stderr } = await process.ended;
  throw new Error(`it ended with ${code}: ${stderr}`);
};

const run = async (words: string[], settings: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await runInProcess([...words, '--publisher', 'studio'], {
    environment: { ...service().environment, ...settings },
  });
  if (!['add', 'rotate-secret', 'listen'].includes(words[1] ?? '')) printed += stdout + stderr;
  return { code, stdout, stderr };
};
const webhooks = (...words: string[]) => run(['webhooks', ...words]);
const json = async (...words: string[]) => {
  const { code, stdout, stderr } = await webhooks(...words, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
};
const add = async (
  url = receiver.url,
  ...words: string[]
): Promise<{ endpointId: string; secret: string; events: string[] }> => {
  const added = await json('add', '--url', url, ...words);
  secrets.push(added.secret);
  return added;
};
const listed = async (endpointId: string) =>
  (await json('list')).find((each: { endpointId: string }) => each.endpointId === endpointId);

test('an endpoint from adding to removal', async () => {
  const added = await webhooks('add', '--url', receiver.url, '--events', 'NewMember,payoutpaid');
  expect(added).toMatchObject({ code: 0, stderr: '' });
  const [, secret = '', endpointId = ''] =
    /^(whsec_\S{44})\n[\s\S]*endpoint (we_\w{16})\./.exec(added.stdout) ?? [];
  secrets.push(secret);
  expect(added.stdout.split(secret)).toHaveLength(2);
  expect(added.stdout).toContain('Events: GroupManagement/NewMember, Payout/PayoutPaid.');
  expect(added.stdout).toContain('The URL uses http, so the events are sent unencrypted.');

  expect((await webhooks('list')).stdout).toMatch(
    new RegExp(`${endpointId}\\s+on\\s+${receiver.url}\\s+NewMember, PayoutPaid`),
  );
  const test = await webhooks('test', endpointId);
  expect(test).toMatchObject({ code: 0, stderr: '' });
  expect(test.stdout).toMatch(/^Sent test event [0-9a-f-]{36} to http\S+\nDelivered: 200 in \d+ ms\.\n$/);
  const request = receiver.received.at(-1);
  if (request === undefined) throw new Error('no test event arrived');
  expect(request.json).toMatchObject({ eventType: 'Webhook', eventAction: 'Test', event: { endpointId } });
  expect([isSigned(request, secret), standardSignatures(request, secret)]).toEqual([true, 1]);
  await verifyWebhook(request.body, request.headers, secret);

  expect((await webhooks('off', endpointId)).stdout).toBe(`${endpointId} is off.\n`);
  expect((await webhooks('list')).stdout).toContain('off: turned off by your team');
  expect(await listed(endpointId)).toMatchObject({
    enabled: false,
    disabledReason: 'turned off by your team',
  });
  expect((await webhooks('test', endpointId)).code, 'a test goes to one that is off, too').toBe(0);
  expect(await webhooks('on', endpointId)).toMatchObject({ code: 0, stdout: `${endpointId} is on.\n` });
  expect(await webhooks('change', endpointId, '--events', 'all')).toMatchObject({ code: 0 });
  expect((await webhooks('list')).stdout).toMatch(/on\s+http\S+\s+all/);
  expect(await webhooks('remove', endpointId)).toMatchObject({
    code: 0,
    stdout: `${endpointId} is removed.\n`,
  });
  expect((await webhooks('list')).stdout).toContain('has no webhook endpoints');

  const { stdout } = await run(['audit', 'list', '--target', `webhook-endpoint:${endpointId}`, '--json']);
  const { entries } = JSON.parse(stdout);
  const commands = entries.map(
    ({ action, actor }: { action: string; actor: { kind: string; command: string } }) =>
      `${actor.kind} ${actor.command}: ${action}`,
  );
  expect(commands.reverse()).toEqual([
    'command webhooks add: webhook-endpoint.create',
    'command webhooks test: webhook-endpoint.test',
    'command webhooks off: webhook-endpoint.disable',
    'command webhooks test: webhook-endpoint.test',
    'command webhooks on: webhook-endpoint.enable',
    'command webhooks change: webhook-endpoint.change',
    'command webhooks remove: webhook-endpoint.remove',
  ]);
});

test('members are approved and removed by command, the publisher is notified, and deliveries can be listed and replayed', async () => {
  const own = closing(await startReceiver());
  const { endpointId, secret } = await add(own.url);
  expect((await run(['members', 'list'])).stdout).toMatch(
    /acc_ben\s+Pending\s+Ben\s+-\s+BEN[\s\S]*acc_ann\s+Approved/,
  );
  expect(await run(['members', 'approve', 'acc_ben'])).toMatchObject({
    code: 0,
    stdout: 'acc_ben is Approved in main.\n',
  });
  expect((await run(['members', 'approve', 'acc_ben'])).stdout).toBe(
    'acc_ben is Approved in main already.\n',
  );
  expect((await run(['members', 'remove', 'acc_cid', '--reason', 'never joined'])).code).toBe(0);
  expect((await run(['members', 'remove', 'acc_ben', '--reason', 'Cheated, "twice"'])).code).toBe(0);
  await until('both events', () => own.received.length >= 2);
  const events = own.received.map(({ json }) => [json.eventAction, json.event]).sort();
  expect(events).toEqual([
    ['NewMember', { memberId: 'acc_ben', code: 'BEN', name: 'Ben' }],
    [
      'RemovedMember',
      {
        memberId: 'acc_ben',
        code: 'BEN',
        removalDate: expect.stringMatching(/Z$/),
        removalReason: 'Cheated, "twice"',
      },
    ],
  ]);
  expect(own.received.every((request) => isSigned(request, secret))).toBe(true);
  expect((await run(['members', 'list', '--status', 'Removed'])).stdout).toContain(
    'Removed: Cheated, "twice"',
  );
  for (const words of [['list'], ['approve', 'acc_ben']])
    expect(await run(['members', ...words, '--group', 'nope'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Publisher studio has no group nope.\n',
    });

  const [delivery] = await until('the deliveries to be saved', async () => {
    const found = (await json('deliveries', '--endpoint', endpointId, '--status', 'Delivered')).deliveries;
    return found.length === 2 && found;
  });
  own.behave(answer(500, {}, 'out of order'));
  expect((await webhooks('replay', '--event', delivery.eventId)).stdout).toBe('Resending 1 delivery.\n');
  const shown = await until('the second attempt', async () => {
    const { stdout } = await webhooks('deliveries', '--event', delivery.eventId);
    return /Pending\s+2\s[\s\S]*attempt 2/.test(stdout) && stdout;
  });
  expect(shown).toMatch(/attempt 1, \S+, \d+ ms: 200\n[\s\S]*attempt 2, \S+, \d+ ms: 500\nout of order\n/);
  expect(shown).toMatch(/Pending\s+2\s+500\s+20\d\d-/);
});

test('listen signs with a given secret of an earlier session, in both ways', async () => {
  const own = closing(await startReceiver());
  const session = async (...words: string[]): Promise<string> => {
    const before = own.received.length;
    const listener = spawnAttribution(
      ['webhooks', 'listen', '--publisher', 'studio', '--forward', own.url, ...words],
      { environment: service().environment },
    );
    const secret = await until(
      'the secret',
      () => /this session: (whsec_\S+)/.exec(listener.stdout())?.[1],
      ended(listener),
    );
    await run(['members', 'approve', 'acc_cid']);
    await run(['members', 'remove', 'acc_cid', '--reason', 'once more']);
    await until('an event', () => own.received.length > before);
    const request = own.received.at(-1);
    if (request === undefined) throw new Error('nothing was received');
    expect([isSigned(request, secret), standardSignatures(request, secret)]).toEqual([true, 1]);
    listener.pressCtrlC();
    const { stdout } = await listener.ended;
    expect(stdout.includes('Pass it as --secret next time')).toBe(words.length === 0);
    return secret;
  };
  const first = await session();
  expect(await session('--secret', first)).toBe(first);
  expect(await session()).not.toBe(first);
});

test('listen prints events and forwards them signed; Ctrl-C, pressed twice, leaves nothing behind', async () => {
  const own = closing(await startReceiver());
  const listener = spawnAttribution(['webhooks', 'listen', '--publisher', 'studio', '--forward', own.url], {
    environment: service().environment,
  });
  const secret = await until('the secret', () => /this session: (whsec_\S+)/.exec(listener.stdout())?.[1]);
  expect((await webhooks('list')).stdout).toMatch(/we_\w+\s+listening/);
  await run(['members', 'approve', 'acc_ann']);
  await run(['members', 'remove', 'acc_ann', '--reason', 'first']);
  await run(['members', 'approve', 'acc_ann']);
  await until('both', () => own.received.length >= 2);
  expect(own.received.map(({ json }) => json.eventAction)).toEqual(['RemovedMember', 'NewMember']);
  for (const request of own.received) {
    expect(isSigned(request, secret)).toBe(true);
    expect(standardSignatures(request, secret)).toBe(1);
    await verifyWebhook(request.body, request.headers, secret);
    await until('it to be printed', () => listener.stdout().includes(request.json.eventId));
  }
  own.behave(hang);
  await run(['members', 'remove', 'acc_ann', '--reason', 'second']);
  await run(['members', 'approve', 'acc_ann']);
  await until('one under way', () => own.received.length >= 3);
  const stoppedMs = performance.now();
  listener.pressCtrlC();
  listener.pressCtrlC(); // npm forwards a second Ctrl-C
  expect(await listener.ended).toMatchObject({ code: 0, stderr: '' });
  expect(performance.now() - stoppedMs).toBeLessThan(3_000);
  expect((await webhooks('list')).stdout).not.toContain('listening');
  expect(
    (await json('deliveries', '--limit', '1000')).deliveries.some(
      (each: { endpointId: string }) => each.endpointId === own.url,
    ),
  ).toBe(false);
});
