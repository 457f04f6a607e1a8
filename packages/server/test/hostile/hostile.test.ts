import { expect, test } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { killLeftovers } from '../attribution-process.ts';
import { type Installation, startInstallation } from './installation.ts';
import { type Sent, sendHostile } from './send-hostile.ts';
import { Statistics } from './statistics.ts';

/**
 * Number of requests. 0 in the suite, because startup alone takes as long as some test files. `npm run
 * hostile` sends a million.
 */
const requests = Number(process.env.HOSTILE_REQUESTS ?? 0);
const seed = Number(process.env.HOSTILE_SEED ?? systemClock.now().getTime() % 2 ** 32);
/** Sequence number of the first request to send. Set it to start just before a request that failed. */
const first = Number(process.env.HOSTILE_FROM ?? 0);
/** Requests per installation. This bounds the data that the requests create. */
const perInstallation = 50_000;
/**
 * Number of requests after which keys and sessions are replaced, because some requests revoke or end them.
 */
const perKeys = 1_000;

test.skipIf(requests === 0)(
  `${requests} hostile requests to all operations are answered as documented, and never with 5xx`,
  async () => {
    process.stdout.write(`hostile requests: HOSTILE_SEED=${seed} HOSTILE_REQUESTS=${requests}\n`);
    const statistics = new Statistics();
    for (let from = first; from < first + requests; from += perInstallation) {
      const to = Math.min(from + perInstallation, first + requests);
      await sendToInstallation(from, to, statistics);
      process.stdout.write(`${to - first} of ${requests} sent\n`);
    }
    process.stdout.write(
      `${statistics}\nnever successful: ${statistics.neverSuccessful().join(', ') || 'none'}\n`,
    );
  },
  60_000 + requests * 20,
);

async function sendToInstallation(from: number, to: number, statistics: Statistics): Promise<void> {
  const installation = await startInstallation();
  try {
    for (let at = from; at < to; at += perKeys) {
      if (at > from) await installation.renew();
      const startedAt = performance.now();
      const sent = await sendHostile(installation, { seed, from: at, to: Math.min(at + perKeys, to) });
      statistics.add(sent, (performance.now() - startedAt) / 1_000);
      if (sent.failures.length > 0) throw new Error(describe(sent, installation));
    }
    expect(await installation.stop()).toEqual({ code: 0, stderr: '' });
  } finally {
    killLeftovers();
    await installation.drop();
  }
}

const describe = ({ failures }: Sent, { server }: Installation): string =>
  [
    ...failures.flatMap(({ index, mutatedBy, problem, request }) => [
      problem,
      `HOSTILE_SEED=${seed} HOSTILE_FROM=${index - (index % perKeys)} HOSTILE_REQUESTS=${(index % perKeys) + 1}`,
      `a valid request with mutations: ${mutatedBy.join(', ') || 'none'}`,
      request,
    ]),
    server.stderr().slice(-3_000),
  ].join('\n');
