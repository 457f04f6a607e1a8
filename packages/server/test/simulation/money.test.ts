import { afterAll, beforeAll, test } from 'vitest';
import { createKey } from '../../src/api-keys/create-key.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { testActor } from '../test-actor.ts';
import { useService } from '../test-service.ts';
import { type CrashingDatabase, openCrashingDatabase } from './crashing-database.ts';
import { jumpingClock } from './jumping-clock.ts';
import type { Surroundings } from './life.ts';
import { Random } from './random.ts';
import { Deviation, run, type Script } from './run.ts';
import { shrink } from './shrink.ts';
import { emptyTables } from './wave.ts';

const histories = Number(process.env.SIMULATION_HISTORIES ?? 120);
const seed = Number(process.env.SIMULATION_SEED ?? systemClock.now().getTime() % 2 ** 32);
const rounds = numbers(process.env.SIMULATION_ROUNDS) ?? Array.from({ length: 10 }, (_, index) => index);
/** Of one publisher, instead of `histories` of all of them: what a failure names. */
const only = numbers(process.env.SIMULATION_ONLY);
/** Publishers whose histories go on at the same time: every balance is explained at every moment. */
const publishers = ['sim-a', 'sim-b', 'sim-c', 'sim-d'];
/** Histories of a publisher that go on side by side, a step each, before all of them are looked at. */
const waveSize = 50;

/** Whether the service's clock is wrong, each round otherwise (`npm run simulate:clock`). */
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
  `${only?.length ?? histories} random histories of money are as the model says, and explained, after every step`,
  async () => {
    process.stdout.write(`simulation: SIMULATION_SEED=${seed} SIMULATION_HISTORIES=${histories}\n`);
    for (const scripts of waves()) {
      await emptyTables(service().testDatabase.ownerConnection);
      const outcomes = await Promise.allSettled(
        scripts.map((script, index) => run(surroundings(index), script)),
      );
      for (const [index, outcome] of outcomes.entries())
        if (outcome.status === 'rejected') throw await explained(scripts[index], index, outcome.reason);
    }
    if (doesJump) process.stdout.write(`simulation: ${clock.said()}\n`);
  },
  120_000 + histories * 1_000,
);

/** What the publishers do at the same time, and then the next. */
function* waves(): Generator<readonly Script[]> {
  if (only !== null) return yield [{ seed, histories: only, rounds }];
  const random = new Random(seed);
  for (let done = 0; done < histories; ) {
    const scripts: Script[] = [];
    for (; done < histories && scripts.length < publishers.length; done += waveSize) {
      const size = Math.min(waveSize, histories - done);
      const itsHistories = Array.from({ length: size }, (_, at) => done + at);
      scripts.push({ seed: done === 0 ? seed : random.next(), rounds, histories: itsHistories });
    }
    yield scripts;
  }
}

const surroundings = (index: number): Surroundings => {
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

/** What went wrong, with as little around it as goes wrong by itself. */
async function explained(script: Script | undefined, index: number, reason: unknown): Promise<unknown> {
  if (script === undefined || !(reason instanceof Deviation)) return reason;
  const found = await shrink(script, reason, async (smaller) => {
    await emptyTables(service().testDatabase.ownerConnection);
    await run(surroundings(index), smaller);
  });
  const { histories, rounds } = found.script;
  const again = `SIMULATION_SEED=${script.seed} SIMULATION_ONLY=${histories.join()} SIMULATION_ROUNDS=${rounds.join()}`;
  return new Error(`${again}\n${found.deviation.message}`, { cause: found.deviation.cause });
}

function numbers(list: string | undefined): number[] | null {
  return list === undefined ? null : list.split(',').map(Number);
}
