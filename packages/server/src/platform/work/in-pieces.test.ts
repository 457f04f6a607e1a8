import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inPieces, nextTurn, toPieces } from './in-pieces.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test.each([0, 1, 249, 250, 251, 1_000, 1_234])('maps a list of %i values as map() does', async (count) => {
  expect(await inPieces('a', numbers(count), (value, index) => value * 2 + index)).toEqual(
    numbers(count).map((value) => value * 3),
  );
  expect(toPieces(numbers(count)).flat()).toEqual(numbers(count));
  expect(Math.max(0, ...toPieces(numbers(count)).map(({ length }) => length))).toBeLessThanOrEqual(250);
});

test('lets the event loop run between two pieces, even with many lists', async () => {
  let since = 0;
  let longest = 0;
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      longest = Math.max(longest, since);
      since = 0;
      await turn();
    }
  })();
  await Promise.all(
    numbers(20).map((list) =>
      inPieces(`${list % 3}`, numbers(1_000), () => {
        since += 1;
      }),
    ),
  );
  isOver = true;
  await others;
  expect(longest).toBeGreaterThan(0);
  expect(longest).toBeLessThanOrEqual(500); // one piece, or two if two turns coincide
});

test('fails only the list in which the error occurred', async () => {
  const [failed, done] = await Promise.allSettled([
    inPieces('a', numbers(600), (value) => {
      if (value === 300) throw new Error('no');
    }),
    inPieces('a', numbers(600), (value) => value),
  ]);
  expect([failed?.status, done?.status]).toEqual(['rejected', 'fulfilled']);
});

test('gives tenants turns, regardless of how many lists one of them has', async () => {
  const order: string[] = [];
  const wait = async (tenant: string) => {
    await nextTurn(tenant);
    order.push(tenant);
  };
  await Promise.all([...numbers(5).map(() => wait('many')), wait('one'), wait('two')]);
  expect(order).toEqual(['many', 'one', 'two', 'many', 'many', 'many', 'many']);
});
