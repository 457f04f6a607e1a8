import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { createSender } from '../../src/webhooks/delivery/send/send-request.ts';
import { sendTest } from '../../src/webhooks/endpoints/send-test.ts';
import { databaseUrl } from '../database-url.ts';
import { answer, hang, startReceiver } from '../receiver.ts';
import { runInProcess } from '../run-in-process.ts';
import { testSealer } from '../sealer.ts';
import { testActor } from '../test-actor.ts';
import { closing, isSigned, standardSignatures, useWebhooks } from '../webhooks.ts';

const { testDatabase, db, endpoint, publish, deliver, deliveries, attempts } = useWebhooks();

const run = (publisher: string, ...words: string[]) =>
  runInProcess(['webhooks', ...words, '--publisher', publisher], {
    environment: {
      DATABASE_URL: databaseUrl(testDatabase().connection),
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    },
  });
async function printed(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await run('aurora', ...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}
const json = async (...words: string[]) => JSON.parse(await printed(...words, '--json'));

const url = 'https://a.example/';
const noEvent = '0199a0b0-0000-7000-8000-000000000000';

describe('an invalid command is rejected with one sentence', () => {
  test.each<[string, RegExp, string[], string?]>([
    ['a URL that is none', /^The URL must look like/, ['add', '--url', 'a']],
    [
      'an event that is none',
      /^Unknown event Nothing\. Use all, or any of: /,
      ['add', '--url', url, '--events', 'NewMember,Nothing'],
    ],
    ['no change', /^--url or --events is required/, ['change', 'we_none']],
    ['a change of no endpoint', /no webhook endpoint we_none\.$/, ['change', 'we_none', '--events', 'all']],
    ['a test of none', /no webhook endpoint we_none\.$/, ['test', 'we_none']],
    ['a rotation of none', /no webhook endpoint we_none\.$/, ['rotate-secret', 'we_none']],
    ['switching none off', /no webhook endpoint we_none\.$/, ['off', 'we_none']],
    ['removing none', /no webhook endpoint we_none\.$/, ['remove', 'we_none']],
    ['a replay of nothing', /^Either --event or --since is required/, ['replay']],
    ['a moment that is none', /^--since must be/, ['replay', '--since', 'yesterday']],
    ['an event id that is none', /no event e-1\. /, ['replay', '--event', 'e-1']],
    [
      'a replay to no endpoint',
      /no webhook endpoint we_none\.$/,
      ['replay', '--since', '2026-01-01', '--endpoint', 'we_none'],
    ],
    ['an event that is not there', /no event 0199a0b0/, ['deliveries', '--event', noEvent]],
    ['a cursor that is none', /^The cursor does not belong to this list/, ['deliveries', '--cursor', 'abc']],
    ['forwarding to a URL that is none', /^The URL must look like/, ['listen', '--forward', 'nowhere']],
    ['a secret that is none', /^--secret must be (?!.*hunter2)/, ['listen', '--secret', 'hunter2']],
    ['no publisher to list', /^There is no publisher nobody\.$/, ['list'], 'nobody'],
    ['no publisher’s deliveries', /no publisher nobody/, ['deliveries'], 'nobody'],
    ['no publisher’s replay', /no publisher nobody/, ['replay', '--since', '2026-01-01'], 'nobody'],
    ['no publisher to add to', /no publisher nobody/, ['add', '--url', url], 'nobody'],
  ])('%s', async (_what, message, words, publisher = 'aurora') => {
    const { code, stdout, stderr } = await run(publisher, ...words);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]*\n$/);
    expect(stderr.trimEnd()).toMatch(message);
  });

  test('another publisher’s endpoint is not found', async () => {
    const { endpointId } = await endpoint(url);
    for (const words of [
      ['change', endpointId, '--events', 'all'],
      ['test', endpointId],
      ['rotate-secret', endpointId],
      ['replay', '--since', '2026-01-01', '--endpoint', endpointId],
    ])
      expect(await run('rival', ...words)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('no webhook endpoint'),
      });
    expect((await run('rival', 'list')).stdout).toContain('no webhook endpoints');
  });
});

test('events are named by their action, in any case, once each; by default the contract’s three', async () => {
  const added = async (...words: string[]) => (await json('add', '--url', url, ...words)).events;
  expect(await added()).toEqual([
    'Bounty/BountyReward',
    'GroupManagement/NewMember',
    'GroupManagement/RemovedMember',
  ]);
  expect(await added('--events', 'newmember, PAYOUT/payoutpaid,NewMember')).toEqual([
    'GroupManagement/NewMember',
    'Payout/PayoutPaid',
  ]);
  expect(await added('--events', 'all')).toHaveLength(13);
});

