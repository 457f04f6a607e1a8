import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type Shop, useConnectors } from '../../test/connectors.ts';

let now = new Date('2026-05-02T12:00:00Z');
const connectors = useConnectors({ now: () => now });
const { shop, send, deliver, work, wakeCodes, outcomes, events, get, settle, expectSound, service, keys } =
  connectors;
const { owner, provisionGroup, number } = connectors;

let orders = 0;
const newOrder = (): string => {
  orders += 1;
  return `pi_${orders}`;
};
const dayMs = 86_400_000;
const later = (ms: number): void => {
  now = new Date(now.getTime() + ms);
};

/** Returns the rows of a purchase. */
const rowsOf = async (transactionId: string) => {
  const { status, body } = await get(transactionId);
  expect(status, transactionId).toBe(200);
  return body.map((each: { transaction: Record<string, unknown> }) => each.transaction);
};

/** Sends a fixture and works on it. @returns the outcomes of the order's events */
async function sent(to: Shop, orderId: string, ...fixtures: string[]): Promise<string[]> {
  for (const fixture of fixtures) expect(await deliver(to, fixture, { orderId })).toBe(200);
  await work();
  return outcomes(to, orderId);
}

/** Returns an event of Stripe for a paid session. */
const session = (
  orderId: string,
  metadata: Record<string, string>,
  changes: Record<string, unknown> = {},
) => ({
  id: `evt_${orderId}`,
  type: 'checkout.session.completed',
  created: Math.floor(now.getTime() / 1_000),
  livemode: true,
  data: {
    object: {
      payment_intent: orderId,
      payment_status: 'paid',
      amount_total: 1_000,
      currency: 'usd',
      metadata,
      total_details: {},
      ...changes,
    },
  },
});

async function sell(to: Shop, metadata: Record<string, string>, changes: Record<string, unknown> = {}) {
  const orderId = newOrder();
  expect((await send(to, session(orderId, metadata, changes))).status).toBe(200);
  await work();
  return { orderId, outcomes: await outcomes(to, orderId) };
}

const balanceOf = (orderId: string): Promise<bigint> =>
  number(sql`
    select coalesce(sum(a.share_minor - coalesce(p.reversed_minor, 0)), 0)::bigint as n
    from attribution a
    left join payment p on p.publisher_id = 'aurora' and p.attribution_id = a.attribution_id
    where a.publisher_id = 'aurora' and a.transaction_id = ${orderId}`);

