import { describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { useTransactions } from '../../../test/transactions.ts';

const { record, get, list, countRows } = useTransactions();

const everyField = () =>
  purchase({
    code: 'alice',
    status: 'Test',
    total: 1_299,
    totalCurrency: 'EUR',
    platform: 'Switch',
    playerId: 'buyer',
    playerName: 'Bü "y" \\er {,}',
    skuId: 'battle-pass',
    memberSharePercent: 12.3456,
    transactionDate: '2026-05-01T14:00:00.123456+02:00',
    metrics: {
      joinDate: '2020-02-29T00:00:00Z',
      conversion: {
        lastPurchase: { date: '2026-04-01T00:00:00Z', platform: 'Nokia' },
        totalSpendToDate: { total: 12.5, currency: 'EUR' },
      },
    },
  });

describe('a recorded purchase', () => {
  test('is returned as it was sent by create, get and list', async () => {
    const sent = everyField();
    const created = await record(sent);
    expect(created.status).toBe(200);
    expect(created.body).toEqual({
      transaction: {
        ...sent,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        code: 'ALICE',
        memberPlayerId: 'p-1',
        origin: 'api',
        memberPaid: false,
        transactionDate: '2026-05-01T12:00:00.123Z',
        metrics: {
          joinDate: '2020-02-29T00:00:00.000Z',
          conversion: {
            lastPurchase: { date: '2026-04-01T00:00:00.000Z', platform: 'Nokia' },
            totalSpendToDate: { total: 12.5, currency: 'EUR' },
          },
        },
      },
    });
    const read = await get(sent.transactionId);
    expect(read.text).toBe(`[${created.text}]`);
    const listed = await list('status=test');
    expect(listed.text).toBe(`[${created.text}]`);
  });

  test('defaults total and totalCurrency to subtotal and currency, and leaves absent values out', async () => {
    const sent = purchase({ subtotal: 1, currency: 'JPY' });
    const { body } = await record(sent);
    expect(body).toEqual({
      transaction: {
        ...sent,
        id: expect.any(String),
        memberPlayerId: 'p-1',
        status: 'Normal',
        origin: 'api',
        total: 1,
        totalCurrency: 'JPY',
        memberPaid: false,
      },
    });
  });

  test('accepts the largest amount and the smallest total', async () => {
    const { body } = await record(purchase({ subtotal: Number.MAX_SAFE_INTEGER, total: 0 }));
    expect(body.transaction).toMatchObject({ subtotal: Number.MAX_SAFE_INTEGER, total: 0 });
  });

  test.each(['Normal', 'Test'])('keeps the status %s', async (status) => {
    const { body } = await record(purchase({ status }));
    expect(body.transaction.status).toBe(status);
  });

  test.each([
    'Refund',
    'Fraud',
    'Chargeback',
    'test',
    'NORMAL',
    '',
    'x'.repeat(10_000),
    '\ud800',
    '\0',
    5,
    true,
    null,
    [],
    {},
    ['Test'],
  ])('is Normal if its status is %j', async (status) => {
    const { status: answered, body } = await record(purchase({ status }));
    expect(answered).toBe(200);
    expect(body.transaction.status).toBe('Normal');
  });

  test("ignores unknown fields and the service's own fields", async () => {
    const { status, body } = await record(
      purchase({
        id: 'mine',
        memberPlayerId: 'p-other',
        memberShareAmount: 'a lot',
        memberPaid: true,
        origin: 'webshopCode',
        somethingElse: { deep: [1] },
        metrics: { unknown: 1, conversion: { lastPurchase: { platform: 'PC', unknown: 2 }, unknown: 3 } },
      }),
    );
    expect(status).toBe(200);
    expect(body.transaction).toMatchObject({ memberPlayerId: 'p-1', memberPaid: false, origin: 'api' });
    expect(body.transaction.id).not.toBe('mine');
    expect(body.transaction).not.toHaveProperty('memberShareAmount');
    expect(body.transaction).not.toHaveProperty('somethingElse');
    expect(body.transaction.metrics).toEqual({ conversion: { lastPurchase: { platform: 'PC' } } });
  });

  test('reads the older lastPurchaseDate unless lastPurchase.date is sent', async () => {
    const older = await record(
      purchase({ metrics: { conversion: { lastPurchaseDate: '2026-01-02T00:00:00+01:00' } } }),
    );
    expect(older.body.transaction.metrics).toEqual({
      conversion: { lastPurchase: { date: '2026-01-01T23:00:00.000Z' } },
    });
    const both = await record(
      purchase({
        metrics: {
          conversion: {
            lastPurchase: { date: '2026-03-03T00:00:00Z' },
            lastPurchaseDate: '2026-01-02T00:00:00Z',
          },
        },
      }),
    );
    expect(both.body.transaction.metrics.conversion.lastPurchase.date).toBe('2026-03-03T00:00:00.000Z');
  });

  test.each([
    {},
    { conversion: { totalSpendToDate: { total: 0, currency: 'EUR' } } },
    { joinDate: '1970-01-01T00:00:00Z' },
  ])('accepts the metrics %j', async (metrics) => {
    expect((await record(purchase({ metrics }))).status).toBe(200);
  });

  test.each(['1970-01-01T00:00:00.000Z', '2100-12-31T23:59:59.999Z', '2024-02-29T12:00:00.000Z'])(
    'accepts the date %s',
    async (transactionDate) => {
      const { body } = await record(purchase({ transactionDate }));
      expect(body.transaction.transactionDate).toBe(transactionDate);
    },
  );
});

describe('a transactionId', () => {
  const everyByte = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');
  test.each([
    'a/b',
    '%2F',
    '%',
    '%00',
    'a b',
    ' ',
    '?',
    '#',
    '..',
    '.',
    'a+b',
    '"',
    '\\',
    "'",
    '{,}',
    'NULL',
    'null',
    '😀',
    'e\u0301',
    '\u00e9',
    '\ufeffbom',
    '\u2028',
    '1',
    'A',
    '😀'.repeat(255),
    'x'.repeat(255),
    everyByte,
  ])('is preserved byte for byte in body and path: %j', async (transactionId) => {
    expect((await record(purchase({ transactionId }))).body.transaction.transactionId).toBe(transactionId);
    if (/^\.{1,2}$/.test(transactionId)) return; // URL clients remove these from a path, even percent-encoded
    const { status, body } = await get(transactionId);
    expect(status).toBe(200);
    expect(body).toHaveLength(1);
    expect(body[0].transaction.transactionId).toBe(transactionId);
  });

  test('is case-sensitive', async () => {
    await record(purchase({ transactionId: 'case-a' }));
    expect((await record(purchase({ transactionId: 'CASE-A' }))).status).toBe(200);
    expect((await get('Case-a')).status).toBe(404);
  });
});

describe('text', () => {
  test.each([
    '',
    ' ',
    '"',
    '\\',
    '\\"',
    "'; drop table attribution; --",
    '{',
    '}',
    '{}',
    '{a,b}',
    ',',
    'NULL',
    'null',
    '\\N',
    '\n\r\t',
    '\u0001',
    '\\u0000',
    '$1',
    '%s',
    '😀"\\',
    '"NULL"',
    '(a,"b")',
    'a\\',
    '  padded  ',
  ])('%j is stored unchanged in every text field', async (text) => {
    const sent = purchase({
      description: text,
      playerId: text,
      playerName: text,
      skuId: text,
      metrics: { conversion: { lastPurchase: { platform: text } } },
    });
    const created = await record(sent);
    expect(created.status).toBe(200);
    const [{ transaction }] = (await get(sent.transactionId)).body;
    expect(transaction).toMatchObject({ description: text, playerId: text, playerName: text, skuId: text });
    expect(transaction.metrics.conversion.lastPurchase.platform).toBe(text);
  });
});

describe('a list of purchases', () => {
  test('returns a list in the order sent, even for one entry', async () => {
    const one = await record([purchase()]);
    expect(one.body).toHaveLength(1);
    const sent = ['z', 'a', 'm'].map((name) =>
      purchase({ transactionId: `order-${name}`, description: name }),
    );
    const { status, body } = await record(sent);
    expect(status).toBe(200);
    expect(
      body.map((each: { transaction: { description: string } }) => each.transaction.description),
    ).toEqual(['z', 'a', 'm']);
  });

  test('may repeat a transactionId: a split is returned in the order sent, each row with its own id', async () => {
    const { transactionId } = purchase();
    const parts = ['ALICE', 'BOB', 'ALICE'].map((code, index) =>
      purchase({ transactionId, code, subtotal: index + 1 }),
    );
    const created = await record(parts);
    expect(created.status).toBe(200);
    const read = await get(transactionId);
    expect(read.text).toBe(created.text);
    const rows = read.body.map((each: { transaction: Record<string, unknown> }) => each.transaction);
    expect(rows.map(({ code, subtotal }: Record<string, unknown>) => [code, subtotal])).toEqual([
      ['ALICE', 1],
      ['BOB', 2],
      ['ALICE', 3],
    ]);
    expect(new Set(rows.map(({ id }: Record<string, unknown>) => id)).size).toBe(3);
  });

  test('may have splits of several purchases, in any order', async () => {
    const one = purchase().transactionId;
    const other = purchase().transactionId;
    const sent = [one, other, one, other, one].map((transactionId) => purchase({ transactionId }));
    expect((await record(sent)).status).toBe(200);
    expect((await get(one)).body).toHaveLength(3);
    expect((await get(other)).body).toHaveLength(2);
  });

  test('may have up to 1,000 entries', async () => {
    const before = await countRows();
    const entries = Array.from({ length: 1_000 }, () => purchase());
    const full = await record(entries);
    expect(full.status).toBe(200);
    expect(full.body).toHaveLength(1_000);
    expect(await countRows()).toBe(before + 1_000);
    const { transactionId } = purchase();
    const split = await record(Array.from({ length: 1_000 }, () => purchase({ transactionId })));
    expect(split.status).toBe(200);
    const over = await record(
      [...entries, purchase()].map((entry) =>
        purchase({ ...entry, transactionId: purchase().transactionId }),
      ),
    );
    expect(over.status).toBe(400);
    expect((await record([])).status).toBe(400);
    expect(await countRows()).toBe(before + 2_000);
  });
});
