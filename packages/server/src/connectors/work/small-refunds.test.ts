import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useConnectors } from '../../../test/connectors.ts';

const now = new Date('2026-05-02T12:00:00Z');
const { shop, send, work, query, outcomes } = useConnectors({ now: () => now });

test('refunds of parts take back their sum, also if one of them is too small to take anything back', async () => {
  const own = await shop('generic');
  const order = { id: 'small', creatorCode: 'ALICE', subtotal: 9, total: 10, currency: 'JPY' };
  await send(own, { id: 'paid', type: 'order.paid', time: now.toISOString(), order });
  await work();
  // In proportion to 9 of 10: 4 of it is 3.6, 5 is 4.5, and 8 is 7.2.
  for (const [id, amount] of [
    ['first', 4],
    ['tiny', 1],
    ['last', 3],
  ] as const) {
    const refund = { id, amount };
    await send(own, { id, type: 'order.refunded', time: now.toISOString(), order, refund });
    await work();
  }
  expect(await outcomes(own)).toEqual([
    'Done Recorded',
    'Done Refunded',
    'Ignored NothingLeft',
    'Done Refunded',
  ]);
  const [sums] = await query(sql<{ refunded: number }>`
    select sum(p.refunded_minor)::int as refunded
    from attribution a
    join payment p on p.publisher_id = 'aurora' and p.attribution_id = a.attribution_id
    where a.publisher_id = 'aurora' and a.transaction_id = 'small'`);
  expect(sums).toEqual({ refunded: 7 });
});