describe('a paid order', () => {
  test('is recorded without tax, and credited to the code', async () => {
    const stripe = await shop('stripe');
    const orderId = newOrder();
    expect(await sent(stripe, orderId, 'order_paid')).toEqual(['Done Recorded']);
    expect(await rowsOf(orderId)).toMatchObject([
      {
        code: 'ALICE',
        subtotal: 999,
        total: 1_200,
        currency: 'USD',
        status: 'Normal',
        playerId: 'buyer-1',
        skuId: 'battle-pass',
        description: 'Battle pass',
        transactionDate: now.toISOString(),
      },
    ]);
  });

  test('has a row for each item and creator, which add up to the subtotal', async () => {
    const own = await shop('generic');
    const orderId = newOrder();
    expect(await deliver(own, 'order_paid', { orderId, code: 'ALICE:70,BOB:30' })).toBe(200);
    await work();
    expect(await outcomes(own)).toEqual(['Done Recorded']);
    expect(
      (await rowsOf(orderId)).map(({ code, skuId, subtotal, total }: Record<string, unknown>) => [
        code,
        skuId,
        subtotal,
        total,
      ]),
    ).toEqual([
      ['ALICE', 'battle-pass', 466, 560],
      ['BOB', 'battle-pass', 200, 240],
      ['ALICE', 'gems-100', 233, 280],
      ['BOB', 'gems-100', 100, 120],
    ]);
  });

  test('that arrives again is only counted', async () => {
    const stripe = await shop('stripe');
    const orderId = newOrder();
    await sent(stripe, orderId, 'order_paid', 'order_paid');
    expect(await sent(stripe, orderId, 'order_paid')).toEqual(['Done Recorded']);
    expect(await events(stripe)).toMatchObject([{ repeats: 2, transactionId: orderId }]);
    expect(await rowsOf(orderId)).toHaveLength(1);
  });

  test('that the back end recorded too is done, and a different one is a conflict', async () => {
    const stripe = await shop('stripe', { settings: { transactionField: 'order' } });
    const mine = {
      transactionId: 'own-1',
      code: 'ALICE',
      description: 'Mine',
      subtotal: 1_000,
      currency: 'USD',
    };
    for (const transactionId of ['own-1', 'own-2'])
      await connectors.record({ ...mine, transactionId, transactionDate: now.toISOString() });
    expect((await sell(stripe, { creator_code: 'alice', order: 'own-1' })).outcomes).toEqual([
      'Done AlreadyRecorded',
    ]);
    expect((await sell(stripe, { creator_code: 'BOB', order: 'own-2' })).outcomes).toEqual([
      'Failed Conflict',
    ]);
    expect(await rowsOf('own-2')).toMatchObject([{ code: 'ALICE' }]);
  });

  test('without a code, with an unknown one, free or unpaid is ignored', async () => {
    const stripe = await shop('stripe');
    const cases: [Record<string, string>, Record<string, unknown>, string][] = [
      [{}, {}, 'NoCode'],
      [{ creator_code: 'NOBODY' }, {}, 'CodeNotInGroup'],
      [{ creator_code: 'PENDING' }, {}, 'CodeNotInGroup'],
      [{ creator_code: 'ALICE' }, { amount_total: 0 }, 'Free'],
      [{ creator_code: 'ALICE' }, { payment_status: 'unpaid' }, 'Pending'],
      [{ creator_code: 'ALICE' }, { payment_intent: null }, 'Subscription'],
    ];
    for (const [metadata, changes, reason] of cases) {
      const orderId = newOrder();
      await send(stripe, session(orderId, metadata, changes));
      await work();
      expect((await outcomes(stripe)).at(-1), reason).toBe(`Ignored ${reason}`);
      expect((await get(orderId)).status).toBe(404);
    }
  });

  test.each([
    ['a disabled currency', { currency: 'btc' }, 'Failed Invalid'],
    ['a currency that is not supported', { currency: 'xyz' }, 'Failed Unreadable'],
    ['a fraction of the unit', { currency: 'isk', amount_total: 150 }, 'Failed Unreadable'],
    ['an amount that is text', { amount_total: 'ten' }, 'Failed Unreadable'],
  ])('with %s fails', async (_what, changes, outcome) => {
    const stripe = await shop('stripe');
    expect(
      (await sell(stripe, { creator_code: 'ALICE' }, changes)).outcomes.concat(await outcomes(stripe)),
    ).toContain(outcome);
  });

  test('whose code is approved later is recorded then, for 30 days', async () => {
    const stripe = await shop('stripe');
    const { orderId } = await sell(stripe, { creator_code: 'SOON' });
    expect(await wakeCodes()).toBe(0);
    await provisionGroup('main', 'members: [ { id: acc_soon, codes: [ { code: SOON } ] } ]');
    expect(await wakeCodes()).toBe(1);
    await work();
    expect(await outcomes(stripe, orderId)).toEqual(['Done Recorded']);
    const other = await sell(stripe, { creator_code: 'MUCH-LATER' });
    later(31 * dayMs);
    await provisionGroup('main', 'members: [ { id: acc_later, codes: [ { code: MUCH-LATER } ] } ]');
    expect(await wakeCodes()).toBe(0);
    expect(other.outcomes).toEqual(['Ignored CodeNotInGroup']);
  });

  test('falls back to the code that the player had entered, if the connector says so', async () => {
    const path = `/v1/attributions/players/fan-9/code`;
    await service().call('PUT', path, { key: keys().backend, json: { code: 'BOB', at: now.toISOString() } });
    later(1_000);
    const stripe = await shop('stripe', { settings: { usesPlayerCode: true } });
    const { orderId } = await sell(stripe, { player_id: 'fan-9' });
    expect(await rowsOf(orderId)).toMatchObject([{ code: 'BOB', playerId: 'fan-9' }]);
    expect((await sell(stripe, { player_id: 'fan-0' })).outcomes).toEqual(['Ignored NoCode']);
    expect((await sell(await shop('stripe'), { player_id: 'fan-9' })).outcomes).toEqual(['Ignored NoCode']);
  });

  test('of a test is recorded as a test, whose refund takes nothing back', async () => {
    const stripe = await shop('stripe');
    const orderId = newOrder();
    await send(stripe, { ...session(orderId, { creator_code: 'ALICE' }), livemode: false });
    await work();
    expect(await rowsOf(orderId)).toMatchObject([{ status: 'Test' }]);
    await deliver(stripe, 'refund_full', { orderId });
    await work();
    expect((await outcomes(stripe)).at(-1)).toBe('Ignored Test');
  });
});

