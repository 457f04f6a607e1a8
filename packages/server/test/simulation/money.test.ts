import { afterAll, beforeAll, test } from 'vitest';
import { createKey } from '../../src/api-keys/create-key.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { testActor } from '../test-actor.ts';
import { useService } from '../test-service.ts';
import { type CrashingDatabase, openCrashingDatabase } from './crashing-database.ts';
import { jumpingClock } from './jumping-clock.ts';
import type { Context } from './life.ts';
import { Random } from './random.ts';
import { Deviation, run, type Script } from './run.ts';
import { shrink } from './shrink.ts';
import { emptyTables } from './wave.ts';

const histories = Number(process.env.SIMULATION_HISTORIES ?? 120);
const seed = Number(process.env.SIMULATION_SEED ?? systemClock.now().getTime() % 2 ** 32);
const rounds = numbers(process.env.SIMULATION_ROUNDS) ?? Array.from({ length: 10 }, (_, index) => index);
/** Histories of a single publisher to run, as named in a failure; null to run `histories`. */
const only = numbers(process.env.SIMULATION_ONLY);
/**
 * Publishers whose histories run concurrently, so that one publisher's balances are verified while the
 * others' balances change.
 */
const publishers = ['sim-a', 'sim-b', 'sim-c', 'sim-d'];
/** Number of histories per publisher that run side by side, one step at a time, before they are all checked. */
const waveSize = 50;

/** True to set the service's clock to a wrong time in every round (`npm run simulate:clock`). */
const doesJump = process.env.SIMULATION_CLOCK === 'jumps';
const clock = jumpingClock();

const service = useService({ clock });
let crashing: CrashingDatabase;
const keys = new Map<string, string>();

beforeAll(async () => {
  const { connection, database } = service().testDatabase;
  for (const publisherId of publishers) {
    await service().provision(`publisher: { id: ${publisherId} }`);
    const made = { publisherId, name: 'backend', kind: 'secret', group: null, expiresAt: null } as const;
    keys.set(publisherId, (await createKey(database.db, testActor, made, new Date())).key);
  }
  crashing = openCrashingDatabase(connection);
});
afterAll(() => crashing?.close());

test(
  `${only?.length ?? histories} random histories of money match the model and verify after every step`,
  async () => {
    process.stdout.write(`simulation: SIMULATION_SEED=${seed} SIMULATION_HISTORIES=${histories}\n`);
    for (const scripts of waves()) {
      await emptyTables(service().testDatabase.ownerConnection);
      const outcomes = await Promise.allSettled(
        scripts.map((script, index) => run(contextOf(index), script)),
      );
      for (const [index, outcome] of outcomes.entries())
        if (outcome.status === 'rejected') throw await shrinkError(scripts[index], index, outcome.reason);
    }
    if (doesJump) process.stdout.write(`simulation: ${clock.describe()}\n`);
  },
  120_000 + histories * 1_000,
);

/** Yields the scripts that the publishers run concurrently, wave by wave. */
function* waves(): Generator<readonly Script[]> {
  if (only !== null) return yield [{ seed, histories: only, rounds }];
  const random = new Random(seed);
  for (let done = 0; done < histories; ) {
    const scripts: Script[] = [];
    for (; done < histories && scripts.length < publishers.length; done += waveSize) {
      const size = Math.min(waveSize, histories - done);
      const waveHistories = Array.from({ length: size }, (_, at) => done + at);
      scripts.push({ seed: done === 0 ? seed : random.next(), rounds, histories: waveHistories });
    }
    yield scripts;
  }
}

const contextOf = (index: number): Context => {
  const publisherId = publishers[index] ?? '';
  return {
    service: service(),
    crashing,
    publisherId,
    key: keys.get(publisherId) ?? '',
    now: () => systemClock.now(),
    serviceNow: () => clock.now(),
    jump: (random) => {
      if (doesJump) clock.jump(random);
    },
  };
};

/** Shrinks a failed script and returns an error that names the smallest script found. */
async function shrinkError(script: Script | undefined, index: number, reason: unknown): Promise<unknown> {
  if (script === undefined || !(reason instanceof Deviation)) return reason;
  const found = await shrink(script, reason, async (smaller) => {
    await emptyTables(service().testDatabase.ownerConnection);
    await run(contextOf(index), smaller);
  });
  const { histories, rounds } = found.script;
  const settings = `SIMULATION_SEED=${script.seed} SIMULATION_ONLY=${histories.join()} SIMULATION_ROUNDS=${rounds.join()}`;
  return new Error(`${settings}\n${found.deviation.message}`, { cause: found.deviation.cause });
}

function numbers(list: string | undefined): number[] | null {
  return list === undefined ? null : list.split(',').map(Number);
}
