import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface Receiver {
  url: string;
  /** Bodies by eventId, as they arrived: more than one where an event came again. */
  received: ReadonlyMap<string, string[]>;
  stop(): Promise<void>;
}

/** Takes events and answers 200. */
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

/** Waits until nothing is on its way. @returns what contradicts "one event a row, and every event arrived" */
export async function undelivered(
  connection: pg.ClientConfig,
  { received }: Receiver,
  patienceMs: number,
): Promise<string[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const list = async (text: string): Promise<string[]> =>
    (await client.query(text)).rows.map(({ found }) => found);
  try {
    const deadline = performance.now() + patienceMs;
    const pending = `select event_id::text as found from webhook_delivery`;
    while ((await list(pending)).length > 0 && performance.now() < deadline) await sleep(200);
    const events = await list(`select event_id::text as found from webhook_event`);
    return [
      ...(await list(pending)).map((id) => `event ${id} is still on its way`),
      ...(await list(rowsWithoutOneEvent)).map((id) => `row ${id} has not exactly one event`),
      ...(await list(eventsWithoutRow)).map((id) => `event ${id} is of no row`),
      ...(await list(eventsWithoutDelivery)).map((id) => `event ${id} has not exactly one delivery`),
      ...events.filter((id) => !received.has(id)).map((id) => `event ${id} never arrived`),
      ...[...received].flatMap(([id, bodies]) =>
        new Set(bodies).size === 1 ? [] : [`event ${id} came with different bytes`],
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
