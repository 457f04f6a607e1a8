import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { purchase } from '../../test/fixtures.ts';
import { transactionPath, transactionsPath, useTransactions } from '../../test/transactions.ts';

const { service, keys, record, get, countRows } = useTransactions();

/** Values as JSON text, including some that JSON.stringify can't produce. */
const values: Record<string, string> = {
  null: 'null',
  'an empty string': '""',
  'a number in a string': '"5"',
  'a number': '5',
  true: 'true',
  false: 'false',
  'an empty list': '[]',
  'an empty object': '{}',
  'a list': '[5]',
  'a huge string': JSON.stringify('x'.repeat(100_000)),
  '1e400': '1e400',
  '-1e400': '-1e400',
  '-1': '-1',
  '0': '0',
  '-0': '-0',
  '1.5': '1.5',
  '1e-400': '1e-400',
  '2^53': '9007199254740992',
  'a long number': '9'.repeat(1_000),
  'a lone surrogate': '"\\ud800"',
  'surrogates in the wrong order': '"\\udc00\\ud800"',
  'U+0000': '"a\\u0000b"',
  'an emoji': '"😀"',
  SQL: '"\'; drop table attribution; --"',
  'a list of a list': '[[[[]]]]',
  'an object with a constructor': '{"constructor":1,"prototype":2}',
  'a string in an object': '{"toString":"x","valueOf":5,"length":1}',
};
const anything = [
  'status',
  'id',
  'memberPlayerId',
  'memberShareAmount',
  'memberPaid',
  'origin',
  'somethingElse',
];
/**
 * Values that each field accepts. All other values must be rejected. A `null` counts as absent, but
 * `conversion` must contain `lastPurchase` or `totalSpendToDate`.
 */
const texts = ['an empty string', 'a number in a string', 'an emoji', 'SQL'];
const takes: Record<string, readonly string[]> = {
  ...Object.fromEntries(anything.map((field) => [field, Object.keys(values)])),
  code: [],
  description: texts,
  playerId: ['null', ...texts],
  playerName: ['null', ...texts],
  skuId: ['null', ...texts],
  subtotal: ['a number'],
  total: ['null', 'a number', '0', '-0', '1e-400'],
  currency: [],
  totalCurrency: ['null'],
  transactionId: ['a number in a string', 'an emoji', 'SQL'],
  transactionDate: [],
  platform: ['null'],
  memberSharePercent: ['null', 'a number', '1.5'],
  metrics: ['null', 'an empty object', 'an object with a constructor', 'a string in an object'],
  'metrics.joinDate': ['null'],
  'metrics.conversion': ['null'],
  'metrics.conversion.lastPurchase': [],
  'metrics.conversion.lastPurchase.date': [],
  'metrics.conversion.lastPurchase.platform': texts,
  'metrics.conversion.lastPurchaseDate': [],
  'metrics.conversion.totalSpendToDate': [],
  'metrics.conversion.totalSpendToDate.total': ['a number', '0', '-0', '1.5', '1e-400', '2^53'],
  'metrics.conversion.totalSpendToDate.currency': [],
};

/** Returns a purchase as JSON text, with the field at the given path replaced by raw JSON. */
function withField(field: string, json: string): string {
  const entry: Record<string, unknown> = purchase();
  const spend = field.startsWith('metrics.conversion.totalSpendToDate.') ? { total: 1, currency: 'USD' } : {};
  const path = field.split('.');
  let place = entry;
  for (const [index, name] of path.slice(0, -1).entries()) {
    const inner: Record<string, unknown> = path[index] === 'totalSpendToDate' ? spend : {};
    place[name] = inner;
    place = inner;
  }
  place[path.at(-1) ?? ''] = '@here@';
  return JSON.stringify(entry).replace('"@here@"', () => json);
}

describe('every field of a purchase accepts its documented values and rejects all others with 400', () => {
  test.each(Object.keys(takes))('%s', async (field) => {
    let rows = await countRows();
    for (const [what, json] of Object.entries(values)) {
      for (const isList of [false, true]) {
        const body = withField(field, json);
        const answer = await service().call('POST', transactionsPath, {
          key: keys().backend,
          headers: { 'content-type': 'application/json' },
          raw: isList ? `[${body}]` : body,
        });
        // The list repeats the transactionId that the preceding single purchase already used.
        const isTaken = takes[field]?.includes(what) === true && !(field === 'transactionId' && isList);
        const expected = isTaken
          ? 200
          : field === 'transactionId' && takes[field]?.includes(what)
            ? 409
            : 400;
        expect([field, what, isList, answer.status]).toEqual([field, what, isList, expected]);
        rows += isTaken ? 1 : 0;
        expect(await countRows()).toBe(rows);
        if (expected === 400) expect(Object.keys(answer.body)).toEqual(['message']);
      }
    }
  });
});

