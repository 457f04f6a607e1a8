import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { testSealer } from '../../test/sealer.ts';
import { testActor } from '../../test/test-actor.ts';
import { connect } from '../../test/test-database.ts';
import { movedClock, useWebhooks, waitingEnd } from '../../test/webhooks.ts';
import { serviceActor } from '../audit/actor.ts';
import { systemClock } from '../platform/clock.ts';
import { toEndpointId, toEventId } from '../platform/ids.ts';
import { createSealer } from '../platform/secrets/sealer.ts';
import { replayDeliveries } from './delivery/read/replay-deliveries.ts';
import { recordFailure } from './delivery/send/endpoint-health.ts';
import { createSender } from './delivery/send/send-request.ts';
import { changeEndpoint } from './endpoints/change-endpoint.ts';
import { createEndpoint } from './endpoints/create-endpoint.ts';
import type { EndpointKey } from './endpoints/endpoint-record.ts';
import { finishRotation } from './endpoints/finish-rotation.ts';
import { removeEndpoint } from './endpoints/remove-endpoint.ts';
import { resealEndpoints } from './endpoints/reseal-endpoints.ts';
import { rotateSecret } from './endpoints/rotate-secret.ts';
import { sendTest } from './endpoints/send-test.ts';
import { switchEndpoint } from './endpoints/switch-endpoint.ts';
import { eventKinds } from './event-kinds.ts';
import { listenToEvents } from './listening/listen-to-events.ts';
import { removeDeadListeners } from './listening/remove-dead-listeners.ts';

const { testDatabase, db, query, endpoint, publish } = useWebhooks();

const now = new Date();
const dayMs = 86_400_000;
const nowhere = 'http://127.0.0.1:1/?token=hush';
const shown = 'http://127.0.0.1:1/?…';
const newSealer = createSealer([Buffer.alloc(32, 'newer'), Buffer.alloc(32, 'tests')]);
const deps = () => ({ db: db(), sealer: testSealer, allowPrivateTargets: true });
const none: EndpointKey = { publisherId: 'aurora', endpointId: toEndpointId('we_none') };

interface Operation {
  given?: (key: EndpointKey) => Promise<unknown>;
  act(key: EndpointKey): Promise<unknown>;
  entry: Record<string, unknown>;
  /** True if repeating the operation has no effect. */
  isIdempotent?: boolean;
}

const switched = (key: EndpointKey, isEnabled: boolean) =>
  switchEndpoint(db(), testActor, { ...key, isEnabled });
const rotate = (key: EndpointKey) => rotateSecret(deps(), testActor, key, now);
async function sendTestTo(key: EndpointKey): Promise<void> {
  const sender = createSender({ clock: systemClock, allowPrivateTargets: true });
  await sendTest({ ...deps(), sender, clock: systemClock }, testActor, key);
  await sender.close();
}
const replay = { publisherId: 'aurora', since: new Date(0), all: false };

