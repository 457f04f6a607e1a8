import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { addressOf, members, type World } from './world.ts';

/** Response counts by status. `broken` counts requests that got no response. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(what: number | string): void {
    this.#counts.set(String(what), (this.#counts.get(String(what)) ?? 0) + 1);
  }

  refused(): number {
    return [...this.#counts].reduce((sum, [what, count]) => sum + (what.startsWith('2') ? 0 : count), 0);
  }

  toString(): string {
    const parts = [...this.#counts].sort().map(([what, count]) => `${what}: ${count}`);
    return parts.length === 0 ? 'none' : parts.join(', ');
  }
}

export const isOver = ({ seconds }: World): (() => boolean) => {
  const endMs = performance.now() + seconds * 1_000;
  return () => performance.now() > endMs;
};

export const startAgent = (connections: number, address = addressOf(0)): Agent =>
  new Agent({
    connections,
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
    ...(address !== undefined && { localAddress: address }),
  });

interface Sent {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT';
  key?: string;
  /** Body to send unchanged. A list of parts is sent in chunks. */
  body?: string | Buffer | readonly string[];
  type?: string;
}

/** @returns the status; `broken` if there was no response */
export async function send(
  agent: Agent,
  url: string,
  { method = 'POST', key, body, type = 'application/json' }: Sent,
): Promise<number | 'broken'> {
  try {
    const response = await request(url, {
      dispatcher: agent,
      method,
      headers: {
        ...(key !== undefined && { 'x-shared-secret': key }),
        ...(body !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && {
        body: isText(body) ? body : Readable.from(body.map((part) => Buffer.from(part))),
      }),
    });
    await response.body.dump();
    return response.statusCode;
  } catch {
    return 'broken';
  }
}

const isText = (body: string | Buffer | readonly string[]): body is string | Buffer => !Array.isArray(body);

/** Runs the work repeatedly in several concurrent loops until time is up. */
export async function keepBusy(
  world: World,
  lanes: number,
  work: (lane: number) => Promise<void>,
): Promise<void> {
  const over = isOver(world);
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (!over()) {
        await work(lane);
        await sleep(0); // lets timers run even if the work fails immediately
      }
    }),
  );
}

const reopenEveryMs = 10;

/**
 * Keeps `count` raw connections open until time is up. Replaces connections that the service closes, at most
 * a hundred per second.
 * @returns the number of connections opened, and the number that the service closed
 */
export async function holdSockets(
  world: World,
  count: number,
  write: (socket: Socket, index: number) => void,
): Promise<{ opened: number; ended: number }> {
  const { hostname, port } = new URL(world.url);
  const over = isOver(world);
  const open = new Set<Socket>();
  let [opened, ended] = [0, 0];
  const openOne = (): void => {
    const index = opened;
    opened += 1;
    const localAddress = addressOf(index);
    const socket = connect({
      host: hostname,
      port: Number(port),
      ...(localAddress !== undefined && { localAddress }),
    });
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('connect', () => write(socket, index));
    socket.on('close', () => {
      if (open.delete(socket)) ended += 1;
    });
  };
  for (let started = 0; started < count; started += 1) openOne();
  while (!over()) {
    await sleep(reopenEveryMs);
    if (open.size < count) openOne();
  }
  const left = [...open];
  open.clear();
  for (const socket of left) socket.destroy();
  return { opened, ended };
}

export const transactions = '/v1/attributions/transactions';

let purchases = 0;

/** Returns a purchase whose id is unique across all processes. */
export const purchase = (): object => {
  purchases += 1;
  return {
    transactionId: `${process.pid}-${purchases}`,
    code: `BUSY${purchases % members}`,
    description: 'Battle pass',
    subtotal: 999,
    currency: 'USD',
    transactionDate: '2026-05-01T12:00:00Z',
    platform: 'PC',
    playerId: `player-${purchases % 10_000}`,
  };
};

export const purchasesOf = (count: number): string => JSON.stringify(Array.from({ length: count }, purchase));