describe('with any JSON', () => {
  const refusedOrSaved = async (body: unknown): Promise<void> => {
    const before = await countRows();
    const { status } = await record(body);
    expect([200, 400, 409]).toContain(status);
    const added = (await countRows()) - before;
    expect(added > 0).toBe(status === 200);
  };

  test('create saves or rejects it', async () => {
    await fc.assert(fc.asyncProperty(fc.jsonValue({ noUnicodeString: false }), refusedOrSaved), {
      numRuns: 300,
    });
  });

  test('create saves or rejects purchases with random fields', async () => {
    const fields = fc.dictionary(
      fc.constantFrom(
        ...Object.keys(purchase()),
        'total',
        'totalCurrency',
        'status',
        'platform',
        'playerId',
        'metrics',
        'skuId',
        'memberSharePercent',
      ),
      fc.jsonValue(),
      { minKeys: 1, maxKeys: 3 },
    );
    await fc.assert(
      fc.asyncProperty(fields, fc.boolean(), (changes, isList) => {
        const entry = purchase(changes);
        return refusedOrSaved(isList ? [purchase(), entry] : entry);
      }),
      { numRuns: 300 },
    );
  });

  test('create returns any text unchanged or rejects it', async () => {
    const text = fc.string({
      unit: fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point)),
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(text, async (description) => {
        const sent = purchase({ description, playerName: description });
        const { status, body } = await record(sent);
        const isStorable = description.isWellFormed() && !description.includes('\0');
        expect(status).toBe(isStorable ? 200 : 400);
        if (isStorable) expect(body.transaction.playerName).toBe(description);
        if (isStorable)
          expect((await get(sent.transactionId)).body[0].transaction.description).toBe(description);
      }),
      { numRuns: 150 },
    );
  });

  test('update accepts its two properties or returns 400', async () => {
    const sent = purchase();
    await record(sent);
    const body = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom('action', 'playerId', 'status'),
        fc.oneof(fc.constantFrom('Refund', 'Fraud', 'Chargeback', 'Normal', ''), fc.jsonValue()),
      ),
    );
    await fc.assert(
      fc.asyncProperty(body, async (json) => {
        const { status } = await service().call('PATCH', transactionPath(sent.transactionId), {
          key: keys().backend,
          json,
        });
        expect([200, 400]).toContain(status);
      }),
      { numRuns: 200 },
    );
  });
});

describe('with any URL', () => {
  const statusOf = async (path: string): Promise<number> =>
    (await service().call('GET', path, { key: keys().backend })).status;

  test.each(['%', '%z', '%zz', '%ff', '%c3', '%C0%80', '%ED%A0%80', '%F5%80%80%80', 'a%', '%2', '%u0041'])(
    'rejects a transactionId that is not percent-encoded UTF-8: %s',
    async (segment) => {
      expect(await statusOf(`${transactionsPath}/${segment}`)).toBe(400);
    },
  );

  test.each(['%00', '%0A', '%7F', '%C2%85', 'x'.repeat(256), '%F0%9F%98%80'.repeat(256)])(
    'rejects an invalid transactionId: %s',
    async (segment) => {
      expect([400, 404, 414]).toContain(await statusOf(`${transactionsPath}/${segment}`));
    },
  );

  test.each(['x'.repeat(3_100), '%20'.repeat(3_000), 'x'.repeat(12_000)])(
    'rejects a very long path',
    async (segment) => {
      const { status } = await fetch(`${service().url}${transactionsPath}/${segment}`, {
        headers: { 'x-shared-secret': keys().backend },
      });
      expect([400, 404, 414]).toContain(status);
    },
  );

  test('accepts or rejects a very long query and one with thousands of parameters', async () => {
    expect(await statusOf(`${transactionsPath}?x=${'y'.repeat(12_000)}`)).toBe(200);
    expect(await statusOf(`${transactionsPath}?${'a=1&'.repeat(3_000)}`)).toBe(200);
    expect(await statusOf(`${transactionsPath}?status=${'normal,'.repeat(1_500)}normal`)).toBe(200);
    expect(await statusOf(`${transactionsPath}?${'status=normal&'.repeat(900)}`)).toBe(200);
    expect(await statusOf(`${transactionsPath}?memberId=${'y'.repeat(12_000)}`)).toBe(400);
  });

  test.each([
    '__proto__=x',
    'constructor=x',
    '__proto__[page]=x',
    'toString=x',
    'page[]=1',
    'page[a]=1',
    '=',
    '&&&',
    '%',
    '%zz=%zz',
    '%00=%00',
    'a=%ff',
  ])('ignores unusual parameter names: %s', async (query) => {
    expect(await statusOf(`${transactionsPath}?${query}`)).toBe(200);
  });

  test('accepts or rejects any text in any parameter', async () => {
    const name = fc.constantFrom(
      'groupId',
      'pageSize',
      'cursor',
      'page',
      'startDate',
      'endDate',
      'origin',
      'status',
      'code',
      'codeScope',
      'memberId',
      'playerId',
      'providerId',
      'sort',
    );
    const value = fc.oneof(fc.string(), fc.string({ unit: 'binary' })).filter((text) => text.isWellFormed());
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, value, { minKeys: 1, maxKeys: 4 }), async (query) => {
        expect([200, 400, 404]).toContain(
          await statusOf(`${transactionsPath}?${new URLSearchParams(query)}`),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('accepts or rejects any text as a transactionId', async () => {
    const text = fc
      .string({ unit: 'binary', minLength: 1 })
      .filter((each) => each.isWellFormed() && !/^\.{1,2}$/.test(each));
    await fc.assert(
      fc.asyncProperty(text, async (transactionId) => {
        const { status, body } = await get(transactionId);
        // An earlier test may have recorded one of the short ids.
        if (status === 200) expect(body).toMatchObject([{ transactionId }]);
        else expect([400, 404]).toContain(status);
      }),
      { numRuns: 200 },
    );
  });
});
