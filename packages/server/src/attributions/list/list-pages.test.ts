import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { connect } from '../../../test/test-database.ts';
import { type Answer, startService } from '../../../test/test-service.ts';
import { idsOf, useTransactions } from '../../../test/transactions.ts';

const { service, keys, record, list } = useTransactions();

const sameDate = '2026-03-01T12:00:00.000Z';
const ids = Array.from({ length: 23 }, (_, index) => `p-${String(index).padStart(2, '0')}`);
beforeAll(async () => {
  for (const [index, transactionId] of ids.entries()) {
    await record(
      purchase({ transactionId, transactionDate: sameDate, code: index % 3 === 0 ? 'BOB' : 'ALICE' }),
    );
  }
});

const nextOf = ({ headers }: Answer): string | null => headers.get('x-next-cursor');

async function walk(query: string, between: () => Promise<unknown> = async () => {}): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const answer: Answer = await list(cursor === null ? query : `${query}&cursor=${cursor}`);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.has('x-total-count')).toBe(false);
    pages.push(idsOf(answer));
    cursor = nextOf(answer);
    expect(answer.headers.has('link')).toBe(cursor !== null);
    await between();
  } while (cursor !== null && pages.length < 100);
  return pages;
}

describe('a walk by cursor', () => {
  test.each([
    ['asc', ids],
    ['desc', ids.toReversed()],
  ])(
    'returns every row once, %s, ordered by creation when all dates are equal',
    async (direction, expected) => {
      for (const size of [1, 5, 22, 23, 24]) {
        const pages = await walk(`sort=transactionDate:${direction}&pageSize=${size}`);
        expect(pages.flat()).toEqual(expected);
        expect(pages).toHaveLength(Math.ceil(ids.length / size));
      }
    },
  );

  test('works with a member filter, and with several memberships at once', async () => {
    const bobs = ids.filter((_, index) => index % 3 === 0);
    expect((await walk('code=BOB&pageSize=3&sort=transactionDate:asc')).flat()).toEqual(bobs);
    expect((await walk('code=BOB&codeScope=code&pageSize=3&sort=transactionDate:asc')).flat()).toEqual(bobs);
    const both = await walk('providerId=123&pageSize=4&sort=transactionDate:asc');
    expect(both.flat()).toEqual(ids);
    expect(both.every((page, index) => page.length === 4 || index === both.length - 1)).toBe(true);
  });

  test.each(['asc', 'desc'])(
    '%s neither skips nor repeats existing rows while others are recorded',
    async (direction) => {
      let count = 0;
      const pages = await walk(`sort=transactionDate:${direction}&pageSize=4`, async () => {
        for (const transactionDate of ['2026-02-28T00:00:00Z', sameDate, '2026-03-02T00:00:00Z']) {
          if (count < 30)
            await record(purchase({ transactionId: `new-${direction}-${count++}`, transactionDate }));
        }
      });
      const seen = pages.flat();
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((id) => ids.includes(id))).toEqual(direction === 'asc' ? ids : ids.toReversed());
      const admin = await connect(service().testDatabase.adminConnection);
      await admin.query("delete from attribution where transaction_id like 'new-%'");
    },
  );

  test('has neither header on its last page, even when the page is full', async () => {
    const { headers } = await list(`pageSize=${ids.length}`);
    expect(headers.has('x-next-cursor')).toBe(false);
    expect(headers.has('link')).toBe(false);
  });

  test('continues in another process of the installation', async () => {
    const other = await startService({ beside: service() });
    try {
      const first = await list('pageSize=10');
      const second = await list(`pageSize=10&cursor=${nextOf(first)}`, { at: other });
      expect(idsOf(second)).toEqual(ids.toReversed().slice(10, 20));
    } finally {
      await other.close();
    }
  });
});

describe('the Link header', () => {
  test.each([
    'pageSize=10',
    'pageSize=10&sort=transactionDate:asc',
    'pageSize=10&startDate=2026-03-01T02:00:00+02:00&status=normal,refund&status=TEST',
    'pageSize=10&startDate=2026-03-01T02:00:00%2B02:00&groupId=',
    'pageSize=10&extra=%C3%A9%20%26%3D%23&providerId=123',
    'pageSize=10&groupId=main&codeScope=code&code=alice',
  ])('can be followed as is: %s', async (query) => {
    const first = await list(query);
    const link = /^<([^<>\s]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1];
    if (link === undefined) throw new Error('the response has no link');
    const target = new URL(link, service().url);
    expect(target.origin).toBe(service().url);
    expect(target.searchParams.get('cursor')).toBe(nextOf(first));
    const next = await service().call('GET', link, { key: keys().backend });
    expect(next.status, next.text).toBe(200);
    expect(next.text).toBe((await list(`${query}&cursor=${nextOf(first)}`)).text);
    expect(idsOf(next).some((id) => idsOf(first).includes(id))).toBe(false);
  });
});

describe('page', () => {
  test('switches to offset pagination, with X-Total-Count and without a cursor', async () => {
    for (const [page, expected] of [
      [1, ids.slice(0, 10)],
      [2, ids.slice(10, 20)],
      [3, ids.slice(20)],
      [4, []],
      [9_999, []],
    ] as const) {
      const answer = await list(`sort=transactionDate:asc&pageSize=10&page=${page}`);
      expect(idsOf(answer)).toEqual(expected);
      expect(answer.headers.get('x-total-count')).toBe(String(ids.length));
      expect(answer.headers.has('x-next-cursor') || answer.headers.has('link')).toBe(false);
    }
  });

  test('counts the rows that match the filters, including across several memberships', async () => {
    const total = async (query: string) =>
      (await list(`page=1&pageSize=2&${query}`)).headers.get('x-total-count');
    expect(await total('code=BOB')).toBe('8');
    expect(await total('providerId=123')).toBe('23');
    expect(await total('status=refund')).toBe('0');
    expect(await total('code=UNKNOWN&codeScope=code')).toBe('0');
  });

  test('orders pages across several memberships as one list', async () => {
    const pages = await Promise.all(
      [1, 2, 3].map((page) => list(`providerId=123&sort=transactionDate:asc&pageSize=10&page=${page}`)),
    );
    expect(pages.flatMap(idsOf)).toEqual(ids);
  });

  test('takes precedence over a cursor, valid or not', async () => {
    const cursor = nextOf(await list('pageSize=10'));
    const plain = await list('pageSize=10&page=1');
    for (const sent of [cursor, 'garbage', '']) {
      const answer = await list(`pageSize=10&page=1&cursor=${sent}`);
      expect([answer.status, answer.text]).toEqual([200, plain.text]);
    }
  });
});

describe('pageSize', () => {
  let bulk: string[];
  beforeAll(async () => {
    bulk = Array.from({ length: 1_001 }, (_, index) => `bulk-${index}`);
    for (const part of [bulk.slice(0, 600), bulk.slice(600)]) {
      await record(
        part.map((transactionId) => purchase({ transactionId, code: 'DORA' })),
        { query: '?groupId=moba' },
      );
    }
  });
  afterAll(() => expect(bulk).toHaveLength(1_001));

  test.each([
    ['', 500],
    ['&pageSize=1000', 1_000],
    ['&page=1', 500],
    ['&page=1&pageSize=1000', 1_000],
    ['&page=2&pageSize=1000', 1],
    ['&pageSize=1', 1],
  ])('with "%s" returns %d rows', async (query, count) => {
    expect((await list(`groupId=moba${query}`)).body).toHaveLength(count);
  });
});
