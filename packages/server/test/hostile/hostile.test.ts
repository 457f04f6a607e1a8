import { expect, test } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { killLeftovers } from '../attribution-process.ts';
import { type Installation, startInstallation } from './installation.ts';
import { type Sent, sendHostile } from './send-hostile.ts';
import { Told } from './told.ts';

/** None in the suite: to begin, they take as long as some test files (`npm run hostile`: a million). */
const requests = Number(process.env.HOSTILE_REQUESTS ?? 0);
const seed = Number(process.env.HOSTILE_SEED ?? systemClock.now().getTime() % 2 ** 32);
/** The first request, to begin near one that went wrong. */
const first = Number(process.env.HOSTILE_FROM ?? 0);
/** Of one installation: what they make must not grow for ever. */
const perInstallation = 50_000;
/** With the same keys and sessions, which some of them end. */
const perKeys = 1_000;

test.skipIf(requests === 0)(
  `${requests} hostile requests to every operation are answered as the documents say, and never with 5xx`,
  async () => {
    process.stdout.write(`hostile requests: HOSTILE_SEED=${seed} HOSTILE_REQUESTS=${requests}\n`);
    const told = new Told();
    for (let from = first; from < first + requests; from += perInstallation) {
      const to = Math.min(from + perInstallation, first + requests);
      await inOneInstallation(from, to, told);
      process.stdout.write(`${to - first} of ${requests} sent\n`);
    }
    process.stdout.write(`${told}\nnever done: ${told.neverDone().join(', ') || 'none'}\n`);
  },
  60_000 + requests * 20,
);

async function inOneInstallation(from: number, to: number, told: Told): Promise<void> {
  const installation = await startInstallation();
  try {
    for (let at = from; at < to; at += perKeys) {
      if (at > from) await installation.renew();
      const startedAt = performance.now();
      const sent = await sendHostile(installation, { seed, from: at, to: Math.min(at + perKeys, to) });
      told.add(sent, (performance.now() - startedAt) / 1_000);
      if (sent.offences.length > 0) throw new Error(words(sent, installation));
    }
    expect(await installation.stop()).toEqual({ code: 0, stderr: '' });
  } finally {
    killLeftovers();
    await installation.drop();
  }
}

const words = ({ offences }: Sent, { server }: Installation): string =>
  [
    ...offences.flatMap(({ index, spoiledBy, problem, request }) => [
      problem,
      `HOSTILE_SEED=${seed} HOSTILE_FROM=${index - (index % perKeys)} HOSTILE_REQUESTS=${(index % perKeys) + 1}`,
      `a good request but for: ${spoiledBy.join(', ') || 'nothing'}`,
      request,
    ]),
    server.stderr().slice(-3_000),
  ].join('\n');
