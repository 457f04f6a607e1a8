import { describe, expect, test } from 'vitest';
import { listenCommand } from '../../src/cli/listen.ts';
import {
  addWebhookCommand,
  changeWebhookCommand,
  deliveriesCommand,
  listWebhooksCommand,
  replayCommand,
  rotateSecretCommand,
  testWebhookCommand,
} from '../../src/cli/webhooks.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { toEndpointId, toEventId } from '../../src/platform/ids.ts';
import { createSender } from '../../src/webhooks/delivery/send-request.ts';
import { sendTest } from '../../src/webhooks/endpoints/send-test.ts';
import { answer, hang, startReceiver } from '../receiver.ts';
import { testSealer } from '../sealer.ts';
import { closing, isSigned, standardSignatures, useWebhooks } from '../webhooks.ts';

const none = toEndpointId('we_none');
const { db, endpoint, deliver, deliveries, attempts } = useWebhooks();

/** What a command prints. */
async function printed(command: (print: (line: string) => void) => Promise<unknown>): Promise<string> {
  const lines: string[] = [];
  await command((line) => lines.push(line));
  return lines.join('\n');
}
const silent = (): void => undefined;
const of = (publisher: string) => ({ publisher });
const aurora = of('aurora');

describe('what cannot be is refused in a sentence', () => {
  test.each<[string, RegExp, () => Promise<unknown>]>([
    [
      'a URL that is none',
      /^The URL must be like/,
      () => addWebhookCommand(db(), true, { ...aurora, url: 'a' }, silent, testSealer),
    ],
    [
      'an event that is none',
      /^There is no event Nothing\. There are: /,
      () =>
        addWebhookCommand(
          db(),
          true,
          { ...aurora, url: 'https://a.example/', events: 'NewMember,Nothing' },
          silent,
          testSealer,
        ),
    ],
    ['no change', /^Say what to change/, () => changeWebhookCommand(db(), true, none, aurora, silent)],
    [
      'a change of no endpoint',
      /no webhook endpoint we_none\.$/,
      () => changeWebhookCommand(db(), true, none, { ...aurora, events: 'all' }, silent),
    ],
    [
      'a test of none',
      /no webhook endpoint we_none\.$/,
      () => testWebhookCommand(db(), true, none, aurora, silent, testSealer),
    ],
    [
      'a rotation of none',
      /no webhook endpoint we_none\.$/,
      () => rotateSecretCommand(db(), systemClock, none, aurora, silent, testSealer),
    ],
    ['a replay of nothing', /^Say what to replay/, () => replayCommand(db(), aurora, silent)],
    [
      'a moment that is none',
      /^--since must be/,
      () => replayCommand(db(), { ...aurora, since: 'yesterday' }, silent),
    ],
    [
      'an event id that is none',
      /no event e-1; /,
      () => replayCommand(db(), { ...aurora, event: toEventId('e-1') }, silent),
    ],
    [
      'a replay to no endpoint',
      /no webhook endpoint we_none\.$/,
      () => replayCommand(db(), { ...aurora, since: '2026-01-01', endpoint: none }, silent),
    ],
    [
      'an event that is not there',
      /no event 0199a0b0/,
      () =>
        deliveriesCommand(
          db(),
          { ...aurora, event: toEventId('0199a0b0-0000-7000-8000-000000000000'), limit: 5 },
          silent,
        ),
    ],
    [
      'forwarding to a URL that is none',
      /^The URL must be like/,
      () =>
        listenCommand(
          db(),
          systemClock,
          { ...aurora, forward: 'nowhere' },
          AbortSignal.timeout(1),
          silent,
          testSealer,
        ),
    ],
    [
      'no publisher to list',
      /^There is no publisher nobody\.$/,
      () => listWebhooksCommand(db(), of('nobody'), silent),
    ],
    [
      'no publisher’s deliveries',
      /no publisher nobody/,
      () => deliveriesCommand(db(), { ...of('nobody'), limit: 5 }, silent),
    ],
    [
      'no publisher’s replay',
      /no publisher nobody/,
      () => replayCommand(db(), { ...of('nobody'), since: '2026-01-01' }, silent),
    ],
    [
      'no publisher to add to',
      /no publisher nobody/,
      () => addWebhookCommand(db(), true, { ...of('nobody'), url: 'https://a.example/' }, silent, testSealer),
    ],
  ])('%s', async (_what, message, command) => {
    await expect(command()).rejects.toThrow(message);
  });

  test('another publisher’s endpoint is none', async () => {
    const { endpointId } = await endpoint('https://a.example/');
    for (const command of [
      () => changeWebhookCommand(db(), true, endpointId, { ...of('rival'), events: 'all' }, silent),
      () => testWebhookCommand(db(), true, endpointId, of('rival'), silent, testSealer),
      () => rotateSecretCommand(db(), systemClock, endpointId, of('rival'), silent, testSealer),
      () => replayCommand(db(), { ...of('rival'), since: '2026-01-01', endpoint: endpointId }, silent),
    ])
      await expect(command()).rejects.toThrow('no webhook endpoint');
    expect(await printed((print) => listWebhooksCommand(db(), of('rival'), print))).toContain(
      'no webhook endpoints',
    );
  });
});

