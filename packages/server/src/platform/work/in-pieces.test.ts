import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inPieces, nextTurn, toPieces } from './in-pieces.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test.each([0, 1, 249, 250, 251, 1_000, 1_234])('a list of %i is mapped as a whole is', async (count) => {
  expect(await inPieces('a', numbers(count), (value, index) => value * 2 + index)).toEqual(
    numbers(count).map((value) => value * 3),
  );
  expect(toPieces(numbers(count)).flat()).toEqual(numbers(count));
  expect(Math.max(0, ...toPieces(numbers(count)).map(({ length }) => length))).toBeLessThanOrEqual(250);
});

test('between two pieces, of however many lists, the event loop goes on', async () => {
  let since = 0;
  let most = 0;
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      most = Math.max(most, since);
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
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(500); // a piece, and one more where two turns fall together
});

test('an error ends its own list alone', async () => {
  const [failed, done] = await Promise.allSettled([
    inPieces('a', numbers(600), (value) => {
      if (value === 300) throw new Error('no');
    }),
    inPieces('a', numbers(600), (value) => value),
  ]);
  expect([failed?.status, done?.status]).toEqual(['rejected', 'fulfilled']);
});

test('holders take turns, however many lists one of them has', async () => {
  const order: string[] = [];
  const wait = async (holder: string) => {
    await nextTurn(holder);
    order.push(holder);
  };
  await Promise.all([...numbers(5).map(() => wait('many')), wait('one'), wait('two')]);
  expect(order).toEqual(['many', 'one', 'two', 'many', 'many', 'many', 'many']);
});
