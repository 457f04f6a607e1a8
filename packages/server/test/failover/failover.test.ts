import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { killLeftovers } from '../attribution-process.ts';
import { getTransaction } from '../crash/load.ts';
import { differences } from '../crash/verify.ts';
import { findSystemPostgres } from '../system-postgres.ts';
import { socketOf } from './replicated-pair.ts';
import { sendAgain } from './send-again.ts';
import { compare, giveUpCommits, startUnderLoad } from './under-load.ts';

/**
 * Seconds of load before the primary dies. The load continues for half as long after the promotion. 0 in the
 * suite; set by `npm run failover`.
 */
const seconds = Number(process.env.FAILOVER_SECONDS ?? 0);
const seed = Number(process.env.FAILOVER_SEED ?? Math.floor(Math.random() * 1e9));
/**
 * Period before the primary dies in which the replica receives nothing. It is longer than a request waits for the
 * database.
 */
const behindMs = 7_000;
/** Duration of a synchronous replica's hang before it resumes. */
const hangMs = 20_000;
const maxOfAProcess = 52;
const leastSavedPerSecond = 5;
const bin = findSystemPostgres();
if (seconds > 0 && bin === null)
  process.stderr.write(
    'A complete PostgreSQL (15 to 18, with initdb and pg_basebackup) is not installed, so failover is not tested.\n',
  );

afterEach(killLeftovers);

const length = { seed, ms: seconds * 1_000 };
const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

interface Death {
  /** True if a commit is acknowledged only once the replica has it. */
  isSynchronous: boolean;
  /** True if the replica received nothing for a while before the primary died. */
  isBehind: boolean;
  /**
   * True if connections to the primary hang instead of ending, as if the primary's machine had lost power.
   */
  isSilent: boolean;
}

interface Outcome {
  acknowledged: number;
  lost: number;
  /** Number of lost purchases that clients could record again. */
  sentAgain: number;
  /** Number of purchases that were recorded again but are still missing afterward. */
  stillLost: number;
  /** Other contradictions between the database and the clients' records. */
  contradicting: string[];
  recordsAgainMs: number;
  promotedMs: number;
}

/** Records purchases while the primary dies and its replica is promoted. */
async function failOver(bin: string, { isSynchronous, isBehind, isSilent }: Death): Promise<Outcome> {
  const { pair, relay, target, journal, ...load } = await startUnderLoad(bin, { isSynchronous, ...length });
  const { primary, replica } = pair;
  if (isBehind) {
    await pair.cutOff();
    await sleep(behindMs);
  }
  if (isSilent) relay.fallSilent();
  await primary.kill();
  const diedAt = performance.now();
  await replica.admin('postgres', 'select pg_promote()');
  relay.leadTo(socketOf(replica));
  const promotedMs = performance.now() - diedAt;
  await load.recordsAgain();
  const recordsAgainMs = performance.now() - diedAt;
  await sleep(seconds * 500);
  await load.endLoad();

  const { lost, contradicting } = await compare(replica, journal);
  const kept = journal.attempts.filter((attempt) => !lost.includes(attempt));
  contradicting.push(...journal.violations, ...(await differences({ ...journal, attempts: kept }, target)));
  for (const { tag, outcome } of journal.attempts)
    if (outcome === 'open') contradicting.push(`${tag}: nobody could learn what became of it`);
  const taken = await sendAgain(lost, target);
  const after = await compare(replica, journal);
  contradicting.push(...after.contradicting);
  await load.endSoundly(replica);
  return {
    acknowledged: journal.attempts.filter(({ outcome }) => outcome === 'saved').length,
    lost: lost.length,
    sentAgain: taken.length,
    stillLost: after.lost.filter((attempt) => taken.includes(attempt)).length,
    contradicting,
    recordsAgainMs,
    promotedMs,
  };
}

async function failOverSoundly(what: string, death: Death): Promise<Outcome> {
  const outcome = await failOver(bin ?? '', death);
  const { acknowledged, lost, sentAgain, recordsAgainMs, promotedMs } = outcome;
  process.stdout.write(
    `${what}: ${lost} of ${acknowledged} acknowledged requests lost${lost > 0 ? `, ${sentAgain} of them recorded again` : ''}; ` +
      `recording ${inSeconds(recordsAgainMs)} after the primary died (promoted after ${inSeconds(promotedMs)})\n`,
  );
  expect(outcome.contradicting.slice(0, 20)).toEqual([]);
  return outcome;
}

describe.skipIf(seconds === 0 || bin === null)(
  'a primary dies under load, and its replica is promoted',
  () => {
    const timeout = 180_000 + seconds * 3_000;

    test.each([
      ['a synchronous replica', { isBehind: false, isSilent: false }],
      [
        'a synchronous replica that was sent nothing for 7 s, and connections that hang',
        { isBehind: true, isSilent: true },
      ],
    ])(
      '%s: no acknowledged purchase is lost, and the service continues by itself',
      { timeout },
      async (what, death) => {
        const { lost, acknowledged } = await failOverSoundly(what, { isSynchronous: true, ...death });
        expect(lost).toBe(0);
        expect(acknowledged).toBeGreaterThan(seconds * leastSavedPerSecond);
      },
    );

    test('a synchronous replica hangs and resumes: reads work, connections are limited, recording continues', {
      timeout,
    }, async () => {
      const { pair, target, journal, ...load } = await startUnderLoad(bin ?? '', {
        isSynchronous: true,
        ...length,
      });
      const { primary } = pair;
      const known = journal.attempts.find(({ outcome }) => outcome === 'saved')?.rows[0]?.transactionId ?? '';
      await pair.cutOff();
      const endsAt = performance.now() + hangMs;
      let maxConnections = 0;
      while (performance.now() < endsAt) {
        await sleep(1_000);
        const [seen] = await primary.admin<{ n: number }>(
          'postgres',
          `select count(*)::int as n from pg_stat_activity where usename = 'attribution'`,
        );
        maxConnections = Math.max(maxConnections, seen?.n ?? 0);
        expect(await getTransaction(target, known, target.urls()[0] ?? '')).not.toBeNull();
      }
      expect(await giveUpCommits(primary, 3), 'as many that wait as a pool may have').toBe(3);
      pair.joinAgain();
      const ms = await load.recordsAgain();
      await sleep(seconds * 500);
      await load.endLoad();
      const { lost, contradicting } = await compare(primary, journal);
      expect([...lost, ...contradicting, ...journal.violations]).toEqual([]);
      await load.endSoundly(primary);
      process.stdout.write(
        `a synchronous replica that hung for ${inSeconds(hangMs)}: ${maxConnections} connections at most, recording ${inSeconds(ms)} after it resumed\n`,
      );
      expect(maxConnections).toBeLessThanOrEqual(maxOfAProcess);
    });

    test.each([
      ['an asynchronous replica', { isBehind: false, isSilent: true }],
      ['an asynchronous replica that was sent nothing for 7 s', { isBehind: true, isSilent: false }],
    ])(
      '%s: the remaining data is consistent, and lost purchases can be recorded again',
      { timeout },
      async (what, death) => {
        const { lost, sentAgain, stillLost } = await failOverSoundly(what, {
          isSynchronous: false,
          ...death,
        });
        expect(stillLost).toBe(0);
        if (!death.isBehind) return;
        expect(lost).toBeGreaterThan(0);
        expect(sentAgain).toBeGreaterThan(0);
      },
    );
  },
);
