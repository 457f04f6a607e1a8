import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AttributionServer,
  killLeftovers,
  startServer,
  until as waitUntil,
} from './attribution-process.ts';
import { type Collector, startCollector, type ToldSpan } from './collector.ts';
import { databaseUrl } from './database-url.ts';
import { auroraProgram, purchase } from './fixtures.ts';
import { answer, type Receiver, startReceiver } from './receiver.ts';
import { runInProcess } from './run-in-process.ts';
import { signInAt } from './staff.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

const patienceMs = 30_000;
const never = new Promise<never>(() => undefined);
const until = <Value>(what: string, look: () => Value | undefined | false) =>
  waitUntil(what, look, never, patienceMs);

const callersTrace = '0af7651916cd43dd8448eb211c80319c';
const callersSpan = 'b7ad6b7169203331';
const token = 'let me in';

let testDatabase: TestDatabase;
let collector: Collector;
let receiver: Receiver;
/** Two processes: one handles requests, and the other delivers events and posts rows. */
let servers: AttributionServer[] = [];
let keys: Record<string, string> = {};

beforeAll(async () => {
  [testDatabase, collector, receiver] = await Promise.all([
    createTestDatabase(),
    startCollector(),
    startReceiver(),
  ]);
  const environment = {
    DATABASE_URL: databaseUrl(testDatabase.connection),
    WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    WEBHOOK_INTERVAL_MS: '50',
    SETTLE_INTERVAL_MS: '50',
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(token)}`,
    OTEL_SERVICE_NAME: 'creators',
  };
  const provisioned = await runInProcess(['provision', '-', '--json'], { environment, input: auroraProgram });
  expect(provisioned).toMatchObject({ code: 0 });
  for (const { name, key } of JSON.parse(provisioned.stdout).keys) keys = { ...keys, [name]: key };
  const added = await runInProcess(
    [
      'webhooks',
      'add',
      '--publisher',
      'aurora',
      '--url',
      `${receiver.url}?token=hook-secret`,
      '--events',
      'Attribution/TransactionRecorded',
    ],
    { environment },
  );
  expect(added).toMatchObject({ code: 0 });
  servers = await Promise.all(
    ['api', 'worker'].map((role) => startServer(environment, undefined, ['--role', role])),
  );
});

afterAll(async () => {
  for (const server of servers) server.kill('SIGTERM');
  const outcomes = await Promise.all(servers.map(({ ended }) => ended));
  killLeftovers();
  await Promise.all([testDatabase.drop(), collector.close(), receiver.close()]);
  for (const { code, stderr } of outcomes) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

const create = (body: unknown, traceparent?: string, key = keys.backend ?? '') =>
  fetch(`${servers[0]?.url}/v1/attributions/transactions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-shared-secret': key,
      ...(traceparent !== undefined && { traceparent }),
    },
    body: JSON.stringify(body),
  });
const ofTrace = (traceId: string): ToldSpan[] => collector.spans.filter((span) => span.traceId === traceId);
const named = (spans: readonly ToldSpan[], name: string): ToldSpan[] =>
  spans.filter((span) => span.name.startsWith(name));
const only = (spans: readonly ToldSpan[], name: string): ToldSpan => {
  const [span, ...others] = named(spans, name);
  if (span === undefined || others.length > 0)
    throw new Error(`${others.length + (span ? 1 : 0)} spans ${name}`);
  return span;
};
const place = ({ traceId, spanId }: ToldSpan) => ({ traceId, spanId });
/** Waits until a trace contains `count` spans. */
const told = (traceId: string, count: number): Promise<ToldSpan[]> =>
  until(`${count} spans of ${traceId}`, () => {
    const spans = ofTrace(traceId);
    return spans.length >= count && spans;
  });
const eventOf = (transactionId: string) =>
  until('the webhook', () =>
    receiver.received.find(({ json }) => json?.event?.transactionId === transactionId),
  );