describe('a refund', () => {
  test('of a part takes back the part without tax, once, and the last one takes the rest', async () => {
    const stripe = await shop('stripe');
    const orderId = newOrder();
    expect(await sent(stripe, orderId, 'order_paid', 'refund_part', 'refund_part')).toEqual([
      'Done Recorded',
      'Done Refunded',
    ]);
    const [row] = await rowsOf(orderId);
    expect(row).toMatchObject({ status: 'Normal' });
    expect((await get(orderId, { query: '?include=meta' })).body[0].transaction.refundedAmount).toBe(500);
    const again = { id: 'evt_again', type: 'refund.updated', created: 1_777_723_200, livemode: true };
    const object = {
      id: `re_${orderId}_600`,
      amount: 600,
      currency: 'usd',
      payment_intent: orderId,
      status: 'succeeded',
    };
    await send(stripe, { ...again, data: { object } });
    await work();
    expect((await outcomes(stripe, orderId)).at(-1)).toBe('Done AlreadyRefunded');
    await send(stripe, { ...again, id: 'evt_rest', data: { object: { ...object, id: 're_rest' } } });
    await work();
    expect(await rowsOf(orderId)).toMatchObject([{ status: 'Refund' }]);
    await settle();
    expect(await balanceOf(orderId)).toBe(0n);
    await expectSound();
  });

  test('before its purchase waits for it, for seven days', async () => {
    const stripe = await shop('stripe');
    const orderId = newOrder();
    expect(await sent(stripe, orderId, 'refund_full')).toEqual(['Waiting NoPurchase']);
    expect(await sent(stripe, orderId, 'order_paid')).toEqual(['Done Refunded', 'Done Recorded']);
    const never = newOrder();
    expect(await sent(stripe, never, 'refund_full')).toEqual(['Waiting NoPurchase']);
    later(7 * dayMs + 1);
    await work();
    expect(await outcomes(stripe, never)).toEqual(['Ignored TooLate']);
  });

  test('of a purchase that was not credited is ignored, and made if that is replayed', async () => {
    const stripe = await shop('stripe');
    const { orderId } = await sell(stripe, { code: 'ALICE' });
    await deliver(stripe, 'refund_full', { orderId });
    await work();
    expect(await outcomes(stripe, orderId)).toEqual(['Ignored NoCode', 'Ignored NoCode']);
    expect(
      (await owner()('PATCH', `/connectors/${stripe.id}`, { settings: { codeField: 'code' } })).status,
    ).toBe(200);
    const [sale] = await events(stripe, `orderId=${orderId}`);
    const replay = await owner()('POST', `/connectors/${stripe.id}/events/${sale.eventId}/replay`);
    expect(replay.body).toEqual({ replayed: 1, isMoreLeft: false });
    await work();
    expect(await outcomes(stripe, orderId)).toEqual(['Done Recorded', 'Done Refunded']);
  });

  test('that failed is reinstated, even if it is reported first', async () => {
    const stripe = await shop('stripe');
    const orderId = newOrder();
    expect(await sent(stripe, orderId, 'order_paid', 'refund_failed')).toEqual([
      'Done Recorded',
      'Waiting NoRefund',
    ]);
    expect(await sent(stripe, orderId, 'refund_part')).toEqual([
      'Done Recorded',
      'Done Reinstated',
      'Done Refunded',
    ]);
    expect((await get(orderId, { query: '?include=meta' })).body[0].transaction).toMatchObject({
      status: 'Normal',
      refundedAmount: 0,
    });
    await settle();
    await expectSound();
  });

  test('after the payout waits for a person, or is clawed back by the connector', async () => {
    await connectors.makeGroup('paid');
    for (const [settings, outcome] of [
      [{}, 'Waiting PaidOut'],
      [{ clawsBack: true }, 'Done ClawedBack'],
    ] as const) {
      const stripe = await shop('stripe', { settings, groupId: 'paid' });
      const orderId = newOrder();
      await send(stripe, { ...session(orderId, { creator_code: 'M-A' }), created: 1_700_000_000 });
      await work();
      await settle();
      const [payout] = await connectors.create('paid');
      await connectors.markPaid(payout?.batchId ?? '');
      await deliver(stripe, 'refund_full', { orderId });
      await work();
      expect((await outcomes(stripe, orderId)).at(-1)).toBe(outcome);
    }
    await settle();
    await expectSound();
  });
});

