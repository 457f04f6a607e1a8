import { expect, test } from 'vitest';
import { eraseInConnectorEvents } from '../../src/connectors/events/end-bodies.ts';
import { webhookProviders } from '../../src/connectors/providers/all-providers.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { inTransaction } from '../../src/platform/database/in-transaction.ts';
import { type Shop, useConnectors } from '../connectors.ts';
import { type Random, randomOf } from '../simulation/random.ts';
import { hostileDates, hostileTexts } from './hostile-values.ts';

/** Number of requests to each provider's connector. `npm run hostile` sends 20,000. */
const requests = Number(process.env.HOOKS_REQUESTS ?? 60);
const seed = Number(process.env.HOOKS_SEED ?? systemClock.now().getTime() % 2 ** 32);

let now = new Date('2026-05-02T12:00:00Z');
const { shop, send, work, events, db } = useConnectors({ now: () => now });

test.each(webhookProviders.map(({ id }, place) => [id, place] as const))(
  'what %s signs is answered and worked on, whatever it contains',
  async (provider, place) => {
    process.stdout.write(`hostile events: HOOKS_SEED=${seed} HOOKS_REQUESTS=${requests}\n`);
    const to = await shop(provider, {
      settings: { usesPlayerCode: true, clawsBack: true, renewalMonths: 1 },
    });
    for (let index = 0; index < requests; index += 1) {
      const random = randomOf(seed, place, index);
      const raw = hostileBody(random, to, index);
      const { status } = await send(to, null, { raw });
      const request = `HOOKS_SEED=${seed}, request ${index}: ${raw.toString('latin1').slice(0, 2_000)}`;
      // Handshakes have answers of their own.
      expect([200, 204, 404], request).toContain(status);
      now = new Date(now.getTime() + 1_000);
    }
    await work();
    const left = (await events(to, 'limit=100')).filter(
      ({ status, reason }) =>
        reason === 'Error' || (status === 'Waiting' && reason === 'Retry') || reason === 'New',
    );
    expect(left, `HOOKS_SEED=${seed}`).toEqual([]);
    // PostgreSQL must be able to parse the stored reading, because erasing a buyer changes it there.
    await inTransaction(db(), (tx) =>
      eraseInConnectorEvents(tx, { publisherId: 'aurora', playerId: 'p', before: null }),
    );
  },
  60_000 + requests * 500,
);

test('bodies that are no text, no JSON or nothing at all are stored as unreadable', async () => {
  const to = await shop('generic');
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const bodies = [
    Buffer.alloc(0),
    Buffer.from([0xff, 0xfe, 0]),
    Buffer.from('{'),
    Buffer.from(deep),
    Buffer.from('[]'),
  ];
  for (const raw of bodies) expect((await send(to, null, { raw })).status).toBe(200);
  await work();
  expect((await events(to)).map(({ reason }) => reason)).toEqual(bodies.map(() => 'Unreadable'));
});

const protoName = '_proto_';
const numbers: readonly unknown[] = [
  0,
  -1,
  1e308,
  -0,
  1.005,
  2 ** 53,
  9_999_999_999_999,
  true,
  false,
  null,
  [],
  {},
];

/** Returns a fixture of the provider with one to four values replaced, removed or nested. */
function hostileBody(random: Random, { provider }: Shop, index: number): Buffer {
  const fixtures = webhookProviders.find(({ id }) => id === provider)?.fixtures ?? [];
  const order = { orderId: String(700_000 + (index % 20)), code: 'ALICE', playerId: 'p', now };
  const body = structuredClone(random.pick(fixtures).body(order));
  for (let times = 1 + random.below(4); times > 0; times -= 1) mutate(random, body);
  return Buffer.from(JSON.stringify(body).replaceAll(protoName, '__proto__'));
}

function mutate(random: Random, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const holder = value as Record<string, unknown>;
  const names = Object.keys(holder);
  if (names.length === 0) return;
  const name = random.pick(names);
  if (typeof holder[name] === 'object' && holder[name] !== null && !random.oneIn(4)) {
    mutate(random, holder[name]);
    return;
  }
  switch (random.below(6)) {
    case 0:
      delete holder[name];
      return;
    case 1:
      holder[name] = random.pick(numbers);
      return;
    case 2:
      holder[name] = random.pick(hostileDates);
      return;
    case 3:
      holder[name] = Array.from({ length: 1 + random.below(3) }, () => holder[name]);
      return;
    case 4:
      // Becomes `__proto__` in the text, which assigning it would not.
      holder[protoName] = holder[name];
      return;
    default:
      holder[name] = random.pick(hostileTexts);
  }
}
