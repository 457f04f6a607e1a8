import fc from 'fast-check';
import { expect, test } from 'vitest';
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
          if (wanted > 0) expect(wanted + queued + inFlight).toBeLessThanOrEqual(128);
        }
        if (inFlight === 0) expect(slots.free(nowMs), 'an idle endpoint is never shut').toBeGreaterThan(0);
      }
    }),
  );
});