const operations: Record<string, Operation> = {
  'an endpoint is added': {
    act: () =>
      createEndpoint(deps(), testActor, {
        publisherId: 'aurora',
        url: nowhere,
        eventKinds: ['Payout/PayoutPaid'],
      }),
    entry: {
      action: 'webhook-endpoint.create',
      target: expect.stringMatching(/^webhook-endpoint:we_\w{16}$/),
      before: null,
      after: { url: shown, events: ['Payout/PayoutPaid'] },
    },
  },
  'its URL is changed': {
    act: (key) => changeEndpoint(deps(), testActor, { ...key, url: 'http://127.0.0.1:2/', eventKinds }),
    entry: {
      action: 'webhook-endpoint.change',
      before: { url: shown },
      after: { url: 'http://127.0.0.1:2/' },
    },
    isIdempotent: true,
  },
  'its event kinds are changed': {
    act: (key) => changeEndpoint(deps(), testActor, { ...key, eventKinds: ['Payout/PayoutPaid'] }),
    entry: {
      action: 'webhook-endpoint.change',
      before: { events: [...eventKinds] },
      after: { events: ['Payout/PayoutPaid'] },
    },
    isIdempotent: true,
  },
  'it is switched off': {
    act: (key) => switched(key, false),
    entry: {
      action: 'webhook-endpoint.disable',
      before: { enabled: true, failingSince: null, disabledReason: null },
      after: { enabled: false, failingSince: null, disabledReason: 'turned off by your team' },
    },
    isIdempotent: true,
  },
  'it is switched on': {
    given: (key) => switched(key, false),
    act: (key) => switched(key, true),
    entry: {
      action: 'webhook-endpoint.enable',
      before: { enabled: false, failingSince: null, disabledReason: 'turned off by your team' },
      after: { enabled: true, failingSince: null, disabledReason: null },
    },
    isIdempotent: true,
  },
  'it is switched off after failures': {
    given: (key) => recordFailure(db(), key, now),
    act: (key) => recordFailure(db(), key, new Date(now.getTime() + 5 * dayMs)),
    entry: {
      actor_kind: 'service',
      actor_id: serviceActor.id,
      command: null,
      action: 'webhook-endpoint.disable',
      before: { enabled: true },
      after: { enabled: false, failingSince: now.toISOString() },
      reason: 'every attempt failed for 5 days',
    },
    isIdempotent: true,
  },
  'its secret is rotated': {
    act: rotate,
    entry: {
      action: 'webhook-endpoint.rotate-secret',
      before: null,
      after: { rotationStartedAt: now.toISOString() },
    },
  },
  'a rotation is finished': {
    given: rotate,
    act: (key) => finishRotation(db(), testActor, key, now),
    entry: {
      action: 'webhook-endpoint.finish-rotation',
      before: { rotationStartedAt: now.toISOString() },
      after: null,
    },
  },
  'its secrets are sealed with a new key': {
    act: () => resealEndpoints(db(), newSealer, testActor),
    entry: { action: 'webhook-endpoint.reseal', target: 'publisher:aurora', before: null },
    isIdempotent: true,
  },
  'it is removed': {
    act: (key) => removeEndpoint(db(), testActor, key),
    entry: {
      action: 'webhook-endpoint.remove',
      before: { url: shown, events: [...eventKinds] },
      after: null,
    },
  },
  'a test is sent': {
    act: sendTestTo,
    entry: { action: 'webhook-endpoint.test', after: { eventId: expect.stringMatching(/^[0-9a-f-]{36}$/) } },
  },
  'events are replayed': {
    given: async () => {
      await publish(3);
      await query(waitingEnd('Failed'));
    },
    act: () => replayDeliveries(db(), testActor, replay),
    entry: {
      action: 'webhook-delivery.replay',
      target: 'publisher:aurora',
      before: null,
      after: {
        deliveries: 3,
        since: '1970-01-01T00:00:00.000Z',
        all: false,
        lastEventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    },
  },
};
const cases = Object.entries(operations);

const entries = () =>
  query<Record<string, unknown>>(
    sql`select * from audit_entry where publisher_id = 'aurora' order by audit_id`,
  );
const state = async (): Promise<string> => {
  const tables = [];
  for (const table of ['endpoint', 'event', 'delivery', 'attempt'])
    tables.push(await query(sql`select t::text from ${sql.table(`webhook_${table}`)} t order by 1`));
  return JSON.stringify(tables);
};
async function prepared({ given }: Operation) {
  const { endpointId, secret } = await endpoint(nowhere);
  const key: EndpointKey = { publisherId: 'aurora', endpointId };
  await given?.(key);
  return { key, secret, before: await entries() };
}

describe('adds one audit entry, without secrets, when', () => {
  test.each(cases)('%s', async (_what, operation) => {
    const { key, secret, before } = await prepared(operation);
    await operation.act(key);
    const written = (await entries()).slice(before.length);
    expect(written).toEqual([
      expect.objectContaining({
        actor_kind: testActor.kind,
        actor_id: testActor.id,
        actor_name: operation.entry.actor_kind === 'service' ? serviceActor.name : testActor.name,
        command: testActor.command,
        target: `webhook-endpoint:${key.endpointId}`,
        reason: null,
        ...operation.entry,
      }),
    ]);
    for (const text of ['whsec_', 'sealed:', 'hush', secret.slice(6)])
      expect(JSON.stringify(written)).not.toContain(text);
  });
});

/**
 * Statements that make the entry or the change fail, at commit or earlier. Each is paired with a statement
 * that undoes it.
 */
const obstacles = {
  'the entry cannot be inserted': [
    'alter table audit_entry add constraint no_more check (false) not valid',
    'alter table audit_entry drop constraint no_more',
  ],
  'the change cannot be committed': [
    `create function no_more() returns trigger language plpgsql as $$ begin raise exception 'no_more'; end $$;
     create constraint trigger no_more after insert or update or delete on webhook_endpoint
       deferrable initially deferred for each row execute function no_more();
     create constraint trigger no_more after insert or update or delete on webhook_delivery
       deferrable initially deferred for each row execute function no_more()`,
    'drop function no_more cascade',
  ],
} as const;

describe.each(Object.entries(obstacles))(
  'changes nothing and adds no entry when %s',
  (_obstacle, [raise, clear]) => {
    test.each(cases)('%s', async (_what, operation) => {
      const { key, before } = await prepared(operation);
      const unchanged = await state();
      const admin = await connect(testDatabase().adminConnection);
      await admin.query(raise);
      try {
        await expect(operation.act(key)).rejects.toThrow('no_more');
      } finally {
        await admin.query(clear);
        await admin.end();
      }
      expect([await entries(), await state()]).toEqual([before, unchanged]);
    });
  },
);

test.each(cases.filter(([, { isIdempotent }]) => isIdempotent))(
  'adds no second entry when repeated: %s',
  async (_what, operation) => {
    const { key } = await prepared(operation);
    await operation.act(key);
    const before = await entries();
    await operation.act(key);
    expect(await entries()).toEqual(before);
  },
);

test('counts resealed endpoints once when the commit is retried', async () => {
  await query(sql`delete from webhook_endpoint`);
  for (let count = 0; count < 3; count += 1) await endpoint(nowhere);
  const admin = await connect(testDatabase().adminConnection);
  // Sequence numbers aren't rolled back with their transaction.
  await admin.query(`
    create sequence tries;
    create function fail_first() returns trigger language plpgsql security definer as $$ begin
      if nextval('tries') = 1 then raise exception 'once' using errcode = '40P01'; end if;
      return null;
    end $$;
    create constraint trigger fail_first after update on webhook_endpoint
      deferrable initially deferred for each row execute function fail_first()`);
  try {
    expect(await resealEndpoints(db(), newSealer, testActor)).toEqual({ sealed: 3, lost: 0 });
    expect((await admin.query('select last_value > 1 as was_tried from tries')).rows).toEqual([
      { was_tried: true },
    ]);
  } finally {
    await admin.query('drop function fail_first cascade; drop sequence tries');
    await admin.end();
  }
});

interface Refused {
  given?: (key: EndpointKey) => Promise<unknown>;
  act(key: EndpointKey): Promise<unknown>;
  code: string;
}

const refused: Record<string, Refused> = {
  'an invalid URL': {
    act: () => createEndpoint(deps(), testActor, { publisherId: 'aurora', url: 'a', eventKinds }),
    code: 'InvalidInput',
  },
  'a private address': {
    act: (key) =>
      changeEndpoint({ ...deps(), allowPrivateTargets: false }, testActor, { ...key, url: nowhere }),
    code: 'InvalidInput',
  },
  'a change of an unknown endpoint': {
    act: () => changeEndpoint(deps(), testActor, { ...none, eventKinds }),
    code: 'NotFound',
  },
  'switching an unknown endpoint': { act: () => switched(none, false), code: 'NotFound' },
  'a rotation of an unknown endpoint': { act: () => rotate(none), code: 'NotFound' },
  'a second rotation': { given: rotate, act: rotate, code: 'Conflict' },
  'finishing without a rotation': {
    act: (key) => finishRotation(db(), testActor, key, now),
    code: 'Conflict',
  },
  'removing an unknown endpoint': { act: () => removeEndpoint(db(), testActor, none), code: 'NotFound' },
  'a test of an unknown endpoint': { act: () => sendTestTo(none), code: 'NotFound' },
  'a replay to an endpoint that is off': {
    given: (key) => switched(key, false),
    act: (key) => replayDeliveries(db(), testActor, { ...replay, ...key }),
    code: 'Conflict',
  },
  'a replay of an unknown event': {
    act: () => replayDeliveries(db(), testActor, { publisherId: 'aurora', eventId: toEventId('none') }),
    code: 'NotFound',
  },
};

test.each(Object.entries(refused))(
  'adds no entry when it rejects %s',
  async (_what, { given, act, code }) => {
    const { endpointId } = await endpoint(nowhere);
    const key: EndpointKey = { publisherId: 'aurora', endpointId };
    await given?.(key);
    const before = [await entries(), await state()];
    await expect(act(key)).rejects.toMatchObject({ code });
    expect([await entries(), await state()]).toEqual(before);
  },
);

test('adds no entry for a replay that finds nothing', async () => {
  await endpoint(nowhere);
  const before = await entries();
  expect(await replayDeliveries(db(), testActor, replay)).toEqual({ replayed: 0, underWay: 0 });
  expect(await entries()).toEqual(before);
});

test('adds entries when a listener starts and ends, even if the service ends it', async () => {
  const before = (await entries()).length;
  const listen = (onStart: () => void) =>
    listenToEvents(
      { db: db(), clock: movedClock(), sealer: testSealer },
      testActor,
      {
        publisherId: 'aurora',
        eventKinds: ['Payout/PayoutPaid'],
        forward: null,
        onStart,
        onEvent: () => undefined,
        onForwarded: () => undefined,
      },
      AbortSignal.abort(),
    );
  await listen(() => undefined);
  const written = async () =>
    (await entries()).slice(before).map(({ action, actor_kind }) => [action, actor_kind]);
  expect(await written()).toEqual([
    ['webhook-endpoint.create', 'command'],
    ['webhook-endpoint.remove', 'command'],
  ]);
  const { endpointId } = await endpoint(nowhere);
  await query(sql`
    update webhook_endpoint set is_enabled = false, listener_seen_at = now() - interval '61 minutes'
    where endpoint_id = ${endpointId}`);
  await removeDeadListeners(db());
  expect((await written()).at(-1)).toEqual(['webhook-endpoint.remove', 'service']);
});
