import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FairShares } from './fair-shares.ts';

describe('FairShares', () => {
  test('lets a single tenant take most of the total', () => {
    const shares = new FairShares(100, 4);
    while (shares.take('large', 1));
    expect(shares.held('large')).toBe(80);
  });

  test('always leaves something for another tenant', () => {
    const shares = new FairShares(10, 2);
    while (shares.take('large', 1));
    for (const name of ['second', 'third']) expect(shares.take(name, 1), name).toBe(true);
  });

  test('is entirely free after everything has been returned', () => {
    const step = fc.record({
      tenant: fc.constantFrom('a', 'b', 'c'),
      amount: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const shares = new FairShares(100);
        const taken = steps.filter(({ tenant, amount }) => {
          const free = shares.free;
          const isTaken = shares.take(tenant, amount);
          expect(shares.free).toBe(isTaken ? free - amount : free);
          return isTaken;
        });
        expect(shares.free).toBeGreaterThanOrEqual(0);
        for (const { tenant, amount } of taken) shares.giveBack(tenant, amount);
        expect(shares.free).toBe(100);
        for (const name of ['a', 'b', 'c']) expect(shares.held(name)).toBe(0);
      }),
    );
  });

  test('returns from left() exactly the amount that may be taken', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.nat(100), fc.integer({ min: 1, max: 5 }), (own, others, weight) => {
        const shares = new FairShares(100, weight);
        shares.take('other', others);
        shares.take('one', own);
        const left = shares.left('one');
        expect(left === 0 || shares.mayTake('one', left)).toBe(true);
        expect(shares.mayTake('one', left + 1)).toBe(false);
      }),
    );
  });

  test('throws if more is returned than was taken', () => {
    const shares = new FairShares(10);
    shares.take('one', 3);
    shares.giveBack('one', 3);
    expect(() => shares.giveBack('one', 3)).toThrow('given back');
  });
});
