import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EndpointSlots } from './endpoint-slots.ts';

function round(slots: EndpointSlots, nowMs: number, isDelivered = true): number {
  const free = slots.free(nowMs);
  for (let sent = 0; sent < free; sent += 1) slots.sent(nowMs);
  for (let answered = 0; answered < free; answered += 1) slots.answered(isDelivered, nowMs + 1);
  return free;
}

test('allows one request until the first success, then one more with each, up to 64', () => {
  const slots = new EndpointSlots();
  expect([slots.free(0), slots.wanted(0, 0), slots.isProven]).toEqual([1, 1, false]);
  const rounds = Array.from({ length: 8 }, (_, index) => round(slots, index));
  expect(rounds).toEqual([1, 2, 4, 8, 16, 32, 64, 64]);
  expect(slots.isProven).toBe(true);
});

test('allows one request again after a failure', () => {
  const slots = new EndpointSlots();
  for (let index = 0; index < 8; index += 1) round(slots, index);
  slots.sent(10);
  slots.answered(false, 11);
  expect([slots.free(11), slots.wanted(0, 11), slots.isProven]).toEqual([1, 1, false]);
});

test("sends nothing to an endpoint that hasn't answered for two seconds, until it does", () => {
  const slots = new EndpointSlots();
  for (let index = 0; index < 8; index += 1) round(slots, index);
  slots.sent(100);
  expect(slots.free(2_100)).toBe(63);
  expect([slots.free(2_101), slots.wanted(0, 2_101), slots.wanted(5, 2_101)]).toEqual([0, 0, 0]);
  slots.answered(true, 2_200);
  expect(slots.free(2_200)).toBe(64);
});

test("doesn't count time without requests as a stall", () => {
  const slots = new EndpointSlots();
  round(slots, 0);
  expect(slots.free(1e9)).toBe(2);
  slots.sent(1e9);
  expect(slots.free(1e9 + 1)).toBe(1);
});

/** Sends and answers deliveries at a fixed rate, after an endpoint has reached its limit. */
function answering(perSecond: number, forMs: number, startMs = 1_000): EndpointSlots {
  const slots = new EndpointSlots();
  for (let index = 0; index < 8; index += 1) round(slots, index);
  for (let sent = 0; sent < (perSecond * forMs) / 1_000; sent += 1) {
    const nowMs = startMs + (sent * 1_000) / perSecond;
    slots.sent(nowMs);
    slots.answered(true, nowMs);
  }
  return slots;
}

describe('deliveries taken ahead', () => {
  test.each([
    ['two for each request, if it accepts a hundred a second', 100, 128],
    ['those of a tenth of a second, if it accepts 3,000 a second', 3_000, 300],
    ['at most 512, if it accepts 50,000 a second', 50_000, 512],
  ])('for an endpoint are %s', (_what, perSecond, ahead) => {
    const slots = answering(perSecond, 1_000);
    expect(slots.wanted(0, 2_000) - 64).toBeGreaterThanOrEqual(ahead - 5);
    expect(slots.wanted(0, 2_000) - 64).toBeLessThanOrEqual(ahead);
    expect(slots.isFast(2_000)).toBe(ahead > 128 + 5);
  });

  test('are few again a second after the last delivery, and at once after a failure', () => {
    const slots = answering(50_000, 1_000);
    expect(slots.isFast(2_800)).toBe(true);
    expect([slots.isFast(3_100), slots.wanted(0, 3_100)]).toEqual([false, 3 * 64]);
    slots.sent(2_000);
    slots.answered(false, 2_001);
    expect([slots.isFast(2_001), slots.wanted(0, 2_001)]).toEqual([false, 1]);
    slots.sent(2_002);
    slots.answered(true, 2_003);
    expect([slots.isFast(2_003), slots.wanted(0, 2_003)]).toEqual([false, 6]);
  });

  test('are taken in large sets: none until a quarter of them has been sent', () => {
    const slots = answering(50_000, 1_000);
    for (let sent = 0; sent < 64; sent += 1) slots.sent(2_000);
    expect(slots.wanted(512 - 127, 2_000)).toBe(0);
    expect(slots.wanted(512 - 128, 2_000)).toBe(128);
  });
});

test('keeps requests in progress and taken deliveries within their limits in any sequence', () => {
  const step = fc.record({
    what: fc.constantFrom('send', 'deliver', 'fail'),
    waitMs: fc.integer({ min: 0, max: 3_000 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const slots = new EndpointSlots();
      let [nowMs, inFlight] = [0, 0];
      for (const { what, waitMs } of steps) {
        nowMs += waitMs;
        const free = slots.free(nowMs);
        if (what === 'send' && free > 0) {
          slots.sent(nowMs);
          inFlight += 1;
        } else if (what !== 'send' && inFlight > 0) {
          slots.answered(what === 'deliver', nowMs);
          inFlight -= 1;
        }
        expect(slots.inFlight).toBe(inFlight);
        expect(inFlight).toBeLessThanOrEqual(64);
        for (const queued of [0, 1, 64]) {
          const wanted = slots.wanted(queued, nowMs);
          expect(wanted).toBeGreaterThanOrEqual(0);
          if (wanted > 0) expect(wanted + queued + inFlight).toBeLessThanOrEqual(64 + 512);
        }
        if (inFlight === 0) expect(slots.free(nowMs), 'an idle endpoint is never shut').toBeGreaterThan(0);
      }
    }),
  );
});
