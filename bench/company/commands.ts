import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isOver } from './clients.ts';
import { neighborId, type Told, type World } from './world.ts';

const bin = fileURLToPath(new URL('../../packages/server/bin/attribution.js', import.meta.url));
/** A payout of a million rows takes as long as it takes, but not for ever. */
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

/** Runs a command at least once, and again until the time is over. */
async function again(world: World, words: readonly string[]): Promise<Told> {
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
  const said = words.includes('--json') && failed === 0 ? '' : `: ${lastLine(first.output)}`;
  return { said: `${times} times, the first took ${first.seconds.toFixed(1)} s${said}`, refused: failed };
}

const ofNeighbor = ['--publisher', neighborId, '--group', 'main'];

export const preview = (world: World): Promise<Told> =>
  again(world, ['payouts', 'preview', ...ofNeighbor, '--json']);

export const ledgerVerify = (world: World): Promise<Told> => again(world, ['ledger', 'verify']);

/** Pays all there is, once, while the publisher's purchases go on being settled. */
export async function payout(world: World): Promise<Told> {
  const { code, seconds, output } = await attribution(world, ['payouts', 'create', ...ofNeighbor]);
  return {
    said: `took ${seconds.toFixed(1)} s: ${lastLine(output)}`,
    refused: code === 0 ? 0 : 1,
  };
}

const provisioned = 10_000;

/** A program file of 10,000 members: new ones first, then the same again. */
export async function provision(world: World): Promise<Told> {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-bench-'));
  const file = join(folder, 'members.json');
  const members = Array.from({ length: provisioned }, (_, n) => ({
    id: `prov_${n}`,
    playerId: `prov-${n}`,
    codes: [{ code: `PROV${n}` }],
  }));
  writeFileSync(file, JSON.stringify({ publisher: { id: neighborId }, groups: [{ id: 'main', members }] }));
  try {
    return await again(world, ['provision', file, '--json']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
