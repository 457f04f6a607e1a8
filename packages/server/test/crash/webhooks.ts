import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface Receiver {
  url: string;
  /** Bodies by eventId, in order of arrival. A repeated event has several bodies. */
  received: ReadonlyMap<string, string[]>;
  stop(): Promise<void>;
}

/** Starts a receiver that responds to every event with 200. */
export async function startReceiver(): Promise<Receiver> {
  const received = new Map<string, string[]>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { eventId } = JSON.parse(body);
      received.set(eventId, [...(received.get(eventId) ?? []), body]);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Waits until no delivery is pending.
 * @returns violations of "one event per row, and every event arrives"
 */
export async function undelivered(
  connection: pg.ClientConfig,
  { received }: Receiver,
  maxWaitMs: number,
): Promise<string[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const list = async (text: string): Promise<string[]> =>
    (await client.query(text)).rows.map(({ found }) => found);
  try {
    const deadline = performance.now() + maxWaitMs;
    const pending = `select event_id::text as found from webhook_delivery`;
    while ((await list(pending)).length > 0 && performance.now() < deadline) await sleep(200);
    const events = await list(`select event_id::text as found from webhook_event`);
    return [
      ...(await list(pending)).map((id) => `event ${id} is still pending`),
      ...(await list(rowsWithoutOneEvent)).map((id) => `row ${id} does not have exactly one event`),
      ...(await list(eventsWithoutRow)).map((id) => `event ${id} has no row`),
      ...(await list(eventsWithoutDelivery)).map((id) => `event ${id} does not have exactly one delivery`),
      ...events.filter((id) => !received.has(id)).map((id) => `event ${id} never arrived`),
      ...[...received].flatMap(([id, bodies]) =>
        new Set(bodies).size === 1 ? [] : [`event ${id} arrived with different bodies`],
      ),
      ...[...received.keys()]
        .filter((id) => !events.includes(id))
        .map((id) => `event ${id} was never committed`),
    ];
  } finally {
    await client.end();
  }
}

const rowsWithoutOneEvent = `
  select a.attribution_id::text as found
  from attribution a
  left join webhook_event e on (e.event::json ->> 'id')::uuid = a.attribution_id
  group by a.attribution_id
  having count(e.event_id) <> 1`;
const eventsWithoutRow = `
  select e.event_id::text as found
  from webhook_event e
  left join attribution a on a.attribution_id = (e.event::json ->> 'id')::uuid
  where a.attribution_id is null`;
const eventsWithoutDelivery = `
  select e.event_id::text as found
  from webhook_event e
  left join webhook_delivery_end d on d.publisher_id = e.publisher_id and d.event_id = e.event_id
  group by e.event_id
  having count(d.event_id) <> 1`;
