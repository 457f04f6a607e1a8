import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isOver } from './clients.ts';
import { neighborId, type Outcome, type World } from './world.ts';

const bin = fileURLToPath(new URL('../../packages/server/bin/attribution.js', import.meta.url));
const maxSeconds = 1_200;

interface Ended {
  code: number | null;
  seconds: number;
  output: string;
}

async function attribution(world: World, words: readonly string[]): Promise<Ended> {
  const startedAtMs = performance.now();
  const child: ChildProcess = spawn(bin, words, {
    env: { PATH: process.env.PATH, ...world.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: maxSeconds * 1_000,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output = (output + chunk).slice(-2_000);
    });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, seconds: (performance.now() - startedAtMs) / 1_000, output: output.trim() };
}

const lastLine = (output: string): string => (output.split('\n').at(-1) ?? '').slice(0, 160);

/** Runs a command at least once, then repeatedly until time is up. */
async function runRepeatedly(world: World, words: readonly string[]): Promise<Outcome> {
  const over = isOver(world);
  let first: Ended | null = null;
  let times = 0;
  let failed = 0;
  do {
    const ended = await attribution(world, words);
    first ??= ended;
    times += 1;
    if (ended.code !== 0) failed += 1;
  } while (!over());
  const summary = words.includes('--json') && failed === 0 ? '' : `: ${lastLine(first.output)}`;
  return {
    summary: `${times} times, the first took ${first.seconds.toFixed(1)} s${summary}`,
    refused: failed,
  };
}

const neighborOptions = ['--publisher', neighborId, '--group', 'main'];

export const preview = (world: World): Promise<Outcome> =>
  runRepeatedly(world, ['payouts', 'preview', ...neighborOptions, '--json']);

export const ledgerVerify = (world: World): Promise<Outcome> => runRepeatedly(world, ['ledger', 'verify']);

/** Creates a payout of all due amounts while the publisher's purchases are still being posted. */
export async function payout(world: World): Promise<Outcome> {
  const { code, seconds, output } = await attribution(world, ['payouts', 'create', ...neighborOptions]);
  return {
    summary: `took ${seconds.toFixed(1)} s: ${lastLine(output)}`,
    refused: code === 0 ? 0 : 1,
  };
}

const provisioned = 10_000;

/**
 * Applies a program file with 10,000 members. The members are new the first time and unchanged after that.
 */
export async function provision(world: World): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-bench-'));
  const file = join(folder, 'members.json');
  const members = Array.from({ length: provisioned }, (_, n) => ({
    id: `prov_${n}`,
    playerId: `prov-${n}`,
    codes: [{ code: `PROV${n}` }],
  }));
  writeFileSync(file, JSON.stringify({ publisher: { id: neighborId }, groups: [{ id: 'main', members }] }));
  try {
    return await runRepeatedly(world, ['provision', file, '--json']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
