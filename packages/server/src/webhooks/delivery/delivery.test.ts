import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { until } from '../../../test/attribution-process.ts';
import {
  answer,
  dripBody,
  dripHeaders,
  endlessBody,
  hang,
  reset,
  startReceiver,
} from '../../../test/receiver.ts';
import { testSealer } from '../../../test/sealer.ts';
import { testActor } from '../../../test/test-actor.ts';
import { connect } from '../../../test/test-database.ts';
import { closing, isSigned, movedClock, standardSignatures, useWebhooks } from '../../../test/webhooks.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import type { EndpointId } from '../../platform/database/tables.generated.ts';
import { createSealer } from '../../platform/secrets/sealer.ts';
import { changeEndpoint } from '../endpoints/change-endpoint.ts';
import { finishRotation } from '../endpoints/finish-rotation.ts';
import { rotateSecret } from '../endpoints/rotate-secret.ts';
import { secretPlace } from '../endpoints/secrets.ts';
import { switchEndpoint } from '../endpoints/switch-endpoint.ts';

const { db, endpoint, publish, deliver, deliveries, attempts, settled, query, testDatabase } = useWebhooks();

const startRotation = (endpointId: EndpointId, clock: Clock): Promise<string> =>
  rotateSecret(
    { db: db(), sealer: testSealer },
    testActor,
    { publisherId: 'aurora', endpointId },
    clock.now(),
  );
const endRotation = (endpointId: EndpointId, clock = systemClock): Promise<void> =>
  finishRotation(db(), testActor, { publisherId: 'aurora', endpointId }, clock.now());

const dayMs = 86_400_000;
const received = (receiver: { received: unknown[] }, count: number) =>
  until(`${count} requests`, () => receiver.received.length >= count);

test('an event arrives with the envelope of the contract and both kinds of signatures', async () => {
  const receiver = closing(await startReceiver());
  const { endpointId, secret } = await endpoint(receiver.url);
  const payload = {
    memberId: 'acc_é',
    code: 'ÅSA"\\',
    name: '\u2028😀',
    logoImage: 'https://a.example/ä.png',
  };
  const clock = movedClock();
  clock.move(3_600_000);
  deliver(clock);
  const [eventId] = await publish(1, payload);
  await settled();
  const [request] = receiver.received;
  if (request === undefined) throw new Error('no request arrived');
  const { createdAt, ...envelope } = request.json;
  expect(envelope).toEqual({
    eventId,
    eventType: 'GroupManagement',
    eventAction: 'NewMember',
    event: payload,
  });
  expect(createdAt).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}000$/);
  expect(Math.abs(Date.parse(`${createdAt.replace(' ', 'T')}Z`) - Date.now())).toBeLessThan(10_000);
  expect(request.headers['x-webhook-signature-256']).toMatch(/^sha256=[0-9a-f]{64}$/);
  expect(isSigned(request, secret)).toBe(true);
  expect(standardSignatures(request, secret)).toBe(1);
  expect(request.headers['webhook-id']).toBe(eventId);
  const ageSeconds = clock.now().getTime() / 1_000 - Number(request.headers['webhook-timestamp']);
  expect(ageSeconds, 'the time of the attempt').toBeGreaterThanOrEqual(0);
  expect(ageSeconds).toBeLessThan(10);
  expect(await attempts(endpointId)).toMatchObject([
    { event_id: eventId, attempt_number: 1, status_code: 200 },
  ]);
});

test('an attempt fails with a clear error while the key of its secret is missing, and succeeds with the key', async () => {
  const receiver = closing(await startReceiver());
  const { endpointId, secret } = await endpoint(receiver.url);
  const clock = movedClock();
  const keyless = deliver(clock, { sealer: createSealer([Buffer.alloc(32, 'another')]) });
  await publish();
  const [attempt] = await until('an attempt', async () => {
    const found = await attempts(endpointId);
    return found.length > 0 && found;
  });
  expect(attempt).toMatchObject({
    status_code: null,
    error: expect.stringMatching(
      /^A secret is sealed with key [0-9a-f]{8}, which this process does not have/,
    ),
  });
  await keyless.stop();
  expect(receiver.received).toEqual([]);
  clock.move(60_000);
  deliver(clock);
  await settled();
  const [request] = receiver.received;
  expect(request !== undefined && isSigned(request, secret)).toBe(true);
});

test('an attempt is saved with its times, to the millisecond', async () => {
  const receiver = closing(
    await startReceiver((response, request) => void setTimeout(() => answer(200)(response, request), 7)),
  );
  await endpoint(receiver.url);
  deliver();
  const startedMs = Date.now();
  await publish(50);
  await settled();
  const saved = await query<{
    started_at: Date;
    lasted_ms: number;
    duration_ms: number;
    is_whole: boolean;
  }>(sql`
    select a.started_at, a.duration_ms, extract(epoch from d.finished_at - a.started_at)::float8 * 1000 as lasted_ms,
           date_trunc('milliseconds', a.started_at) = a.started_at as is_whole
    from webhook_attempt a
    join webhook_delivery_end d using (publisher_id, event_id, endpoint_id)`);
  expect(saved).toHaveLength(50);
  for (const { started_at, lasted_ms, duration_ms, is_whole } of saved) {
    expect(is_whole, started_at.toISOString()).toBe(true);
    expect(lasted_ms).toBe(duration_ms);
    expect(started_at.getTime()).toBeGreaterThanOrEqual(startedMs);
    expect(started_at.getTime()).toBeLessThanOrEqual(Date.now());
  }
});