describe('a dispute', () => {
  test('holds the purchase, and is charged back when it is lost', async () => {
    const stripe = await shop('stripe');
    const orderId = newOrder();
    expect(await sent(stripe, orderId, 'order_paid', 'dispute_opened')).toEqual([
      'Done Recorded',
      'Done Held',
    ]);
    expect((await owner()('GET', '/holds')).body.rows).toMatchObject([
      { row: { transactionId: orderId }, reason: expect.stringContaining(`dispute dp_${orderId}`) },
    ]);
    expect(await sent(stripe, orderId, 'dispute_opened')).toEqual(['Done Recorded', 'Done Held']);
    await send(stripe, lost(orderId));
    await work();
    expect((await outcomes(stripe, orderId)).at(-1)).toBe('Done ChargedBack');
    expect(await rowsOf(orderId)).toMatchObject([{ status: 'Chargeback' }]);
    expect((await owner()('GET', '/holds')).body.rows).toEqual([]);
    await settle();
    await expectSound();
  });

  test('that is won releases the purchase, also when the end arrives first', async () => {
    const stripe = await shop('stripe');
    const orderId = newOrder();
    expect(await sent(stripe, orderId, 'order_paid', 'dispute_opened', 'dispute_won')).toEqual([
      'Done Recorded',
      'Done Held',
      'Done Released',
    ]);
    const other = newOrder();
    await sent(stripe, other, 'order_paid', 'dispute_won');
    expect(await sent(stripe, other, 'dispute_opened')).toEqual([
      'Done Recorded',
      'Done Released',
      'Ignored AlreadyClosed',
    ]);
    expect((await owner()('GET', '/holds')).body.rows).toEqual([]);
  });

  test('that is won after it was lost reinstates the purchase', async () => {
    const stripe = await shop('stripe');
    const orderId = newOrder();
    await sent(stripe, orderId, 'order_paid', 'dispute_opened');
    await send(stripe, lost(orderId));
    await work();
    await sent(stripe, orderId, 'dispute_won');
    expect((await outcomes(stripe, orderId)).at(-1)).toBe('Done Reinstated');
    expect(await rowsOf(orderId)).toMatchObject([{ status: 'Normal' }]);
    await settle();
    await expectSound();
  });

  const lost = (orderId: string) => ({
    ...{ id: `evt_lost_${orderId}`, type: 'charge.dispute.closed', created: 1_777_723_200, livemode: true },
    data: {
      object: {
        id: `dp_${orderId}`,
        amount: 1_200,
        currency: 'usd',
        payment_intent: orderId,
        status: 'lost',
      },
    },
  });
});

test('a paused connector stores events, and works on them when it continues', async () => {
  const stripe = await shop('stripe');
  await owner()('PATCH', `/connectors/${stripe.id}`, { isPaused: true });
  const orderId = newOrder();
  expect(await sent(stripe, orderId, 'order_paid')).toEqual(['Waiting New']);
  await owner()('PATCH', `/connectors/${stripe.id}`, { isPaused: false });
  await work();
  expect(await outcomes(stripe, orderId)).toEqual(['Done Recorded']);
});
