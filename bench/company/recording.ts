import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepBusy, purchase, purchasesOf, send, startAgent, Tally, transactions } from './clients.ts';
import { addressOf, type Outcome, type World } from './world.ts';

/**
 * Sends single creates from 40 clients, with chunked bodies as sent by .NET and Go. No create may be refused.
 */
export async function chunkedClients(world: World): Promise<Outcome> {
  const agent = startAgent(40);
  const tally = new Tally();
  await keepBusy(world, 40, async () => {
    const text = JSON.stringify(purchase());
    const body = [text.slice(0, 20), text.slice(20)];
    tally.add(await send(agent, world.url + transactions, { key: world.secretKey, body }));
    await sleep(50);
  });
  await agent.destroy();
  return { summary: `creates ${tally}`, refused: tally.refused() };
}

/** Sends whole requests and disconnects before the response. */
export async function leavingClients(world: World): Promise<Outcome> {
  const { hostname, port } = new URL(world.url);
  const localAddress = addressOf(0);
  let left = 0;
  await keepBusy(world, 8, async () => {
    const body = purchasesOf(1_000);
    const socket = connect({
      host: hostname,
      port: Number(port),
      ...(localAddress !== undefined && { localAddress }),
    });
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(
      `POST ${transactions} HTTP/1.1\r\nHost: bench\r\nX-SHARED-SECRET: ${world.secretKey}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      () => setTimeout(() => socket.destroy(), left % 10),
    );
    socket.setTimeout(5_000, () => socket.destroy());
    await closed;
    left += 1;
  });
  const agent = startAgent(1);
  // Requests that were sent completely are still recorded, and their rows fill the publisher's share of the queue.
  const giveUpAtMs = performance.now() + 5_000;
  let after: number | 'broken';
  do {
    after = await send(agent, world.url + transactions, { key: world.secretKey, body: purchasesOf(1_000) });
    if (after === 503) await sleep(1_000);
  } while (after === 503 && performance.now() < giveUpAtMs);
  await agent.destroy();
  return { summary: `${left} left, the next one got ${after}`, refused: after === 200 ? 0 : 1 };
}

/**
 * Sends arrays of 1,000 purchases from 30 connections. The requests may be refused, because together they
 * exceed the queue.
 */
export async function largeArrays(world: World): Promise<Outcome> {
  const agent = startAgent(30);
  const tally = new Tally();
  await keepBusy(world, 30, async () => {
    const body = purchasesOf(1_000);
    const status = await send(agent, world.url + transactions, { key: world.secretKey, body });
    tally.add(status);
    if (status !== 200) await sleep(1_000); // as the Retry-After header requests
  });
  await agent.destroy();
  return { summary: `arrays of 1,000: ${tally}` };
}

const atOnce = 500;

/** Repeatedly sends 500 PATCH requests at once. */
export async function patches(world: World): Promise<Outcome> {
  const agent = startAgent(atOnce);
  const tally = new Tally();
  const bought = Array.from({ length: 4_000 }, purchase) as { transactionId: string }[];
  for (let from = 0; from < bought.length; from += 1_000) {
    const body = JSON.stringify(bought.slice(from, from + 1_000));
    await send(agent, world.url + transactions, { key: world.secretKey, body });
  }
  let next = 0;
  await keepBusy(world, 1, async () => {
    const statuses = await Promise.all(
      Array.from({ length: atOnce }, () => {
        const { transactionId = '' } = bought[next++ % bought.length] ?? {};
        return send(agent, `${world.url}${transactions}/${transactionId}`, {
          method: 'PATCH',
          key: world.secretKey,
          body: '{"action":"Refund"}',
        });
      }),
    );
    for (const status of statuses) tally.add(status);
  });
  await agent.destroy();
  return { summary: `PATCHes ${tally}` };
}