test('events are named by their action, in any case, once each; the contract’s three when none are', async () => {
  const added = async (events?: string) => {
    const text = await printed((print) =>
      addWebhookCommand(
        db(),
        true,
        { ...aurora, url: 'https://a.example/', json: true, ...(events && { events }) },
        print,
        testSealer,
      ),
    );
    return JSON.parse(text).events;
  };
  expect(await added()).toEqual([
    'Bounty/BountyReward',
    'GroupManagement/NewMember',
    'GroupManagement/RemovedMember',
  ]);
  expect(await added('newmember, PAYOUT/payoutpaid,NewMember')).toEqual([
    'GroupManagement/NewMember',
    'Payout/PayoutPaid',
  ]);
  expect(await added('all')).toHaveLength(9);
});

test('a test says what came instead of 200', async () => {
  const receiver = closing(await startReceiver(answer(418, {}, 'a teapot')));
  const { endpointId } = await endpoint(receiver.url);
  const tried = async () => {
    let isDelivered = false;
    const text = await printed(async (print) => {
      isDelivered = await testWebhookCommand(db(), true, endpointId, aurora, print, testSealer);
    });
    return { isDelivered, text };
  };
  const { isDelivered, text } = await tried();
  expect(isDelivered).toBe(false);
  expect(text).toMatch(/Not delivered: status 418, and only 200 counts \(\d+ ms\)\.\n\na teapot$/);
  await receiver.close();
  expect(await tried()).toMatchObject({
    isDelivered: false,
    text: expect.stringContaining('the connection was refused'),
  });
  expect(await deliveries(endpointId)).toMatchObject(Array(2).fill({ status: 'Failed', attempt_count: 1 }));
});

test('a test that takes long is sent once all the same: no worker takes it over', async () => {
  const receiver = closing(await startReceiver(hang));
  const { endpointId } = await endpoint(receiver.url);
  deliver();
  const sender = createSender({ clock: systemClock, allowPrivateTargets: true, timeoutMs: 12_000 });
  await sendTest(db(), sender, systemClock, 'aurora', endpointId, testSealer);
  await sender.close();
  expect(receiver.received).toHaveLength(1);
  expect(await deliveries(endpointId)).toMatchObject([
    { status: 'Failed', attempt_count: 1, worker_id: null },
  ]);
  expect(await attempts(endpointId)).toMatchObject([{ error: 'no answer within 12 s' }]);
});

test('a secret is rotated once at a time, the list says so, and no list shows a secret', async () => {
  const receiver = closing(await startReceiver());
  const { endpointId, secret } = await endpoint(receiver.url);
  const options = { ...aurora, json: true };
  const rotated = await printed((print) =>
    rotateSecretCommand(db(), systemClock, endpointId, options, print, testSealer),
  );
  const next = JSON.parse(rotated).secret;
  const list = await printed((print) => listWebhooksCommand(db(), aurora, print));
  expect(list).toContain('on, secret rotating');
  await expect(
    rotateSecretCommand(db(), systemClock, endpointId, aurora, silent, testSealer),
  ).rejects.toThrow('--finish');
  await rotateSecretCommand(db(), systemClock, endpointId, { ...aurora, finish: true }, silent, testSealer);
  await expect(
    rotateSecretCommand(db(), systemClock, endpointId, { ...aurora, finish: true }, silent, testSealer),
  ).rejects.toThrow('No rotation');
  const tested = await printed((print) =>
    testWebhookCommand(db(), true, endpointId, aurora, print, testSealer),
  );
  const [request] = receiver.received;
  if (request === undefined) throw new Error('no test arrived');
  expect([isSigned(request, next), isSigned(request, secret), standardSignatures(request, next)]).toEqual([
    true,
    false,
    1,
  ]);
  const shown = await printed(async (print) => {
    await listWebhooksCommand(db(), options, print);
    await deliveriesCommand(db(), { ...options, limit: 10 }, print);
    await deliveriesCommand(db(), { ...aurora, limit: 10, event: request.json.eventId }, print);
  });
  for (const each of [secret, next]) expect(list + tested + shown).not.toContain(each.slice(6));
});