test('deliveries whose events are missing do not affect the others of their endpoint', async () => {
  const receiver = closing(await startReceiver());
  const { endpointId } = await endpoint(receiver.url);
  const published = await publish(400);
  // After the first deliveries, several are taken at once, and the first of them is often one without an event.
  const missing = new Set(published.filter((_, index) => index > 5 && index % 5 !== 0));
  await sql`delete from webhook_event where event_id = any(${[...missing]}::uuid[])`.execute(db());
  deliver();
  await until('the others to be saved', async () =>
    (await deliveries(endpointId)).every(
      ({ event_id, status }) => missing.has(event_id) || status !== 'Pending',
    ),
  );
  const ended = (await deliveries(endpointId)).filter(({ status }) => status !== 'Pending');
  expect(ended.map(({ status }) => status)).toEqual(Array(published.length - missing.size).fill('Delivered'));
  expect(receiver.eventIds().sort()).toEqual(published.filter((each) => !missing.has(each)));
});

test('each endpoint gets the same bytes, signed with its own secret', async () => {
  const receivers = [closing(await startReceiver()), closing(await startReceiver())] as const;
  const ends = await Promise.all(receivers.map(({ url }) => endpoint(url)));
  deliver();
  await publish();
  await settled();
  const [one, other] = receivers.map((receiver) => receiver.received[0]);
  if (one === undefined || other === undefined) throw new Error('an endpoint got nothing');
  expect(one.body).toBe(other.body);
  expect([isSigned(one, ends[0]?.secret ?? ''), isSigned(other, ends[1]?.secret ?? '')]).toEqual([
    true,
    true,
  ]);
  expect([isSigned(one, ends[1]?.secret ?? ''), isSigned(other, ends[0]?.secret ?? '')]).toEqual([
    false,
    false,
  ]);
});

describe('during a rotation', () => {
  const signers = async (
    clock = movedClock(),
    during: (endpointId: EndpointId) => Promise<void> = async () => {},
  ) => {
    const receiver = closing(await startReceiver());
    const { endpointId, secret } = await endpoint(receiver.url);
    const next = await startRotation(endpointId, clock);
    await during(endpointId);
    deliver(clock);
    await publish();
    await settled(endpointId);
    const [request] = receiver.received;
    if (request === undefined) throw new Error('nothing arrived');
    const count = (request.headers['webhook-signature'] ?? '').split(' ').length;
    return {
      count,
      contract: [isSigned(request, secret), isSigned(request, next)],
      standard: [standardSignatures(request, secret), standardSignatures(request, next)],
    };
  };

  test("both secrets sign, and the contract's header uses the old one", async () => {
    expect(await signers()).toEqual({ count: 2, contract: [true, false], standard: [1, 1] });
  });

  test('only the new secret signs once it is finished', async () => {
    const finish = (endpointId: EndpointId) => endRotation(endpointId);
    expect(await signers(movedClock(), finish)).toEqual({
      count: 1,
      contract: [false, true],
      standard: [0, 1],
    });
  });

  test('both secrets sign until 24 hours have passed, and then only the new one', async () => {
    const clock = movedClock();
    const almost = async () => clock.move(dayMs - 60_000);
    expect(await signers(clock, almost)).toMatchObject({ contract: [true, false], standard: [1, 1] });
    const after = async () => clock.move(dayMs + 1_000);
    expect(await signers(clock, after)).toEqual({ count: 1, contract: [false, true], standard: [0, 1] });
  });

  test('the next rotation can start after a day, and its secret signs', async () => {
    const clock = movedClock();
    const { endpointId } = await endpoint('http://127.0.0.1:1/');
    const second = await startRotation(endpointId, clock);
    await expect(startRotation(endpointId, clock)).rejects.toThrow('A rotation has been in progress since');
    clock.move(dayMs);
    await startRotation(endpointId, clock);
    const rows = await query<{ secret: string }>(
      sql`select secret from webhook_endpoint where endpoint_id = ${endpointId}`,
    );
    expect(rows.map((row) => testSealer.open(row.secret, secretPlace('aurora', endpointId)))).toEqual([
      second,
    ]);
    await endRotation(endpointId, clock);
    await expect(endRotation(endpointId, clock)).rejects.toThrow('No rotation');
  });
});

