import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Shop, useConnectors } from '../../../test/connectors.ts';
import { type CrashingDatabase, openCrashingDatabase } from '../../../test/simulation/crashing-database.ts';
import { providerOf } from '../providers/all-providers.ts';
import { workEvents } from './work-events.ts';

let now = new Date('2026-05-02T12:00:00Z');
const connectors = useConnectors({ now: () => now });
const { shop, send, work, settle, expectSound, query, service, eventDeps, outcomes, db } = connectors;

let crashing: CrashingDatabase;
beforeAll(async () => {
  crashing = await openCrashingDatabase(service().testDatabase.connection);
});
afterAll(() => crashing.close());

let orders = 0;
const newOrder = (): string => {
  orders += 1;
  return `pi_crash_${orders}`;
};

const bodyOf = (name: string, orderId: string): unknown => {
  const fixture = providerOf('stripe').fixtures.find((each) => each.name === name);
  const body = fixture?.body({ orderId, code: 'ALICE', playerId: 'p', now }) as Record<string, unknown>;
  return { ...body, livemode: true };
};

/** Returns what a purchase's rows and refunds add up to. */
const standingOf = async (orderId: string) => {
  const [row] = await query(sql<Record<string, unknown>>`
    select count(*)::int as rows, min(a.status) as status, sum(a.subtotal_minor)::int as subtotal,
           coalesce(sum(p.refunded_minor), 0)::int as refunded,
           (select count(*)::int from purchase_refund r where r.transaction_id = ${orderId}) as refunds,
           (select count(*)::int from payment_hold h join attribution b on b.attribution_id = h.attribution_id
            where b.transaction_id = ${orderId}) as holds
    from attribution a
    left join payment p on p.publisher_id = 'aurora' and p.attribution_id = a.attribution_id
    where a.publisher_id = 'aurora' and a.transaction_id = ${orderId}`);
  return row;
};

/** Works on everything that is due, as a process does after the lease of a dead one has ended. */
async function workAfterCrash(): Promise<void> {
  now = new Date(now.getTime() + 61_000);
  await work();
}

test.each([
  ['order_paid', [], { rows: 1, refunds: 0, holds: 0 }],
  ['refund_part', ['order_paid'], { rows: 1, refunds: 1, refunded: 500 }],
  ['dispute_opened', ['order_paid'], { rows: 1, holds: 1 }],
  ['dispute_won', ['order_paid', 'dispute_opened'], { rows: 1, holds: 1, status: 'Normal' }],
  ['refund_failed', ['order_paid', 'refund_part'], { rows: 1, refunds: 1, refunded: 0 }],
] as const)('%s, killed at any statement, has its effect once', async (name, before, expected) => {
  for (let statement = 1; statement < 40; statement += 3) {
    const stripe = await shop('stripe');
    const orderId = newOrder();
    for (const each of before) {
      await send(stripe, bodyOf(each, orderId));
      await work();
    }
    await send(stripe, bodyOf(name, orderId));
    const broken = { ...eventDeps(), db: crashing.db({ beforeStatement: statement }) };
    await workEvents(broken, 'aurora').catch(() => undefined);
    // The database may take a moment to release the locks of the killed session.
    await expect
      .poll(
        async () => {
          await workAfterCrash();
          return (await outcomes(stripe, orderId)).at(-1);
        },
        { message: `${name} at ${statement}`, timeout: 10_000 },
      )
      .toMatch(/^Done/);
    expect(await standingOf(orderId), `${name} at ${statement}`).toMatchObject(expected);
  }
  await settle();
  await expectSound();
});

test('two processes that work at the same time record each purchase once', async () => {
  const stripe = await shop('stripe');
  const ids = Array.from({ length: 60 }, newOrder);
  for (const orderId of ids)
    for (const name of ['order_paid', 'refund_part']) await send(stripe, bodyOf(name, orderId));
  for (let round = 0; round < 8; round += 1)
    await Promise.all([workEvents(eventDeps(), 'aurora'), workEvents(eventDeps(), 'aurora')]);
  await work();
  const all = await outcomes(stripe, ids[0]);
  expect(all).toEqual(['Done Recorded', 'Done Refunded']);
  for (const orderId of ids)
    expect(await standingOf(orderId)).toMatchObject({ rows: 1, refunds: 1, refunded: 500 });
});

test('in any order, any number of times, and however they are worked on, events have the same effect', async () => {
  const names = ['order_paid', 'refund_part', 'refund_failed', 'dispute_opened', 'dispute_won'];
  const history = fc.array(fc.tuple(fc.constantFrom(...names), fc.boolean()), {
    minLength: 5,
    maxLength: 15,
  });
  await fc.assert(
    fc.asyncProperty(history, async (sent) => {
      const stripe = await shop('stripe');
      const orderId = newOrder();
      for (const [name, works] of [...sent, ...names.map((each) => [each, false] as const)]) {
        expect((await send(stripe, bodyOf(name, orderId))).status).toBe(200);
        if (works) await work();
      }
      await work();
      await work();
      await expectEnd(stripe, orderId);
    }),
    { numRuns: 15 },
  );
  await settle();
  await expectSound();
});

/** The refund of a part failed and the dispute was won, so that the purchase stands as it was paid. */
async function expectEnd(stripe: Shop, orderId: string): Promise<void> {
  expect(await outcomes(stripe, orderId)).toHaveLength(5);
  expect(await standingOf(orderId)).toMatchObject({ rows: 1, status: 'Normal', refunded: 0, refunds: 1 });
  const { rows } = await sql`
    select 1
    from payment_hold h
    join attribution a on a.attribution_id = h.attribution_id
    where a.transaction_id = ${orderId} and not exists (
      select 1 from payment_hold_release r where r.hold_id = h.hold_id)`.execute(db());
  expect(rows).toEqual([]);
}
