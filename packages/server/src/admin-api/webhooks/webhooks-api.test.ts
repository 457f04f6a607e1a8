import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../test/admin.ts';
import { entriesOf } from '../../../test/audit.ts';
import { expectDocumentedWebhook } from '../../../test/documented-response.ts';
import { useManagement } from '../../../test/management.ts';
import { type Receiver, startReceiver } from '../../../test/receiver.ts';
import { signIn } from '../../../test/staff.ts';
import { closing, standardSignatures } from '../../../test/webhooks.ts';
import { publishEvents } from '../../webhooks/publish-events.ts';

const { service } = useManagement({ environment: { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' } });
const db = () => service().testDatabase.database.db;
let ask: Asking;
beforeAll(async () => {
  ask = await asRole(service(), 'developer');
});

const nowhere = 'http://127.0.0.1:1/hook';
const newEndpoint = async (url = nowhere, events = ['GroupManagement/NewMember']): Promise<string> =>
  (await ask('POST', '/endpoints', { url, events })).body.endpointId;

/** Publishes events and sets their deliveries to the states that a worker would have left them in. */
async function publishWithStates(
  endpointId: string,
  states: readonly ('Delivered' | 'Failed' | 'Pending')[],
) {
  const kind = 'GroupManagement/NewMember';
  await publishEvents(
    db(),
    'aurora',
    states.map(() => ({ kind, event: { memberId: 'acc_alice', name: 'Alice' } })),
  );
  const { rows } = await sql<{ event_id: string }>`
    select event_id from webhook_delivery where endpoint_id = ${endpointId}
    order by event_id desc limit ${states.length}`.execute(db());
  const eventIds = rows.map(({ event_id }) => event_id).reverse();
  for (const [index, state] of states.entries())
    if (state !== 'Pending')
      await sql`
        with ended as (
          delete from webhook_delivery
          where endpoint_id = ${endpointId} and event_id = ${eventIds[index]}::uuid
          returning *
        ),
        stored as (
          insert into webhook_delivery_end (publisher_id, endpoint_id, event_id, status, attempt_count, try_count, created_at, finished_at)
          select publisher_id, endpoint_id, event_id, ${state}, 1, 1, created_at, now() from ended
        )
        insert into webhook_attempt (publisher_id, endpoint_id, event_id, attempt_number, started_at, duration_ms, status_code, answer)
        select publisher_id, endpoint_id, event_id, 1, '2026-11-01T10:00:00Z', 12, ${state === 'Failed' ? 500 : 200}, 'oh no'::bytea
        from ended`.execute(db());
  return eventIds;
}

test('only owners and developers can use webhooks, and only of their own publisher', async () => {
  const endpointId = await newEndpoint();
  const roles = await asEveryRole(service());
  for (const [role, askAs] of Object.entries(roles)) {
    const status = role === 'owner' || role === 'developer' ? 200 : 403;
    expect([role, (await askAs('GET', '/endpoints')).status]).toEqual([role, status]);
  }
  const rival = await asRole(service(), 'owner', 'rival');
  expect(await rival('GET', '/admin/v1/publishers/aurora/endpoints')).toMatchObject({ status: 404 });
  expect(await rival('GET', `/endpoints/${endpointId}`)).toMatchObject({ status: 404 });
  expect(await rival('DELETE', `/endpoints/${endpointId}`)).toMatchObject({ status: 404 });
});

describe('an endpoint', () => {
  test('is created with a secret that is shown once', async () => {
    const created = await ask('POST', '/endpoints', { url: nowhere });
    expect(created.headers.get('cache-control')).toBe('no-store');
    expect(created.body).toMatchObject({ secret: expect.stringMatching(/^whsec_/), url: nowhere });
    expect(created.body.warning).toContain('http');
    const shown = await ask('GET', `/endpoints/${created.body.endpointId}`);
    expect(shown.text).not.toContain('whsec_');
    expect(shown.body).toMatchObject({
      isEnabled: true,
      rotation: null,
      health: { delivered: 0, failed: 0, retrying: 0, lastDeliveredAt: null, lastFailedEventId: null },
      events: ['Bounty/BountyReward', 'GroupManagement/NewMember', 'GroupManagement/RemovedMember'],
    });
  });

  test.each([
    [{ url: 'ftp://a.example/' }, 'https://'],
    [{ url: 'https://u:p@a.example/' }, 'password'],
    [{ url: nowhere, events: ['Nothing/Ever'] }, 'must be one of'],
    [{ url: nowhere, events: [] }, 'at least 1'],
  ])('is rejected as %j', async (body, message) => {
    const rejected = await ask('POST', '/endpoints', body);
    expect(rejected).toMatchObject({ status: 400, body: { code: 'InvalidInput' } });
    expect(rejected.body.message).toContain(message);
  });

  test('is not changed by a stale edit', async () => {
    const path = `/endpoints/${await newEndpoint()}`;
    const { version } = (await ask('GET', path)).body;
    const entries = await entriesOf(db(), async () => {
      const moved = await ask('PATCH', path, { url: `${nowhere}/2`, version });
      expect(moved.body.endpoint).toMatchObject({ url: `${nowhere}/2` });
      expect(moved.body.endpoint.version).not.toBe(version);
      expect(await ask('PATCH', path, { url: `${nowhere}/3`, version })).toMatchObject({
        status: 409,
        body: { code: 'Stale' },
      });
    });
    expect(entries.map(({ action, actor_kind }) => [action, actor_kind])).toEqual([
      ['webhook-endpoint.change', 'token'],
    ]);
    expect((await ask('GET', path)).body.url).toBe(`${nowhere}/2`);
    expect(await ask('PATCH', path, {})).toMatchObject({ status: 400 });
  });

  test('can be disabled, enabled and removed', async () => {
    const path = `/endpoints/${await newEndpoint()}`;
    const off = await ask('PATCH', path, { isEnabled: false });
    expect(off.body.endpoint).toMatchObject({ isEnabled: false, disabledReason: 'turned off by your team' });
    const on = await ask('PATCH', path, { isEnabled: true });
    expect(on.body.endpoint).toMatchObject({ isEnabled: true, disabledReason: null });
    expect(await ask('DELETE', path)).toMatchObject({ status: 200 });
    for (const method of ['GET', 'DELETE']) expect(await ask(method, path)).toMatchObject({ status: 404 });
  });

  test('shows the health of its latest deliveries', async () => {
    const endpointId = await newEndpoint();
    const eventIds = await publishWithStates(endpointId, ['Delivered', 'Failed', 'Failed', 'Pending']);
    const { health } = (await ask('GET', `/endpoints/${endpointId}`)).body;
    expect(health).toMatchObject({
      delivered: 1,
      failed: 2,
      retrying: 0,
      lastFailedEventId: eventIds[2],
    });
    expect(health.lastDeliveredAt).not.toBeNull();
  });

  test('says since when its deliveries are overdue, and so does the attention list', async () => {
    const endpointId = await newEndpoint();
    await publishWithStates(endpointId, ['Pending', 'Pending']);
    const overdue = async () => {
      const inList = (await ask('GET', '/attention')).body.endpoints as { endpointId: string }[];
      const item = inList.find((each) => each.endpointId === endpointId);
      return [(await ask('GET', `/endpoints/${endpointId}`)).body.overdueSince, item ?? null];
    };
    expect(await overdue()).toEqual([null, null]);
    const attemptAt = (next: Date) =>
      db()
        .updateTable('webhook_delivery')
        .set({ next_attempt_at: next })
        .where('publisher_id', '=', 'aurora')
        .where('endpoint_id', '=', endpointId as never)
        .execute();
    await attemptAt(new Date(Date.now() - 30_000));
    expect(await overdue(), 'after half a minute').toEqual([null, null]);
    const since = new Date(Date.now() - 180_000);
    await attemptAt(since);
    const item = { failingSince: null, disabledReason: null, overdueSince: since.toISOString() };
    expect(await overdue()).toEqual([since.toISOString(), expect.objectContaining(item)]);
    await ask('PATCH', `/endpoints/${endpointId}`, { isEnabled: false });
    expect(await overdue(), 'of an endpoint that is off').toEqual([
      null,
      expect.objectContaining({ overdueSince: null, isOffByTeam: true }),
    ]);
  });
});

describe('a test', () => {
  test('is sent immediately, and its response is returned', async () => {
    const receiver: Receiver = closing(
      await startReceiver((response) => response.writeHead(500).end('no room')),
    );
    const endpointId = await newEndpoint(receiver.url);
    const sent = await ask('POST', `/endpoints/${endpointId}/tests`);
    expect(sent.body).toMatchObject({ isDelivered: false, statusCode: 500, answer: 'no room', error: null });
    expect(receiver.received).toHaveLength(1);
  });

  test('imitates an event of a kind, says so in the signed payload, and is never replayed', async () => {
    const receiver = closing(await startReceiver());
    const kind = 'GroupManagement/RemovedMember';
    const endpointId = await newEndpoint(receiver.url, [kind]);
    const { eventId } = (await ask('POST', `/endpoints/${endpointId}/tests?kind=${kind}`)).body;
    const body = JSON.parse(receiver.received[0]?.body ?? '');
    expect(body).toMatchObject({
      eventId,
      eventType: 'GroupManagement',
      eventAction: 'RemovedMember',
      event: { memberId: 'test_acc_carol', code: 'test_CAROL', isTest: true },
    });
    expectDocumentedWebhook(service().app, body);
    const { rows } = (await ask('GET', `/deliveries?endpointId=${endpointId}`)).body;
    expect(rows).toMatchObject([
      { eventId, kind, isTest: true, tryCount: 1, lastDurationMs: expect.any(Number) },
    ]);
    const other = await newEndpoint(nowhere, [kind]);
    for (const target of [endpointId, other])
      expect(
        (await ask('POST', '/replays', { since: '2020-01-01T00:00:00Z', what: 'all', endpointId: target }))
          .body,
      ).toMatchObject({ replayed: 0 });
    expect((await ask('POST', '/replays', { eventId })).body.replayed).toBe(0);
    expect(await ask('POST', `/endpoints/${endpointId}/tests?kind=Nothing/Ever`)).toMatchObject({
      status: 400,
    });
  });

  test('can be sent ten times a minute', async () => {
    const rival = await asRole(service(), 'developer', 'rival');
    const { endpointId } = (await rival('POST', '/endpoints', { url: nowhere })).body;
    const statuses = [];
    for (let n = 0; n < 11; n += 1)
      statuses.push((await rival('POST', `/endpoints/${endpointId}/tests`)).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
  });
});

describe('a rotation', () => {
  test('requires a recent sign-in of a person, but not of a token', async () => {
    const path = `/endpoints/${await newEndpoint()}/secrets`;
    const { ask: stale } = await signIn(service(), 'developer', { confirmedMsAgo: 6 * 60_000 });
    for (const [method, suffix] of [
      ['POST', ''],
      ['DELETE', '/old'],
    ] as const)
      expect(await stale(method, path + suffix)).toMatchObject({
        status: 403,
        body: { code: 'SignInAgain' },
      });
    expect(await ask('POST', path)).toMatchObject({ status: 200 });
    expect(await ask('DELETE', `${path}/old`)).toMatchObject({ status: 200 });
  });

  test('signs with both secrets until the old one is removed', async () => {
    const receiver = closing(await startReceiver());
    const created = await ask('POST', '/endpoints', { url: receiver.url });
    const path = `/endpoints/${created.body.endpointId}`;
    const { ask: asOwner } = await signIn(service(), 'owner');
    expect(await asOwner('DELETE', `${path}/secrets/old`)).toMatchObject({ status: 409 });
    const added = await asOwner('POST', `${path}/secrets`);
    expect(added.headers.get('cache-control')).toBe('no-store');
    expect(await asOwner('POST', `${path}/secrets`)).toMatchObject({ status: 409 });
    const signatureCounts = async (): Promise<number[]> => {
      await ask('POST', `${path}/tests`);
      const last = receiver.received.at(-1);
      if (last === undefined) throw new Error('nothing was received');
      return [created.body.secret, added.body.secret].map((secret) => standardSignatures(last, secret));
    };
    expect(await signatureCounts()).toEqual([1, 1]);
    expect((await ask('GET', path)).body.rotation).toMatchObject({ endsAt: added.body.endsAt });
    expect((await asOwner('DELETE', `${path}/secrets/old`)).body.rotation).toBeNull();
    expect(await signatureCounts()).toEqual([0, 1]);
  });
});

describe('deliveries', () => {
  test('are listed in pages by endpoint, event and state', async () => {
    const endpointId = await newEndpoint();
    const states = Array.from(
      { length: 60 },
      (_each, n) => (n % 3 === 0 ? 'Failed' : 'Delivered') as 'Failed',
    );
    const eventIds = await publishWithStates(endpointId, states);
    const first = await ask('GET', `/deliveries?endpointId=${endpointId}`);
    const rest = await ask('GET', `/deliveries?endpointId=${endpointId}&cursor=${first.body.nextCursor}`);
    const listed = [...first.body.rows, ...rest.body.rows].map(({ eventId }) => eventId);
    expect(listed).toEqual([...eventIds].reverse());
    expect(rest.body.nextCursor).toBeNull();
    const failed = await ask('GET', `/deliveries?endpointId=${endpointId}&state=Failed`);
    expect(failed.body.rows).toHaveLength(20);
    expect(failed.body.rows[0]).toMatchObject({ state: 'Failed', lastStatusCode: 500 });
    const one = await ask('GET', `/deliveries?eventId=${eventIds[0]}&endpointId=${endpointId}`);
    expect(one.body.rows).toHaveLength(1);
    const other = await ask('GET', `/deliveries?state=Failed&cursor=${first.body.nextCursor}`);
    expect(other).toMatchObject({ status: 400, body: { code: 'InvalidCursor' } });
    const rival = await asRole(service(), 'owner', 'rival');
    expect((await rival('GET', `/deliveries?endpointId=${endpointId}`)).body.rows).toEqual([]);
  });

  test('say what their events are about, with its name, but test events are about nothing', async () => {
    const endpointId = await newEndpoint(nowhere, [
      'Attribution/TransactionRecorded',
      'Bounty/BountyReward',
      'GroupManagement/RemovedMember',
      'Payout/PayoutPaid',
      'Payout/PayoutLineReturned',
      'RevenueShare/ScheduleStarted',
    ]);
    const [payout] = await db()
      .insertInto('payout_batch')
      .values({
        publisher_id: 'aurora',
        batch_id: '01a1fdbd-4d88-7f35-8a6b-4c5d6e7f8091',
        group_id: 'main',
        currency: 'USD',
        status: 'Created',
        as_of: new Date(),
        total_minor: '100',
        member_count: 1,
        row_count: 1,
        number: 4711,
      } as never)
      .returning('batch_id')
      .execute();
    const payoutId = payout?.batch_id ?? '';
    await publishEvents(db(), 'aurora', [
      { kind: 'Attribution/TransactionRecorded', event: { transactionId: 'order-1', groupId: 'main' } },
      { kind: 'Bounty/BountyReward', event: { creatorId: 'acc_alice', bountyId: 'b' } },
      { kind: 'GroupManagement/RemovedMember', event: { memberId: 'acc_bob' } },
      { kind: 'GroupManagement/RemovedMember', event: { memberId: 'acc_gone' } },
      { kind: 'Payout/PayoutPaid', event: { payoutId, groupId: 'main' } },
      { kind: 'Payout/PayoutLineReturned', event: { payoutId, memberId: 'acc_alice' } },
      { kind: 'RevenueShare/ScheduleStarted', event: { groupId: 'main' } },
      { kind: 'RevenueShare/ScheduleStarted', event: {} },
    ]);
    const { body } = await ask('GET', `/deliveries?endpointId=${endpointId}`);
    const subjects = body.rows.map(({ subject }: { subject: unknown }) => subject).reverse();
    expect(subjects).toEqual([
      { kind: 'transaction', id: 'order-1', name: null },
      { kind: 'creator', id: 'acc_alice', name: 'Alice' },
      { kind: 'creator', id: 'acc_bob', name: 'Bob' },
      { kind: 'creator', id: 'acc_gone', name: null },
      { kind: 'payout', id: payoutId, name: '4711' },
      { kind: 'creator', id: 'acc_alice', name: 'Alice' },
      { kind: 'group', id: 'main', name: 'Aurora Creators' },
      null,
    ]);
    const [last] = body.rows;
    const shown = await ask('GET', `/endpoints/${endpointId}/deliveries/${last.eventId}`);
    expect(shown.body.delivery.subject).toBeNull();
    await ask('POST', `/endpoints/${endpointId}/tests`, { kind: 'Payout/PayoutPaid' });
    const tested = (await ask('GET', `/deliveries?endpointId=${endpointId}`)).body.rows[0];
    expect(tested).toMatchObject({ isTest: true, subject: null });
  });

  test('show the request and every attempt', async () => {
    const endpointId = await newEndpoint();
    const [eventId] = await publishWithStates(endpointId, ['Failed']);
    const { body } = await ask('GET', `/endpoints/${endpointId}/deliveries/${eventId}`);
    expect(JSON.parse(body.body)).toMatchObject({
      eventId,
      eventAction: 'NewMember',
      event: { name: 'Alice' },
    });
    expect(body.attempts).toEqual([
      expect.objectContaining({ attemptNumber: 1, statusCode: 500, answer: 'oh no', durationMs: 12 }),
    ]);
    const headers = Object.fromEntries(
      body.attempts[0].headers.map(({ name, value }: Record<string, string>) => [name, value]),
    );
    expect(headers).toMatchObject({
      'webhook-id': eventId,
      'webhook-timestamp': String(Date.parse('2026-11-01T10:00:00Z') / 1_000),
    });
    for (const path of [
      `/endpoints/we_none/deliveries/${eventId}`,
      `/endpoints/${endpointId}/deliveries/none`,
    ])
      expect(await ask('GET', path)).toMatchObject({ status: 404 });
  });
});

describe('a replay', () => {
  const since = '2020-01-01T00:00:00Z';

  test('of failed, undelivered or all events can be counted before it runs', async () => {
    const endpointId = await newEndpoint();
    const eventIds = await publishWithStates(endpointId, [
      'Delivered',
      'Failed',
      'Failed',
      'Delivered',
      'Delivered',
    ]);
    // An event that was missed while the endpoint was disabled has no delivery.
    await sql`
      delete from webhook_delivery_end where endpoint_id = ${endpointId}
        and event_id = (select max(event_id::text)::uuid from webhook_delivery_end where endpoint_id = ${endpointId})`.execute(
      db(),
    );
    const count = async (what: string): Promise<number> =>
      (await ask('GET', `/replays/count?since=${since}&what=${what}&endpointId=${endpointId}`)).body
        .deliveries;
    const missedBefore = (await count('undelivered')) - 3;
    expect([await count('failed'), await count('all')]).toEqual([2, 5 + missedBefore]);
    const entries = await entriesOf(db(), async () => {
      const replayed = await ask('POST', '/replays', { since, what: 'failed', endpointId });
      expect(replayed.body).toEqual({
        replayed: 2,
        underWay: 0,
        firstEventIds: [eventIds[1], eventIds[2]],
        next: null,
      });
      expect(await count('failed')).toBe(0);
    });
    expect(entries).toMatchObject([
      { action: 'webhook-delivery.replay', after: { deliveries: 2, failedOnly: true } },
    ]);
    const pending = await ask('GET', `/deliveries?endpointId=${endpointId}&state=Pending`);
    expect(pending.body.rows).toMatchObject([{ tryCount: 0 }, { tryCount: 0 }]);
    const followed = await ask(
      'GET',
      `/deliveries?endpointId=${endpointId}&eventId=${eventIds[1]},${eventIds[2]}`,
    );
    expect(followed.body.rows.map((row: { eventId: string }) => row.eventId)).toEqual([
      eventIds[2],
      eventIds[1],
    ]);
  });

  test('can be limited to a kind and to a range that ends before now', async () => {
    const endpointId = await newEndpoint(nowhere, ['GroupManagement/NewMember', 'Bounty/BountyReward']);
    const eventIds = await publishWithStates(endpointId, ['Failed', 'Failed', 'Failed']);
    const { rows } = await sql<{ at: Date }>`
      update webhook_event set kind = 'Bounty/BountyReward', created_at = created_at + interval '1 second'
      where event_id = ${eventIds[2]}::uuid returning created_at as at`.execute(db());
    const until = rows[0]?.at.toISOString();
    const range = { since, what: 'failed', endpointId };
    const count = async (more: Record<string, string>): Promise<number> =>
      (await ask('GET', `/replays/count?${new URLSearchParams({ ...range, ...more })}`)).body.deliveries;
    expect(await count({ kind: 'Bounty/BountyReward' })).toBe(1);
    expect(await count({ until: until ?? '' })).toBe(2);
    expect((await ask('POST', '/replays', { ...range, kind: 'Bounty/BountyReward' })).body).toMatchObject({
      replayed: 1,
      firstEventIds: [eventIds[2]],
    });
    expect((await ask('POST', '/replays', { ...range, until })).body.replayed).toBe(2);
  });

  test('of one event sends it again, delivered or not', async () => {
    const endpointId = await newEndpoint();
    const [eventId] = await publishWithStates(endpointId, ['Delivered']);
    expect((await ask('POST', '/replays', { eventId, endpointId })).body.replayed).toBe(1);
    const { body } = await ask('GET', `/deliveries?endpointId=${endpointId}&eventId=${eventId}`);
    expect(body.rows).toMatchObject([{ state: 'Pending' }]);
  });

  test.each([
    [{}, 400],
    [{ since, eventId: 'x' }, 400],
    [{ eventId: 'x' }, 404],
    [{ since, endpointId: 'we_none' }, 404],
    [{ since, after: 'x' }, 400],
    [{ since: 'yesterday' }, 400],
    [{ since, what: 'some' }, 400],
    [{ since, until: since }, 400],
    [{ since, kind: 'Webhook/Test' }, 400],
    [{ eventId: 'x', kind: 'Bounty/BountyReward' }, 400],
  ])('of %j is rejected', async (body, status) => {
    expect(await ask('POST', '/replays', body)).toMatchObject({ status });
  });

  test('to a disabled endpoint is rejected, and so is its count', async () => {
    const endpointId = await newEndpoint();
    await ask('PATCH', `/endpoints/${endpointId}`, { isEnabled: false });
    expect(await ask('POST', '/replays', { since, endpointId })).toMatchObject({ status: 409 });
    const count = await ask('GET', `/replays/count?since=${since}&endpointId=${endpointId}`);
    expect(count).toMatchObject({ status: 409 });
  });
});