/** Returns a request's span, identified by the response. */
const spanOf = ({ headers }: Response): Promise<ToldSpan> => {
  const requestId = headers.get('x-request-id');
  return until('its span', () =>
    collector.spans.find(({ attributes }) => attributes['attribution.request_id'] === requestId),
  );
};
/** Pays the amounts due in the group main as a signed-in person. @returns the response */
async function makePayout(): Promise<Response> {
  const url = servers[0]?.url ?? '';
  const { headers } = await signInAt({ url, testDatabase }, 'finance');
  const payouts = `${url}/admin/v1/publishers/aurora/payouts`;
  const preview = await fetch(`${payouts}/preview?group=main`, { headers });
  const { asOf } = (await preview.json()) as { asOf: string };
  const made = await fetch(payouts, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ groupId: 'main', asOf }),
  });
  expect([made.status, await made.json()]).toMatchObject([200, { payouts: [{ memberCount: 1 }] }]);
  return made;
}
let traces = 0;
/** Returns a new trace as started by a caller. */
const newParent = (flags = '01') => {
  traces += 1;
  const traceId = `${String(traces).padStart(8, '0')}${callersTrace.slice(8)}`;
  return { traceId, traceparent: `00-${traceId}-${callersSpan}-${flags}` };
};

test('a purchase is traced from its caller through commit, posting, receiver and payout, across processes', async () => {
  const traceparent = `00-${callersTrace}-${callersSpan}-01`;
  const sent = purchase();
  const response = await create(sent, traceparent);
  expect(response.status).toBe(200);
  const { transaction } = (await response.json()) as { transaction: { id: string } };
  const request = await eventOf(sent.transactionId);

  const mine = await told(callersTrace, 3);
  const server = only(mine, 'POST /v1/attributions/transactions');
  expect(server).toMatchObject({
    kind: 2,
    parentSpanId: callersSpan,
    service: 'creators',
    isError: false,
    attributes: {
      'http.response.status_code': 200,
      'attribution.operation': 'createTransactions',
      'attribution.publisher_id': 'aurora',
    },
  });
  const queue = only(mine, 'queue');
  const commit = only(mine, 'commit');
  expect([queue.parentSpanId, commit.parentSpanId]).toEqual([server.spanId, server.spanId]);
  expect(mine).toHaveLength(3);
  for (const span of [queue, commit]) {
    expect(span.startedMs).toBeGreaterThanOrEqual(server.startedMs - 1);
    expect(span.endedMs).toBeLessThanOrEqual(server.endedMs + 1);
  }

  // An event's public id is also its trace id.
  const eventTrace = request.json.eventId.replaceAll('-', '');
  const event = await told(eventTrace, 3);
  const root = only(event, 'event Attribution/TransactionRecorded');
  expect(root).toMatchObject({ kind: 4, parentSpanId: null, links: [place(commit)] });
  const delivery = only(event, 'deliver Attribution/TransactionRecorded');
  const attempt = only(event, 'attempt');
  expect([delivery.parentSpanId, attempt.parentSpanId]).toEqual([root.spanId, delivery.spanId]);
  expect(request.headers.traceparent).toBe(`00-${eventTrace}-${attempt.spanId}-01`);
  expect([delivery.isError, attempt.isError]).toEqual([false, false]);

  const recordingTrace = transaction.id.replaceAll('-', '').replace(/.{4}$/, '0000');
  const record = only(await told(recordingTrace, 1), 'record');
  expect(record).toMatchObject({ links: [place(commit)], attributes: { 'attribution.rows': 1 } });
  expect(commit.links).toEqual([place(record), place(root)]);
  const post = await until('the posting', () =>
    named(collector.spans, 'post').find(({ links }) =>
      links.some(({ traceId }) => traceId === recordingTrace),
    ),
  );
  expect(post).toMatchObject({ parentSpanId: null, links: [place(record)], isError: false });

  const paying = await makePayout();
  const asked = await spanOf(paying);
  expect(asked).toMatchObject({
    parentSpanId: null,
    attributes: { 'attribution.operation': 'createPayout' },
  });
  const spans = await told(asked.traceId, 4);
  const payout = only(spans, 'payout');
  expect(payout).toMatchObject({
    parentSpanId: asked.spanId,
    links: [place(post)],
    isError: false,
    attributes: { 'attribution.publisher_id': 'aurora', 'attribution.group_id': 'main' },
  });
  const parts = [only(spans, 'plan'), only(spans, 'assign')];
  expect(parts.map(({ parentSpanId }) => parentSpanId)).toEqual([payout.spanId, payout.spanId]);
  expect(spans).toHaveLength(4);
});