test('a change reports whether anything changed', async () => {
  const { endpointId } = await endpoint(url);
  const change = ['change', endpointId, '--events', 'NewMember', '--url', 'https://b.example/'];
  expect(await json(...change)).toEqual({ endpointId, changed: true });
  expect(await json(...change)).toEqual({ endpointId, changed: false });
  expect(await printed(...change)).toBe(`${endpointId} is unchanged.\n`);
  expect(await printed('change', endpointId, '--url', url)).toBe(`Changed ${endpointId}.\n`);
});

test('a test reports any response other than 200', async () => {
  const receiver = closing(await startReceiver(answer(418, {}, 'a teapot')));
  const { endpointId } = await endpoint(receiver.url);
  const { code, stdout } = await run('aurora', 'test', endpointId);
  expect(code).toBe(1);
  expect(stdout).toMatch(/Not delivered: status 418 instead of 200 \(\d+ ms\)\.\n\na teapot\n$/);
  await receiver.close();
  expect(await run('aurora', 'test', endpointId)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('the connection was refused'),
  });
  expect(await deliveries(endpointId)).toMatchObject(Array(2).fill({ status: 'Failed', attempt_count: 1 }));
});

test('a slow test is sent once: no worker takes it over', async () => {
  const receiver = closing(await startReceiver(hang));
  const { endpointId } = await endpoint(receiver.url);
  deliver();
  const clock = systemClock;
  const sender = createSender({ clock, allowPrivateTargets: true, timeoutMs: 12_000 });
  const key = { publisherId: 'aurora', endpointId };
  await sendTest({ db: db(), sender, sealer: testSealer, clock }, testActor, key);
  await sender.close();
  expect(receiver.received).toHaveLength(1);
  expect(await deliveries(endpointId)).toMatchObject([
    { status: 'Failed', attempt_count: 1, worker_id: null },
  ]);
  expect(await attempts(endpointId)).toMatchObject([{ error: 'no response within 12 s' }]);
});

test('one rotation runs at a time, the list shows it, and no list shows a secret', async () => {
  const receiver = closing(await startReceiver());
  const { endpointId, secret } = await endpoint(receiver.url);
  const next = (await json('rotate-secret', endpointId)).secret;
  const list = await printed('list');
  expect(list).toContain('on, secret rotating');
  const again = await run('aurora', 'rotate-secret', endpointId);
  expect(again).toMatchObject({ code: 1, stdout: '' });
  expect(again.stderr).toMatch(/^A rotation has been in progress since .*Finish it first: .* --finish\n$/);
  await printed('rotate-secret', endpointId, '--finish');
  expect(await run('aurora', 'rotate-secret', endpointId, '--finish')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^No rotation/),
  });
  const tested = await printed('test', endpointId);
  const [request] = receiver.received;
  if (request === undefined) throw new Error('no test arrived');
  expect([isSigned(request, next), isSigned(request, secret), standardSignatures(request, next)]).toEqual([
    true,
    false,
    1,
  ]);
  const shown = [
    await printed('list', '--json'),
    await printed('deliveries', '--json'),
    await printed('deliveries', '--event', request.json.eventId),
  ].join();
  for (const each of [secret, next]) expect(list + tested + shown).not.toContain(each.slice(6));
});

test('deliveries are listed page by page, each once, also those of one event', async () => {
  const endpoints = [await endpoint(url), await endpoint(url), await endpoint(url)];
  const events = await publish(3);
  const all: string[] = [];
  for (let cursor = null; ; ) {
    const page = await json('deliveries', '--limit', '4', ...(cursor === null ? [] : ['--cursor', cursor]));
    all.push(...page.deliveries.map((each: Record<string, string>) => `${each.eventId} ${each.endpointId}`));
    cursor = page.nextCursor;
    if (cursor === null) break;
    expect(page.deliveries).toHaveLength(4);
  }
  const expected = events.flatMap((event) => endpoints.map(({ endpointId }) => `${event} ${endpointId}`));
  expect(all).toEqual(expected.sort().reverse());

  const [event = ''] = events;
  const first = await json('deliveries', '--event', event, '--limit', '2');
  const cursor = first.nextCursor;
  const second = await json('deliveries', '--event', event, '--limit', '2', '--cursor', cursor);
  expect([first.deliveries.length, second.deliveries.length, second.nextCursor]).toEqual([2, 1, null]);
  expect(await printed('deliveries', '--limit', '4')).toMatch(/\nMore: --cursor \S+\n$/);
  expect(await run('aurora', 'deliveries', '--cursor', cursor)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not belong to this list'),
  });
});
