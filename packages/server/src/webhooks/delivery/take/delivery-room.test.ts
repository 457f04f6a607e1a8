import { describe, expect, test } from 'vitest';
import { toEndpointId, toEventId } from '../../../platform/ids.ts';
import { chooseTakes } from './choose-takes.ts';
import { DeliveryRoom, hangingAfterMs, type InHand } from './delivery-room.ts';
import { EndpointLanes } from './endpoint-lanes.ts';
import { beginningOf } from './take-deliveries.ts';

const patienceMs = 5_000;
let names = 0;

/** Reserves and sends one delivery of an endpoint that has not delivered. @returns null when there is no room */
function send(room: DeliveryRoom, publisherId: string, nowMs: number): InHand | null {
  const shares = room.reserve(publisherId, 1, 'unproven');
  if (shares === null) return null;
  names += 1;
  const eventId = toEventId(`event-${names}`);
  const delivery: InHand = {
    publisherId,
    endpointId: toEndpointId(`endpoint-${names}`),
    eventId,
    shares: [...shares],
    sentMs: null,
    request: null,
    isGivenUp: false,
  };
  room.sent(delivery, nowMs);
  return delivery;
}

/** Sends as many as there is room for. */
function fill(room: DeliveryRoom, publisherIds: readonly string[], nowMs: number): InHand[] {
  const sent: InHand[] = [];
  for (;;) {
    const more = publisherIds.flatMap((publisherId) => send(room, publisherId, nowMs) ?? []);
    if (more.length === 0) return sent;
    sent.push(...more);
  }
}

describe('requests that hang', () => {
  test('leave the room to others after half a second, not before', () => {
    const room = new DeliveryRoom(100, patienceMs);
    const sent = fill(room, ['a', 'b', 'c'], 0);
    expect(sent.length).toBeGreaterThan(60);
    room.sweep(hangingAfterMs);
    expect(send(room, 'a', 500)).toBeNull();
    room.sweep(hangingAfterMs + 1);
    expect(send(room, 'a', 501)).not.toBeNull();
    expect(room.underWay).toBe(sent.length + 1);
  });

  test('are bounded: the longest ones end, none before its time, and only as many as there is need for', () => {
    const room = new DeliveryRoom(20, patienceMs);
    const sent: InHand[] = [];
    for (let nowMs = 0; nowMs + 599 < patienceMs; nowMs += 600) {
      sent.push(...fill(room, ['a', 'b', 'c', 'd'], nowMs));
      room.sweep(nowMs + 599);
      expect(room.underWay).toBeLessThanOrEqual(3 * 20);
      expect(sent.filter(({ isGivenUp }) => isGivenUp)).toEqual([]);
    }
    room.sweep(patienceMs + 600);
    const ended = sent.filter(({ isGivenUp }) => isGivenUp);
    expect(ended.length).toBeGreaterThan(0);
    expect(
      ended.every(({ sentMs }) => sentMs === 0),
      'those of the first moment',
    ).toBe(true);
    for (const each of ended) room.forget(each);
    room.sweep(patienceMs + 601);
    expect(send(room, 'e', patienceMs + 601)).not.toBeNull();
  });

  test('of one publisher leave room for another, whatever it sends', () => {
    const room = new DeliveryRoom(100, patienceMs);
    for (let nowMs = 0; nowMs < 20_000; nowMs += 100) {
      room.sweep(nowMs);
      fill(room, ['greedy'], nowMs);
      const other = send(room, 'quiet', nowMs);
      expect(other, `after ${nowMs} ms`).not.toBeNull();
      if (other !== null) room.forget(other);
    }
  });

  test('give everything back when they end', () => {
    const room = new DeliveryRoom(40, patienceMs);
    const sent = fill(room, ['a', 'b'], 0);
    room.sweep(1_000);
    sent.push(...fill(room, ['a', 'b'], 1_000));
    for (const each of sent) room.forget(each);
    expect(room.underWay).toBe(0);
    expect(fill(room, ['a', 'b'], 2_000).length).toBeGreaterThan(25);
  });
});

describe('what is chosen', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
  const endpoints = Array.from({ length: 500 }, (_, index) => ({
    publisherId: `p${index}`,
    endpointId: toEndpointId('e'),
    from: beginningOf(ago(1_000 - index)),
  }));
  const chosen = (first: 'oldest' | 'newest', lanes = new EndpointLanes()) =>
    chooseTakes({ endpoints, first }, lanes, new DeliveryRoom(2_000, patienceMs), now).takes.map(
      ({ publisherId }) => publisherId,
    );

  test('is the longest due and, in turns, the newest, so that none waits behind thousands', () => {
    expect(chosen('oldest')[0]).toBe('p0');
    expect(chosen('newest')[0]).toBe('p499');
    expect(chosen('newest').length).toBeLessThan(200);
  });

  test('is what hung last time after all others', () => {
    const lanes = new EndpointLanes();
    const { slots } = lanes.of('p499', toEndpointId('e'));
    slots.sent(0);
    slots.answered(false, 15_000, true);
    expect(chosen('newest', lanes)[0]).toBe('p498');
    slots.sent(16_000);
    slots.answered(true, 16_900, true);
    expect(chosen('newest', lanes)[0], 'slow, and delivered').toBe('p499');
  });

  test('is nothing that is due later', () => {
    const later = endpoints.map((each) => ({ ...each, from: beginningOf(new Date(now.getTime() + 1)) }));
    const room = new DeliveryRoom(2_000, patienceMs);
    expect(chooseTakes({ endpoints: later, first: 'oldest' }, new EndpointLanes(), room, now)).toEqual({
      takes: [],
      isShort: false,
    });
  });
});
