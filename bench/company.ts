import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { makePublishers, makeRows } from './company/prepare.ts';
import { type DiskProbe, type QuietFigures, runQuietClient } from './company/quiet-client.ts';
import type { Outcome, World } from './company/world.ts';
import { type BenchService, startBenchService } from './lib/bench-service.ts';
import { report, type Target } from './lib/report.ts';

/**
 * Measures how fast the service responds to a quiet publisher while each neighbor in turn puts its worst load
 * on the service for BENCH_SECONDS. The quiet publisher sends 20 requests per second, alternating between
 * creates and lists. BENCH_ROWS sets the number of rows in the payout. BENCH_ONLY selects neighbors by name.
 * Every part of the service is running. The neighbors and the quiet publisher connect from different
 * addresses (Linux only).
 */
const seconds = Number(process.env.BENCH_SECONDS ?? 20);
const rows = Number(process.env.BENCH_ROWS ?? 1_000_000);
const only = process.env.BENCH_ONLY?.split(',');

const warmUpMs = 2_000;
const memoryLimitMiB = 350;
const p99LimitMs = 250;
/** Disk wait, in milliseconds, above which the disk counts as the bottleneck (see `diskP99Ms`). */
const slowDiskMs = 50;
const p99LimitOfSlowDiskMs = 1_000;

/** Neighbors in the order in which they run. `rows` is true if the neighbor needs stored rows. */
const phases: readonly { name: string; what: string; rows?: true }[] = [
  { name: 'alone', what: 'no neighbor' },
  { name: 'unauthenticatedClients', what: 'unauthenticated sockets and bodies' },
  { name: 'slowReadersOfTheScript', what: 'slow readers of a script' },
  { name: 'slowReadersOfPages', what: 'slow readers of pages' },
  { name: 'chunkedClients', what: 'chunked clients' },
  { name: 'leavingClients', what: 'clients that disconnect' },
  { name: 'largeArrays', what: 'arrays of 1,000 from 30' },
  { name: 'existingPlayers', what: '16 generate an existing member' },
  { name: 'newPlayers', what: '16 generate new members' },
  { name: 'patches', what: '500 PATCHes at once' },
  { name: 'heldLock', what: "a lock on the publisher's row" },
  { name: 'provision', what: 'a provision of 10,000 members' },
  { name: 'webhookBacklog', what: 'the delivery of a webhook backlog' },
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
    await runQuietClient({ url, key: quietKey }, disk, sleep(warmUpMs));
    for (const { name, what, rows: needsRows } of phases) {
      if (only !== undefined && !only.includes(name)) continue;
      if (needsRows && !hasRows) {
        console.log(`creating ${rows} rows …`);
        await makeRows(service.client, rows);
        hasRows = true;
      }
      await calm(service);
      service.resetPeakMemory();
      const neighbor = name === 'alone' ? alone() : startNeighbor(name, world);
      const quiet = await runQuietClient({ url, key: quietKey }, disk, neighbor);
      const outcome = await neighbor;
      const memoryMiB = service.peakMemoryMiB();
      figures[what] = toFigures(quiet, memoryMiB);
      targets.push(...toTargets(what, quiet, outcome, memoryMiB));
      console.log(
        `${what}: ${outcome.summary}. The quiet publisher received ${quiet.answers}, p99 ${Math.round(quiet.p99Ms)} ms. The server used up to ${memoryMiB ?? '?'} MiB.`,
      );
    }
    report('company', figures, targets);
  } finally {
    for (const each of Object.values(disk)) await each.end();
    await service.stop();
  }
}

async function alone(): Promise<Outcome> {
  await sleep(seconds * 1_000);
  return { summary: 'nothing' };
}

/** Time limit for a neighbor, in seconds. Neighbors normally end by themselves. */
const maxSeconds = 1_500;

async function startNeighbor(name: string, world: World): Promise<Outcome> {
  const child: ChildProcess = fork(new URL('./company/neighbor-process.ts', import.meta.url));
  const tooLong = setTimeout(() => child.kill(), maxSeconds * 1_000);
  child.send({ name, world });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`neighbor ${name} ended before it finished`);
  });
  try {
    const [outcome] = await Promise.race([once(child, 'message'), ended]);
    return outcome as Outcome;
  } finally {
    ended.catch(() => undefined);
    clearTimeout(tooLong);
  }
}

const calmAnswers = 10;

/**
 * Waits up to a minute for the last neighbor's work to finish. Ten quick responses in a row mean that the
 * work has finished.
 */
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

const toFigures = (quiet: QuietFigures, memoryMiB: number | null): object => ({
  'p50 ms': Math.round(quiet.p50Ms),
  'p99 ms': Math.round(quiet.p99Ms),
  refused: quiet.refused,
  'healthz p99 ms': Math.round(quiet.healthP99Ms),
  'disk p99 ms': Math.round(quiet.diskP99Ms),
  'memory MiB': memoryMiB ?? 'unknown',
});

function toTargets(
  what: string,
  quiet: QuietFigures,
  { refused }: Outcome,
  memoryMiB: number | null,
): Target[] {
  const limit = quiet.diskP99Ms > slowDiskMs ? p99LimitOfSlowDiskMs : p99LimitMs;
  return [
    { what: `${what}: refused`, value: quiet.refused, limit: 0, direction: 'at most' },
    { what: `${what}: p99 in ms`, value: quiet.p99Ms, limit, direction: 'at most' },
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
            what: `${what}: the neighbor's own requests refused or failed`,
            value: refused,
            limit: 0,
            direction: 'at most' as const,
          },
        ]),
  ];
}

await main();