describe('only a 200 counts as delivered', () => {
  test.each([
    ['201', answer(201, {}, 'made'), 201, 'made'],
    ['204', answer(204), 204, ''],
    ['a redirect', answer(302, { location: 'http://127.0.0.1:1/' }, 'there'), 302, 'there'],
    ['403, a mismatch by the contract', answer(403), 403, ''],
    ['410', answer(410), 410, ''],
    ['500 with a large body', answer(500, {}, 'x'.repeat(9_000)), 500, 'x'.repeat(4_096)],
    ['a body of bytes', answer(500, {}, Buffer.from([0, 255, 254])), 500, '\u0000��'],
    ['a reset', reset, null, ''],
    ['silence', hang, null, ''],
    ['headers that drip', dripHeaders, null, ''],
  ])(
    'after %s, the delivery waits for its retry, and the attempt is saved',
    async (_what, behavior, status, body) => {
      const receiver = closing(await startReceiver(behavior));
      const { endpointId } = await endpoint(receiver.url);
      const startedMs = Date.now();
      deliver(movedClock(), {}, { timeoutMs: 500 });
      const [eventId] = await publish();
      const [attempt] = await until('the attempt', async () => {
        const found = await attempts(endpointId);
        return found.length > 0 && found;
      });
      expect(attempt).toMatchObject({ event_id: eventId, attempt_number: 1, status_code: status });
      expect(attempt?.error === null).toBe(status !== null);
      expect(attempt?.answer?.toString()).toBe(body);
      expect(attempt?.started_at.getTime()).toBeGreaterThanOrEqual(startedMs);
      expect(attempt?.duration_ms).toBeLessThan(1_000);
      const [delivery] = await deliveries(endpointId);
      expect(delivery).toMatchObject({ status: 'Pending', attempt_count: 1, worker_id: null });
      expect(delivery?.next_attempt_at.getTime()).toBeGreaterThan(Date.now());
    },
  );

  test.each([
    ['drips', dripBody],
    ['has no end', endlessBody],
  ])('a 200 whose body %s counts as delivered', async (_what, behavior) => {
    const receiver = closing(await startReceiver(behavior));
    const { endpointId } = await endpoint(receiver.url);
    deliver();
    await publish();
    expect(await settled(endpointId)).toMatchObject([{ status: 'Delivered', attempt_count: 1 }]);
  });
});

describe('an endpoint that is off', () => {
  test('fails its backlog of thousands within seconds, and other endpoints lose nothing', async () => {
    const receiver = closing(await startReceiver());
    const off = await endpoint(receiver.url);
    const on = await endpoint(receiver.url);
    await publish(2_500);
    await switchEndpoint(db(), testActor, {
      publisherId: 'aurora',
      endpointId: off.endpointId,
      isEnabled: false,
    });
    deliver();
    const startedMs = performance.now();
    const ended = await settled();
    expect(performance.now() - startedMs).toBeLessThan(15_000);
    const of = ({ endpointId }: { endpointId: EndpointId }, status: string): number =>
      ended.filter((each) => each.endpoint_id === endpointId && each.status === status).length;
    expect([of(off, 'Failed'), of(on, 'Delivered')]).toEqual([2_500, 2_500]);
  });

  test('receives nothing, and its pending deliveries fail', async () => {
    const receiver = closing(await startReceiver());
    const { endpointId } = await endpoint(receiver.url);
    await publish(3);
    await switchEndpoint(db(), testActor, { publisherId: 'aurora', endpointId, isEnabled: false });
    deliver();
    expect((await settled(endpointId)).map(({ status }) => status)).toEqual(['Failed', 'Failed', 'Failed']);
    await publish();
    expect(await deliveries(endpointId), 'nothing new is on its way').toHaveLength(3);
    expect(receiver.connections()).toBe(0);
  });

  test('and an endpoint whose URL changed receives its pending deliveries at the new URL', async () => {
    const [old, next] = [closing(await startReceiver(answer(500))), closing(await startReceiver())];
    const { endpointId } = await endpoint(old.url);
    const clock = movedClock();
    deliver(clock);
    const [eventId] = await publish();
    await received(old, 1);
    await changeEndpoint({ db: db(), allowPrivateTargets: true }, testActor, {
      publisherId: 'aurora',
      endpointId,
      url: next.url,
    });
    await until('the attempt to be saved', async () => (await attempts(endpointId)).length === 1);
    clock.move(10_000);
    await settled(endpointId);
    expect(next.eventIds()).toEqual([eventId]);
    expect(old.received).toHaveLength(1);
  });
});

test('a worker that could not renew its lease for a while has its full capacity afterward', async () => {
  const receiver = closing(await startReceiver());
  await endpoint(receiver.url);
  const errors: unknown[] = [];
  const owner = await connect(testDatabase().ownerConnection);
  await owner.query('alter table webhook_worker add constraint no_lease check (false)');
  try {
    await publish(3);
    deliver(movedClock(), { maxTaken: 2, onError: (error) => void errors.push(error) });
    await until('more failures than deliveries that fit', () => errors.length >= 3);
  } finally {
    await owner.query('alter table webhook_worker drop constraint no_lease');
    await owner.end();
  }
  expect((await settled()).map(({ status }) => status)).toEqual(['Delivered', 'Delivered', 'Delivered']);
});
