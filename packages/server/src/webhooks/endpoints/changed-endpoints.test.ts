import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../../test/attribution-process.ts';
import { startNameServer } from '../../../test/name-server.ts';
import { type Behavior, startReceiver } from '../../../test/receiver.ts';
import { testSealer } from '../../../test/sealer.ts';
import { testActor } from '../../../test/test-actor.ts';
import { closing, useWebhooks } from '../../../test/webhooks.ts';
import { replayDeliveries } from '../delivery/read/replay-deliveries.ts';
import { createResolver } from '../delivery/send/resolve-host.ts';
import { removeDeadListeners } from '../listening/remove-dead-listeners.ts';
import { changingEndpoints } from './changing-endpoints.ts';
import { checkListenerTarget } from './check-target.ts';
import { insertEndpoint } from './create-endpoint.ts';
import { listEndpoints } from './list-endpoints.ts';
import { rotateSecret } from './rotate-secret.ts';
import { switchEndpoint } from './switch-endpoint.ts';

const { db, query, endpoint, publish, deliver, deliveries, settled } = useWebhooks();

const ofAll = { publisherId: 'aurora', since: new Date(0), all: false } as const;
const slowly: Behavior = (response) => void setTimeout(() => response.end(), 250);

test('an endpoint that is turned off receives nothing after a few seconds, not even deliveries already taken', async () => {
  const receiver = closing(await startReceiver(slowly));
  const { endpointId } = await endpoint(receiver.url);
  await publish(1_200);
  deliver();
  await until('many at once', () => receiver.received.length > 100);
  await switchEndpoint(db(), testActor, { publisherId: 'aurora', endpointId, isEnabled: false });
  const switchedMs = performance.now();
  const ended = await settled(endpointId);
  expect(performance.now() - switchedMs).toBeLessThan(4_000);
  const sent = receiver.received.length;
  expect(sent).toBeLessThan(1_200);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(receiver.received.length).toBe(sent);
  expect(ended.filter(({ status }) => status === 'Delivered')).toHaveLength(sent);
});

test('a replay of a time range sends nothing to an endpoint added since, unless it is named', async () => {
  await endpoint('http://127.0.0.1:1/');
  await publish(3);
  const { endpointId } = await endpoint('http://127.0.0.1:1/');
  await replayDeliveries(db(), testActor, ofAll);
  expect(await deliveries(endpointId)).toEqual([]);
  expect(await replayDeliveries(db(), testActor, { ...ofAll, endpointId })).toEqual({
    replayed: 3,
    underWay: 0,
  });
});

test('a replay counts the deliveries that are being sent, and leaves them alone', async () => {
  const { endpointId } = await endpoint('http://127.0.0.1:1/');
  await publish(2);
  await query(sql`
    update webhook_delivery set worker_id = gen_random_uuid()
    where event_id = (select min(event_id::text)::uuid from webhook_event)`);
  expect(await replayDeliveries(db(), testActor, { ...ofAll, endpointId })).toEqual({
    replayed: 1,
    underWay: 1,
  });
});

test('a listener that was killed is removed after an hour, and others stay', async () => {
  const add = async (age: string): Promise<string> => {
    const { endpointId } = await changingEndpoints(db(), 'aurora', (tx) =>
      insertEndpoint(tx, testSealer, testActor, {
        publisherId: 'aurora',
        url: checkListenerTarget('http://localhost/'),
        eventKinds: ['Attribution/TransactionRecorded'],
        isListener: true,
      }),
    );
    await query(sql`
      update webhook_endpoint set listener_seen_at = now() - ${age}::interval where endpoint_id = ${endpointId}`);
    return endpointId;
  };
  const { endpointId: real } = await endpoint('http://127.0.0.1:1/');
  const [dead, alive] = [await add('61 minutes'), await add('59 minutes')];
  await removeDeadListeners(db());
  const left = (await listEndpoints(db(), 'aurora', new Date())).map(({ endpointId }) => endpointId);
  expect(left.sort()).toEqual([real, alive].sort());
  expect(left).not.toContain(dead);
});

test('a rotation that has ended by itself is no longer shown', async () => {
  const { endpointId } = await endpoint('http://127.0.0.1:1/');
  const startedAt = new Date();
  await rotateSecret(
    { db: db(), sealer: testSealer },
    testActor,
    { publisherId: 'aurora', endpointId },
    startedAt,
  );
  const shown = async (hours: number): Promise<boolean> => {
    const [found] = await listEndpoints(db(), 'aurora', new Date(startedAt.getTime() + hours * 3_600_000));
    return found?.rotationStartedAt !== null;
  };
  expect([await shown(23), await shown(25)]).toEqual([true, false]);
});

test("a name server that doesn't answer for IPv6 costs little time, and is queried once for many attempts", async () => {
  const names = await startNameServer((_name, type) => (type === 'a' ? ['93.184.216.34'] : 'silence'));
  onTestFinished(() => names.close());
  const resolve = createResolver({ useHostsFile: false, servers: [names.address] });
  const startedMs = performance.now();
  const found = await Promise.all(Array.from({ length: 20 }, () => resolve('hook.example')));
  expect(performance.now() - startedMs).toBeLessThan(1_500);
  for (const each of found) expect(each).toEqual([{ address: '93.184.216.34', family: 4 }]);
  expect(names.asked).toHaveLength(2);
});
