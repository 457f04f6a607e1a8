import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { makePublishers, makeRows } from './company/prepare.ts';
import { type DiskProbe, type Heard, quietly } from './company/quiet-client.ts';
import type { Told, World } from './company/world.ts';
import { type BenchService, startBenchService } from './lib/bench-service.ts';
import { report, type Target } from './lib/report.ts';

/**
 * Company: what a quiet publisher sees, 20 creates and lists a second, while one neighbor after another does its
 * worst for BENCH_SECONDS. BENCH_ROWS sets how many rows the payout pays, BENCH_ONLY names the neighbors to run.
 * Nothing of the service is switched off. Neighbors come from other addresses than the quiet publisher (Linux only).
 */
const seconds = Number(process.env.BENCH_SECONDS ?? 20);
const rows = Number(process.env.BENCH_ROWS ?? 1_000_000);
const only = process.env.BENCH_ONLY?.split(',');

const warmUpMs = 2_000;
const memoryLimitMiB = 350;
const p99LimitMs = 250;
/** Where waiting for the disk adds more than this to a plain insert at p99, the disk is the limit. */
const slowDiskMs = 50;
const p99LimitOfSlowDiskMs = 1_000;

/** In this order; those with `rows` have the publisher's rows made before them. */
const phases: readonly { name: string; what: string; rows?: true }[] = [
  { name: 'alone', what: 'nobody else' },
  { name: 'strangers', what: "strangers' sockets and bodies" },
  { name: 'slowReadersOfTheScript', what: 'slow readers of a script' },
  { name: 'slowReadersOfPages', what: 'slow readers of pages' },
  { name: 'chunkedClients', what: 'chunked clients' },
  { name: 'leavingClients', what: 'clients that leave' },
  { name: 'largeArrays', what: 'arrays of 1,000 from 30' },
  { name: 'existingPlayers', what: '16 generate a member there is' },
  { name: 'newPlayers', what: '16 generate new members' },
  { name: 'patches', what: '500 PATCHes at once' },
  { name: 'heldLock', what: "a lock on the publisher's row" },
  { name: 'provision', what: 'a provision of 10,000 members' },
  { name: 'webhookBacklog', what: 'a drained webhook backlog' },
  { name: 'preview', what: 'a payout preview', rows: true },
  { name: 'ledgerVerify', what: 'ledger verify', rows: true },
  { name: 'payout', what: 'a payout', rows: true },
];

async function main(): Promise<void> {
  process.env.WEBHOOK_ALLOW_PRIVATE_TARGETS = 'true'; // the receiver is on this machine
  process.env.LOG_LEVEL ??= 'fatal';
  const service = await startBenchService();
  const client = (): pg.Client =>
    new pg.Client({ host: service.socketDirectory, user: 'attribution', database: 'attribution' });
  const disk: DiskProbe = { waiting: client(), notWaiting: client() };
  try {
    for (const each of Object.values(disk)) await each.connect();
    await disk.notWaiting.query('set synchronous_commit = off');
    await service.client.query('create table bench_disk (n integer); grant insert on bench_disk to public');
    const { quietKey, ...keys } = await makePublishers(service);
    const { url, environment, socketDirectory } = service;
    const world: World = { url, environment, socketDirectory, seconds, ...keys };
    const figures: Record<string, object> = {};
    const targets: Target[] = [];
    let hasRows = false;
    await quietly({ url, key: quietKey }, disk, sleep(warmUpMs));
    for (const { name, what, rows: needsRows } of phases) {
      if (only !== undefined && !only.includes(name)) continue;
      if (needsRows && !hasRows) {
        console.log(`making ${rows} rows …`);
        await makeRows(service.client, rows);
        hasRows = true;
      }
      await calm(service);
      service.resetPeakMemory();
      const neighbor = name === 'alone' ? alone() : startNeighbor(name, world);
      const heard = await quietly({ url, key: quietKey }, disk, neighbor);
      const told = await neighbor;
      const memoryMiB = service.peakMemoryMiB();
      figures[what] = toFigures(heard, memoryMiB);
      targets.push(...toTargets(what, heard, told, memoryMiB));
      console.log(`${what}: ${told.said}. The quiet publisher got ${heard.answers}.`);
    }
    report('company', figures, targets);
  } finally {
    for (const each of Object.values(disk)) await each.end();
    await service.stop();
  }
}

async function alone(): Promise<Told> {
  await sleep(seconds * 1_000);
  return { said: 'nothing' };
}

/** Neighbors end by themselves; one that does not would hold the benchmark for ever. */
const maxSeconds = 1_500;

async function startNeighbor(name: string, world: World): Promise<Told> {
  const child: ChildProcess = fork(new URL('./company/neighbor-process.ts', import.meta.url));
  const tooLong = setTimeout(() => child.kill(), maxSeconds * 1_000);
  child.send({ name, world });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the neighbor ${name} ended before it was done`);
  });
  try {
    const [told] = await Promise.race([once(child, 'message'), ended]);
    return told as Told;
  } finally {
    ended.catch(() => undefined);
    clearTimeout(tooLong);
  }
}

const calmAnswers = 10;

/** Waits until what the last neighbor left is done with: ten quick answers in a row, a minute at most. */
async function calm({ url }: BenchService): Promise<void> {
  const endMs = performance.now() + 60_000;
  for (let quick = 0; quick < calmAnswers && performance.now() < endMs; await sleep(100)) {
    const startedAtMs = performance.now();
    const isWell = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) }).then(
      ({ status }) => status === 200,
      () => false,
    );
    quick = isWell && performance.now() - startedAtMs < 100 ? quick + 1 : 0;
  }
}

const toFigures = (heard: Heard, memoryMiB: number | null): object => ({
  'p50 ms': Math.round(heard.p50Ms),
  'p99 ms': Math.round(heard.p99Ms),
  refused: heard.refused,
  'healthz p99 ms': Math.round(heard.healthP99Ms),
  'disk p99 ms': Math.round(heard.diskP99Ms),
  'memory MiB': memoryMiB ?? 'unknown',
});

function toTargets(what: string, heard: Heard, { refused }: Told, memoryMiB: number | null): Target[] {
  const limit = heard.diskP99Ms > slowDiskMs ? p99LimitOfSlowDiskMs : p99LimitMs;
  return [
    { what: `${what}: refused`, value: heard.refused, limit: 0, direction: 'at most' },
    { what: `${what}: p99 in ms`, value: heard.p99Ms, limit, direction: 'at most' },
    {
      what: `${what}: server memory in MiB`,
      value: memoryMiB ?? 0,
      limit: memoryLimitMiB,
      direction: 'at most',
    },
    ...(refused === undefined
      ? []
      : [
          {
            what: `${what}: refused of its own, or failed`,
            value: refused,
            limit: 0,
            direction: 'at most' as const,
          },
        ]),
  ];
}

await main();
