import { expect, test } from 'vitest';
import { asRole } from '../../test/admin.ts';
import { type Shop, useConnectors } from '../../test/connectors.ts';

let now = new Date('2026-05-02T12:00:00Z');
const { shop, deliver, work, wakeCodes, outcomes, owner, provisionGroup, service } = useConnectors({
  now: () => now,
});
const dayMs = 86_400_000;

const missing = async ({ id }: Shop) => {
  const { status, body } = await owner()('GET', `/connectors/${id}/missing-codes`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.rows;
};

test('orders with unknown codes are counted by code, until they are recorded or 30 days old', async () => {
  const [stripe, other] = [await shop('stripe'), await shop('stripe')];
  expect(await missing(stripe)).toEqual([]);
  for (const [orderId, code] of [
    ['pi_1', 'Soon'],
    ['pi_2', 'SOON'],
    ['pi_3', 'never'],
    ['pi_4', 'ALICE'],
  ] as const)
    await deliver(stripe, 'order_paid', { orderId, code });
  await deliver(other, 'order_paid', { orderId: 'pi_5', code: 'soon' });
  await work();
  const ofSoon = {
    ...{ code: 'soon', orders: 2, isApproved: false },
    oldestAt: now.toISOString(),
    recordableUntil: new Date(now.getTime() + 30 * dayMs).toISOString(),
  };
  expect(await missing(stripe)).toEqual([ofSoon, { ...ofSoon, code: 'never', orders: 1 }]);

  await provisionGroup('main', 'members: [ { id: acc_soon, codes: [ { code: SOON } ] } ]');
  expect(await missing(stripe)).toMatchObject([{ code: 'soon', isApproved: true }, { code: 'never' }]);
  expect(await wakeCodes()).toBe(3);
  await work();
  expect(await missing(stripe)).toMatchObject([{ code: 'never', orders: 1 }]);
  expect(await outcomes(stripe, 'pi_2')).toEqual(['Done Recorded']);
  now = new Date(now.getTime() + 31 * dayMs);
  expect(await missing(stripe)).toEqual([]);
});

test('codes of another group’s creators are missing in the connector’s group', async () => {
  await provisionGroup(
    'second',
    'revShare: 10, members: [ { id: acc_second, codes: [ { code: SECOND } ] } ]',
  );
  const [main, second] = [await shop('stripe'), await shop('stripe', { groupId: 'second' })];
  for (const [to, orderId] of [
    [main, 'pi_6'],
    [second, 'pi_7'],
  ] as const)
    await deliver(to, 'order_paid', { orderId, code: 'SECOND' });
  await work();
  expect(await missing(main)).toMatchObject([{ code: 'second', isApproved: false }]);
  expect(await missing(second)).toEqual([]);
});

test('another publisher can’t see them, and an unknown connector is not found', async () => {
  const stripe = await shop('stripe');
  const rival = await asRole(service(), 'owner', 'rival');
  for (const [ask, id] of [
    [rival, stripe.id],
    [owner(), 'none'],
  ] as const)
    expect((await ask('GET', `/connectors/${id}/missing-codes`)).status).toBe(404);
});
