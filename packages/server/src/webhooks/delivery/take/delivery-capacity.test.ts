import { describe, expect, test } from 'vitest';
import { toEndpointId, toEventId } from '../../../platform/ids.ts';
import { chooseTakes } from './choose-takes.ts';
import { DeliveryCapacity, type HeldDelivery, hangingAfterMs } from './delivery-capacity.ts';
import { EndpointLanes } from './endpoint-lanes.ts';
import { beginningOf } from './take-deliveries.ts';

const patienceMs = 5_000;
let names = 0;

/**
 * Reserves capacity for one delivery to an endpoint that has never succeeded, and sends the delivery. Returns
 * null if there is no capacity.
 */
function send(capacity: DeliveryCapacity, publisherId: string, nowMs: number): HeldDelivery | null {
  const shares = capacity.reserve(publisherId, 1, 'unproven');
  if (shares === null) return null;
  names += 1;
  const eventId = toEventId(`event-${names}`);
  const delivery: HeldDelivery = {
    publisherId,
    endpointId: toEndpointId(`endpoint-${names}`),
    eventId,
    shares: [...shares],
    sentMs: null,
    request: null,
    isGivenUp: false,
  };
  capacity.sent(delivery, nowMs);
  return delivery;
}

function fill(capacity: DeliveryCapacity, publisherIds: readonly string[], nowMs: number): HeldDelivery[] {
  const sent: HeldDelivery[] = [];
  for (;;) {
    const more = publisherIds.flatMap((publisherId) => send(capacity, publisherId, nowMs) ?? []);
    if (more.length === 0) return sent;
    sent.push(...more);
  }
}

describe('hanging requests', () => {
  test('free their capacity after half a second, not before', () => {
    const capacity = new DeliveryCapacity(100, patienceMs);
    const sent = fill(capacity, ['a', 'b', 'c'], 0);
    expect(sent.length).toBeGreaterThan(60);
    capacity.sweep(hangingAfterMs);
    expect(send(capacity, 'a', 500)).toBeNull();
    capacity.sweep(hangingAfterMs + 1);
    expect(send(capacity, 'a', 501)).not.toBeNull();
    expect(capacity.underWay).toBe(sent.length + 1);
  });

  test('are limited: the oldest are canceled, none too early, and no more than needed', () => {
    const capacity = new DeliveryCapacity(20, patienceMs);
    const sent: HeldDelivery[] = [];
    for (let nowMs = 0; nowMs + 599 < patienceMs; nowMs += 600) {
      sent.push(...fill(capacity, ['a', 'b', 'c', 'd'], nowMs));
      capacity.sweep(nowMs + 599);
      expect(capacity.underWay).toBeLessThanOrEqual(3 * 20);
      expect(sent.filter(({ isGivenUp }) => isGivenUp)).toEqual([]);
    }
    capacity.sweep(patienceMs + 600);
    const ended = sent.filter(({ isGivenUp }) => isGivenUp);
    expect(ended.length).toBeGreaterThan(0);
    expect(
      ended.every(({ sentMs }) => sentMs === 0),
      'requests sent first',
    ).toBe(true);
    for (const each of ended) capacity.remove(each);
    capacity.sweep(patienceMs + 601);
    expect(send(capacity, 'e', patienceMs + 601)).not.toBeNull();
  });

  test('of one publisher leave capacity for another', () => {
    const capacity = new DeliveryCapacity(100, patienceMs);
    for (let nowMs = 0; nowMs < 20_000; nowMs += 100) {
      capacity.sweep(nowMs);
      fill(capacity, ['greedy'], nowMs);
      const other = send(capacity, 'quiet', nowMs);
      expect(other, `after ${nowMs} ms`).not.toBeNull();
      if (other !== null) capacity.remove(other);
    }
  });

  test('release all capacity when they end', () => {
    const capacity = new DeliveryCapacity(40, patienceMs);
    const sent = fill(capacity, ['a', 'b'], 0);
    capacity.sweep(1_000);
    sent.push(...fill(capacity, ['a', 'b'], 1_000));
    for (const each of sent) capacity.remove(each);
    expect(capacity.underWay).toBe(0);
    expect(fill(capacity, ['a', 'b'], 2_000).length).toBeGreaterThan(25);
  });
});

describe('chooses', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
  const endpoints = Array.from({ length: 500 }, (_, index) => ({
    publisherId: `p${index}`,
    endpointId: toEndpointId('e'),
    from: beginningOf(ago(1_000 - index)),
  }));
  const chosen = (first: 'oldest' | 'newest', lanes = new EndpointLanes()) =>
    chooseTakes({ endpoints, first }, lanes, new DeliveryCapacity(2_000, patienceMs), now).takes.map(
      ({ publisherId }) => publisherId,
    );

  test('the longest due and the newest in turn, so that none waits behind thousands', () => {
    expect(chosen('oldest')[0]).toBe('p0');
    expect(chosen('newest')[0]).toBe('p499');
    expect(chosen('newest').length).toBeLessThan(200);
  });

  test('endpoints whose last request hung after all others', () => {
    const lanes = new EndpointLanes();
    const { slots } = lanes.of('p499', toEndpointId('e'));
    slots.sent(0);
    slots.answered(false, 15_000, true);
    expect(chosen('newest', lanes)[0]).toBe('p498');
    slots.sent(16_000);
    slots.answered(true, 16_900, true);
    expect(chosen('newest', lanes)[0], 'slow, and delivered').toBe('p499');
  });

  test('no deliveries that are due later', () => {
    const later = endpoints.map((each) => ({ ...each, from: beginningOf(new Date(now.getTime() + 1)) }));
    const capacity = new DeliveryCapacity(2_000, patienceMs);
    expect(chooseTakes({ endpoints: later, first: 'oldest' }, new EndpointLanes(), capacity, now)).toEqual({
      takes: [],
      isShort: false,
    });
  });
});

test('a fast endpoint may have half of the free capacity, others an eighth, and some is always left', () => {
  const capacity = new DeliveryCapacity(2_000, patienceMs);
  expect([capacity.fairShare('a', 0), capacity.fairShare('a', 0, true)]).toEqual([250, 1_000]);
  expect(capacity.fairShare('a', 900, true)).toBe(100);
  for (let has = 0; has < 10_000; has += 1) {
    if (capacity.fairShare('a', has, true) < 1) break;
    capacity.reserve('a', 1, 'proven');
  }
  expect(capacity.fairShare('b', 0), 'another publisher').toBeGreaterThan(100);
  expect(capacity.fairShare('a', 0), "the publisher's other endpoints").toBeGreaterThan(50);
});