// From here on, each test has its own traces and only waits for exports.
test.concurrent('a repeated purchase is a conflict of its own, and its request is not a server error', async () => {
  const sent = purchase();
  expect((await create(sent)).status).toBe(200);
  const again = newParent();
  expect((await create(sent, again.traceparent)).status).toBe(409);
  const spans = await told(again.traceId, 3);
  expect(only(spans, 'POST')).toMatchObject({
    isError: false,
    attributes: { 'http.response.status_code': 409 },
  });
  expect(only(spans, 'commit')).toMatchObject({
    isError: true,
    links: [],
    attributes: { 'error.type': 'Conflict' },
  });
});

test.concurrent('each request in a commit has its own trace, and the commit links to all of them', async () => {
  const parents = Array.from({ length: 40 }, () => newParent());
  const answers = await Promise.all(parents.map(({ traceparent }) => create(purchase(), traceparent)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const commits = await Promise.all(
    parents.map(async ({ traceId }) => only(await told(traceId, 3), 'commit')),
  );
  const linked = await until('all records', () => {
    const records = named(collector.spans, 'record').filter(({ links }) =>
      links.some(({ traceId }) => parents.some((parent) => parent.traceId === traceId)),
    );
    const traced = records.reduce(
      (sum, { attributes }) => sum + Number(attributes['attribution.traced_requests']),
      0,
    );
    return traced >= parents.length && records;
  });
  expect(linked.length).toBeLessThan(parents.length);
  for (const { links } of linked) expect(links.length).toBeLessThanOrEqual(32);
  for (const { links } of commits) expect(links).toHaveLength(2);
});

test.concurrent('only the first rows of a long list are traced', async () => {
  const { traceId, traceparent } = newParent();
  expect(
    (
      await create(
        Array.from({ length: 100 }, () => purchase()),
        traceparent,
      )
    ).status,
  ).toBe(200);
  const commit = only(await told(traceId, 3), 'commit');
  expect(commit.links).toHaveLength(33);
  expect(commit.attributes['attribution.rows']).toBe(100);
});

test.concurrent('a failed attempt is an error, and the next one is below the same delivery', async () => {
  const { traceparent } = newParent();
  const sent = purchase();
  let attempts = 0;
  receiver.behave((response, request) => {
    const isFirst = request.json?.event?.transactionId === sent.transactionId && attempts++ === 0;
    answer(isFirst ? 500 : 200)(response, request);
  });
  await create(sent, traceparent);
  const first = await eventOf(sent.transactionId);
  const trace = first.json.eventId.replaceAll('-', '');
  const failed = only(await told(trace, 2), 'attempt');
  expect(failed).toMatchObject({
    isError: true,
    attributes: { 'http.response.status_code': 500, 'error.type': '500', 'attribution.attempt': 1 },
  });
  const again = await until(
    'the second attempt',
    () => receiver.received.filter(({ json }) => json?.eventId === first.json.eventId)[1],
  );
  const spans = await told(trace, 4);
  const [, second] = named(spans, 'attempt').sort((one, other) => one.startedMs - other.startedMs);
  expect(again.headers.traceparent).toBe(`00-${trace}-${second?.spanId}-01`);
  expect(second).toMatchObject({ parentSpanId: failed.parentSpanId, isError: false });
  expect(only(spans, 'deliver').spanId).toBe(failed.parentSpanId);
}, 90_000);

describe.concurrent('traceparent', () => {
  test('is ignored if it does not conform to the standard', async () => {
    const { traceId: theirs } = newParent();
    const lettered = `ab${theirs.slice(2)}`;
    const hostile = [
      `00-${'0'.repeat(32)}-${callersSpan}-01`,
      `00-${theirs}-${'0'.repeat(16)}-01`,
      `00-${lettered.toUpperCase()}-${callersSpan}-01`,
      `ff-${theirs}-${callersSpan}-01`,
      `00-${theirs}-${callersSpan}`,
      `00-${theirs}-${callersSpan}-01-${'x'.repeat(7_000)}`,
      `00-${theirs}-${callersSpan}-01, 00-${theirs}-${callersSpan}-01`,
      "'; drop table publisher; --",
      '',
    ];
    const requests = await Promise.all(hostile.map((traceparent) => create(purchase(), traceparent)));
    for (const response of requests) {
      expect(response.status).toBe(200);
      const span = await spanOf(response);
      expect(span).toMatchObject({ parentSpanId: null, isError: false });
    }
    expect([...ofTrace(theirs), ...ofTrace(lettered)]).toEqual([]);
  });

  test('leaves no spans, here or at the receiver, if its trace is not sampled', async () => {
    const { traceId, traceparent } = newParent('00');
    const sent = purchase();
    expect((await create(sent, traceparent)).status).toBe(200);
    const { headers, json } = await eventOf(sent.transactionId);
    const kept = newParent();
    await create(purchase(), kept.traceparent);
    await told(kept.traceId, 3); // earlier spans have been sent by now
    expect(ofTrace(traceId)).toEqual([]);
    expect(ofTrace(json.eventId.replaceAll('-', ''))).toEqual([]);
    expect(headers).not.toHaveProperty('traceparent');
  });

  test('is not read from a public key, nor from unauthenticated clients', async () => {
    const theirs = newParent();
    const url = `${servers[0]?.url}/v1/attributions/ping`;
    const ask = (key: string) =>
      fetch(url, { headers: { 'x-shared-secret': key, traceparent: theirs.traceparent } });
    const asked = await ask(keys.client ?? '');
    const strange = await ask('svc_sk_nobody');
    expect(strange.status).toBe(401);
    expect(await spanOf(asked)).toMatchObject({ parentSpanId: null });
    expect(ofTrace(theirs.traceId)).toEqual([]);
    expect(collector.text()).not.toContain(strange.headers.get('x-request-id'));
  });
});

test.concurrent('without the setting, the SDK is not loaded', async () => {
  const telling = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(specifier, context, next) {
      if (/opentelemetry.(sdk|exporter|resources)/.test(specifier)) console.log('loads ' + specifier);
      return next(specifier, context);
    } });`;
  const start = (settings: Record<string, string>) =>
    startServer(
      {
        DATABASE_URL: databaseUrl(testDatabase.connection),
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(telling)}`,
        ...settings,
      },
      undefined,
      ['--role', 'api'], // a worker would take the other tests' deliveries, and may not send them to this machine
    );
  const both = await Promise.all([start({}), start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })]);
  for (const server of both) server.kill('SIGTERM');
  const [off, on] = await Promise.all(both.map(({ ended }) => ended));
  expect(on?.stdout).toContain('loads @opentelemetry/sdk-trace');
  expect(off?.stdout).not.toContain('loads');
});

test('no span contains a key, a secret, or buyer data', async () => {
  const { traceId, traceparent } = newParent();
  const sent = purchase({
    playerId: 'player-in-person',
    playerName: 'Jane Doe',
    description: 'a gift for Jane',
  });
  expect((await create(sent, traceparent)).status).toBe(200);
  await eventOf(sent.transactionId);
  await told(traceId, 3);
  for (const said of [
    'player-in-person',
    'Jane',
    'ALICE',
    sent.transactionId,
    'hook-secret',
    ...Object.values(keys),
  ])
    expect(collector.text()).not.toContain(said);
  expect(new Set(collector.headers.map(({ authorization }) => authorization))).toEqual(new Set([token]));
  expect(new Set(collector.headers.map(({ url }) => url))).toEqual(new Set(['/v1/traces']));
});
