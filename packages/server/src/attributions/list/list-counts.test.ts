import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { useMoney } from '../../../test/money.ts';
import { asOperator } from '../../../test/test-database.ts';
import type { Answer } from '../../../test/test-service.ts';

const { record, list, patch, settle, query, service } = useMoney();

interface Row {
  id: string;
  date: number;
  status: string;
  origin: string;
  code: string;
  member: string;
  groupId: string;
}

/** Reads all of the publisher's rows with a plain query and sorts them in the order of the list. */
const plainScan = async (): Promise<Row[]> => {
  const rows = await query(sql<Omit<Row, 'date'> & { date: Date }>`
    select a.attribution_id as id, a.transaction_date as date, a.status, a.origin, a.code, m.account_id as member, a.group_id as "groupId"
    from attribution a
    join membership m on m.publisher_id = a.publisher_id and m.membership_id = a.membership_id
    where a.publisher_id = 'aurora'`);
  return rows
    .map((row) => ({ ...row, date: row.date.getTime() }))
    .sort((a, b) => a.date - b.date || (a.id < b.id ? -1 : 1));
};

const rowIdsOf = ({ body }: Answer): string[] =>
  body.map((each: { transaction: { id: string } }) => each.transaction.id);
const countOf = ({ headers }: Answer): number => Number(headers.get('x-total-count'));
const shuffled = <Value>(values: readonly Value[], seed: number): Value[] =>
  values
    .map((value, index) => ({ value, key: Math.imul(seed + index, 0x9e3779b1) >>> 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);

const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

const firstDay = Date.parse('2026-02-27T00:00:00Z');
const hour = 3_600_000;
const day = 24 * hour;
/** Offsets at and next to the boundaries of hours and days. Some offsets are repeated. */
const within = [0, 0, 1, hour - 1, hour, 5 * hour, 5 * hour, 5 * hour + 1, 23 * hour, day - 1, day - 1];
const moments = within.flatMap((ms) => times(4, (index) => firstDay + index * day + ms));
const codes = ['ALICE', 'ALICE', 'ALICE', 'AL-1', 'BOB', 'BOB'];
const someRows = (count: number, seed: number): Record<string, unknown>[] =>
  times(count, (index) =>
    purchase({
      transactionId: `${seed}-${index}`,
      code: codes[(index * 7 + seed) % codes.length],
      transactionDate: new Date(moments[(index * 5 + seed) % moments.length] ?? firstDay).toISOString(),
      ...((index + seed) % 11 === 0 && { status: 'Test' }),
      ...((index + seed) % 7 === 0 && { currency: 'EUR' }),
    }),
  );
const saved = async (rows: unknown, options = {}): Promise<void> => {
  expect((await record(rows, options)).status).toBe(200);
};
const reverse = async (transactionId: string, action: string): Promise<void> => {
  expect((await patch(transactionId, { form: { action } })).status).toBe(200);
};

describe('numbered pages and their count match a plain scan', () => {
  let rows: Row[];
  beforeAll(async () => {
    for (const seed of [1, 2, 3]) await saved(someRows(60, seed));
    await saved(
      times(72, (index) =>
        purchase({
          code: index === 0 ? 'DORA' : 'MOBA-AL',
          transactionDate: new Date(firstDay + (index % 3) * day + (index % 2) * (day - 1)).toISOString(),
        }),
      ),
      { query: '?groupId=moba' },
    );
    await reverse('1-2', 'Refund');
    await settle();
    await reverse('2-2', 'Refund');
    await reverse('2-3', 'Fraud');
    await reverse('2-3', 'Chargeback'); // a second status change
    await reverse('3-1', 'Fraud');
    await reverse('1-10', 'Refund'); // recorded as Test
    for (const seed of [4, 5]) await saved(someRows(30, seed));
    await reverse('4-3', 'Refund');
    const moved = sql`
      update attribution set origin = case when length(transaction_id) = 3 then 'webshopCode' else 'storefrontCode' end
      where transaction_id in ('1-5', '2-8', '3-17', '4-9', '5-21') and publisher_id = 'aurora'`;
    await asOperator(service().testDatabase, moved);
    rows = await plainScan();
    expect(rows).toHaveLength(3 * 60 + 72 + 2 * 30);
    expect(new Set(rows.map(({ status }) => status)).size).toBe(5);
  });

  const edge = fc
    .tuple(fc.constantFrom(...moments), fc.constantFrom(-1, 0, 1, hour / 2, hour - 1))
    .map(([at, beside]) => at + beside);
  const members = {
    'code=ALICE': ({ member }: Row) => member === 'acc_alice',
    'memberId=acc_bob': ({ member }: Row) => member === 'acc_bob',
    'providerId=123': () => true, // both
    'code=alice&codeScope=code': ({ code }: Row) => code === 'ALICE',
    'code=AL-1&codeScope=code': ({ code }: Row) => code === 'AL-1',
    'code=moba-al&codeScope=code': ({ code }: Row) => code === 'MOBA-AL',
    'code=OLD&codeScope=code': () => false,
  };
  const some = (values: readonly string[]): fc.Arbitrary<string[]> =>
    fc.oneof(fc.constant<string[]>([]), fc.subarray([...values], { minLength: 1 }));
  const anyFilters = fc.record({
    groupId: fc.constantFrom('main', 'main', 'main', 'moba'),
    from: fc.option(edge),
    to: fc.option(edge),
    statuses: some(['Normal', 'Test', 'Refund', 'Fraud', 'Chargeback']),
    origins: some(['api', 'webshopCode', 'storefrontCode']),
    member: fc.option(fc.constantFrom(...(Object.keys(members) as (keyof typeof members)[]))),
    isRising: fc.boolean(),
    pageSize: fc.integer({ min: 1, max: 300 }),
  });
  type Filters = typeof anyFilters extends fc.Arbitrary<infer Value> ? Value : never;

  const parameters = ({ groupId, from, to, statuses, origins, member, isRising }: Filters): string =>
    [
      `groupId=${groupId}`,
      ...(from === null ? [] : [`startDate=${new Date(from).toISOString()}`]),
      ...(to === null ? [] : [`endDate=${new Date(to).toISOString()}`]),
      ...statuses.map((status) => `status=${status}`),
      ...origins.map((origin) => `origin=${origin}`),
      ...(member === null ? [] : [member]),
      `sort=transactionDate:${isRising ? 'asc' : 'desc'}`,
    ].join('&');

  const expected = ({ groupId, from, to, statuses, origins, member, isRising }: Filters): string[] => {
    const all = rows.filter(
      (row) =>
        row.groupId === groupId &&
        row.date >= (from ?? 0) &&
        row.date <= (to ?? Number.POSITIVE_INFINITY) &&
        (statuses.length === 0 || statuses.includes(row.status)) &&
        (origins.length === 0 || origins.includes(row.origin)) &&
        (member === null || members[member](row)),
    );
    return (isRising ? all : all.toReversed()).map(({ id }) => id);
  };

  /**
   * Returns the numbers of the first page, the last page, the page after the last, and up to three pages in
   * between.
   */
  const pagesOf = (count: number, pageSize: number, seed: number): number[] => {
    const last = Math.max(1, Math.ceil(count / pageSize));
    const between = shuffled(
      times(Math.max(0, last - 2), (index) => index + 2),
      seed,
    );
    return [...new Set([1, last, last + 1, ...between.slice(0, 3)])];
  };

  test('for any filters, posted or not', async () => {
    await fc.assert(
      fc.asyncProperty(anyFilters, fc.nat(), async (filters, seed) => {
        if (filters.groupId === 'moba' && filters.member !== null) return; // not members of that group
        const ids = expected(filters);
        for (const page of pagesOf(ids.length, filters.pageSize, seed)) {
          const answer = await list(`${parameters(filters)}&pageSize=${filters.pageSize}&page=${page}`);
          expect({ status: answer.status, count: countOf(answer), rows: rowIdsOf(answer) }).toEqual({
            status: 200,
            count: ids.length,
            rows: ids.slice((page - 1) * filters.pageSize, page * filters.pageSize),
          });
        }
      }),
      { numRuns: 120 },
    );
  });

  describe('and reading a code by cursor returns the same rows', () => {
    const expectWalked = async (ofCode: Filters): Promise<void> => {
      const found: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const answer: Answer = await list(
          `${parameters(ofCode)}&pageSize=${ofCode.pageSize}&cursor=${cursor}`,
        );
        found.push(...rowIdsOf(answer));
        cursor = answer.headers.get('x-next-cursor');
      }
      expect(found).toEqual(expected(ofCode));
    };

    test('for any other filters', async () => {
      const ofAlice = (filters: Filters, pageSize: number): Promise<void> =>
        expectWalked({ ...filters, groupId: 'main', member: 'code=alice&codeScope=code', pageSize });
      await fc.assert(fc.asyncProperty(anyFilters, fc.integer({ min: 1, max: 40 }), ofAlice), {
        numRuns: 20,
      });
    });

    test.each([true, false])(
      'wherever a page ends among many rows in the first or last millisecond of a day (ascending: %s)',
      async (isRising) => {
        const all = { groupId: 'moba', from: null, to: null, isRising } as const;
        for (let pageSize = 8; pageSize <= 26; pageSize += 1)
          await expectWalked({
            ...all,
            statuses: [],
            origins: [],
            member: 'code=moba-al&codeScope=code',
            pageSize,
          });
      },
    );
  });
});

describe('while purchases are recorded, posted and refunded', () => {
  const filters = [
    { query: '', matches: () => true },
    { query: '&status=normal', matches: ({ status }: { status: string }) => status === 'Normal' },
    { query: '&status=refund', matches: ({ status }: { status: string }) => status === 'Refund' },
    { query: '&code=DORA', matches: ({ code }: { code: string }) => code === 'DORA' },
    { query: '&code=dora&codeScope=code', matches: ({ code }: { code: string }) => code === 'DORA' },
  ];

  test('every response is one snapshot: its rows match its count and its filters', async () => {
    let isWriting = true;
    const write = async (): Promise<void> => {
      for (let turn = 0; turn < 6; turn += 1) {
        const sent = times(20, (index) =>
          purchase({
            code: index % 3 === 0 ? 'DORA' : 'MOBA-AL',
            transactionDate: new Date(firstDay + ((turn * 20 + index) % 50) * hour).toISOString(),
          }),
        );
        await saved(sent, { query: '?groupId=moba' });
        await reverse(sent[0]?.transactionId ?? '', 'Refund');
        await settle();
        for (const each of sent.slice(1, 4)) await reverse(each.transactionId, 'Refund');
      }
    };
    const read = async (): Promise<number> => {
      let answers = 0;
      while (isWriting)
        for (const { query: filter, matches } of filters) {
          const pageSize = answers % 2 === 0 ? 1_000 : 13;
          const page = answers % 2 === 0 ? 1 : 1 + (answers % 5);
          const answer = await list(`groupId=moba&pageSize=${pageSize}&page=${page}${filter}`);
          const shown: { status: string; code: string }[] = answer.body.map(
            (each: { transaction: object }) => each.transaction,
          );
          const left = countOf(answer) - (page - 1) * pageSize;
          expect([filter, page, shown.length]).toEqual([filter, page, Math.min(pageSize, Math.max(0, left))]);
          expect(shown.every(matches)).toBe(true);
          answers += 1;
        }
      return answers;
    };
    const reading = Promise.all([read(), read()]);
    await write().finally(() => {
      isWriting = false;
    });
    expect(Math.min(...(await reading))).toBeGreaterThan(filters.length);
  });
});

test('pages through thousands of purchases with the same timestamp', async () => {
  const at = '2026-07-01T12:30:00.000Z';
  for (const part of times(3, (index) => index))
    await saved(
      times(1_000, (index) =>
        purchase({ transactionDate: at, code: part === 1 && index % 100 === 0 ? 'BOB' : 'ALICE' }),
      ),
    );
  await settle();
  const ids = (await plainScan()).filter(({ date }) => date === Date.parse(at)).map(({ id }) => id);
  expect(ids).toHaveLength(3_000);
  const range = 'startDate=2026-06-30T00:00:00Z&endDate=2026-07-01T12:59:59.999Z';
  for (const page of [1, 4, 6, 7]) {
    const slice = [(page - 1) * 500, page * 500] as const;
    const rising = await list(`${range}&sort=transactionDate:asc&page=${page}`);
    expect([countOf(rising), rowIdsOf(rising)]).toEqual([3_000, ids.slice(...slice)]);
    const falling = await list(`${range}&page=${page}`);
    expect([countOf(falling), rowIdsOf(falling)]).toEqual([3_000, ids.toReversed().slice(...slice)]);
  }
  const rare = await list(`${range}&code=bob&codeScope=code&page=2&pageSize=6`);
  expect([countOf(rare), rowIdsOf(rare).length]).toEqual([10, 4]);
});
