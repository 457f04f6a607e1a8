import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { useTransactions } from '../../../test/transactions.ts';

const { keys, record, list } = useTransactions();

const good: Record<string, string> = {
  groupId: 'main',
  pageSize: '1',
  cursor: '',
  page: '1',
  startDate: '2026-01-01T00:00:00Z',
  endDate: '2026-01-01T00:00:00Z',
  code: 'ALICE',
  codeScope: 'member',
  memberId: 'acc_alice',
  playerId: 'p-1',
  providerId: '123',
  sort: 'transactionDate:asc',
};
let cursor: string;
beforeAll(async () => {
  await record(Array.from({ length: 5 }, () => purchase()));
  await record(purchase(), { key: keys().rival, query: '' });
  cursor = (await list('pageSize=2')).headers.get('x-next-cursor') ?? '';
  expect(cursor).not.toBe('');
});

async function refusal(query: string, key = keys().backend): Promise<string> {
  const { status, body, headers } = await list(query, { key });
  expect([query, status]).toEqual([query, 400]);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Object.keys(body)).toEqual(['code', 'message']);
  return body.code;
}

describe('rejects an invalid parameter with 400 and its own code', () => {
  test.each([
    ['groupId', 'InvalidGroup', ['nowhere', 'hidden', 'MAIN', 'x', '%F0%9F%98%80', '%00']],
    ['page', 'InvalidPage', ['0', '-1', '10000', '1.5', 'one', '1e2', '0x1', '%201', '99999999999999999999']],
    [
      'pageSize',
      'InvalidPageSize',
      ['0', '-1', '1001', '1.5', 'all', '1e2', 'Infinity', '99999999999999999999'],
    ],
    [
      'startDate',
      'InvalidDate',
      ['today', '2026-01-01', '2026-02-30T00:00:00Z', '2026-01-01T00:00:00', '1700000000'],
    ],
    ['endDate', 'InvalidDate', ['2026-01-01T24:00:00Z', '1969-12-31T23:59:59Z', '2101-01-01T00:00:00Z']],
    ['status', 'InvalidStatus', ['paid', 'normal,', ',', 'normal,paid', 'normal;test', 'all']],
    ['origin', 'InvalidOrigin', ['API', 'web', 'api,', 'api,shop']],
    [
      'sort',
      'InvalidSort',
      ['transactionDate', 'transactionDate:up', 'subtotal:asc', 'transactionDate:ASC', 'transactiondate:asc'],
    ],
    ['codeScope', 'InvalidCodeScope', ['Member', 'group', 'code,member']],
    ['cursor', 'InvalidCursor', ['x', 'null', '%00', 'A'.repeat(56), 'A'.repeat(300), '%F0%9F%98%80']],
    ['code', 'InvalidInput', ['x'.repeat(256), '%00']],
    ['memberId', 'InvalidInput', ['x'.repeat(256), 'a%00b']],
    ['playerId', 'InvalidInput', ['x'.repeat(256), '%00']],
    ['providerId', 'InvalidInput', ['x'.repeat(256), '%00']],
  ])('%s: %s', async (name, code, values) => {
    for (const value of values) expect(await refusal(`${name}=${value}`)).toBe(code);
  });

  test('rejects control characters and broken UTF-8 before the database', async () => {
    for (const name of ['code', 'memberId', 'playerId', 'providerId', 'groupId']) {
      for (const value of ['%ED%A0%80', '%FF', '%C0%80', '%', '%zz']) {
        const { status } = await list(`${name}=${value}`);
        expect([name, value, status]).toEqual([name, value, 400]);
      }
    }
  });
});

test('treats an empty parameter as absent', async () => {
  const whole = await list();
  for (const name of Object.keys(good)) {
    const { status, text, headers } = await list(`${name}=`);
    expect([name, status, text]).toEqual([name, 200, whole.text]);
    expect(headers.get('x-total-count')).toBeNull();
  }
  expect((await list('pageSize=2&cursor=&status=&status=normal&sort=')).body).toEqual(whole.body.slice(0, 2));
});

describe('rejects a repeated parameter with 400 and its own code, except origin and status', () => {
  test.each([
    ['groupId', 'InvalidInput'],
    ['pageSize', 'InvalidPageSize'],
    ['cursor', 'InvalidCursor'],
    ['page', 'InvalidPage'],
    ['startDate', 'InvalidDate'],
    ['endDate', 'InvalidDate'],
    ['codeScope', 'InvalidCodeScope'],
    ['sort', 'InvalidSort'],
    ['code', 'InvalidInput'],
    ['memberId', 'InvalidInput'],
    ['playerId', 'InvalidInput'],
    ['providerId', 'InvalidInput'],
  ])('%s: %s', async (name, code) => {
    const value = encodeURIComponent(good[name] ?? '');
    expect(await refusal(`${name}=${value}&${name}=${value}`)).toBe(code);
  });
});

describe('a cursor is valid only for its own listing', () => {
  test.each([
    ['an added filter', 'pageSize=2&status=normal'],
    ['another group', 'pageSize=2&groupId=moba'],
    ['another order', 'pageSize=2&sort=transactionDate:asc'],
    ['a start date', 'startDate=1970-01-01T00:00:00Z'],
    ['an end date', 'endDate=2100-01-01T00:00:00Z'],
    ['a member', 'code=ALICE'],
    ['an origin', 'origin=api'],
    ['a code scope', 'codeScope=code'],
  ])('rejects it with %s', async (_what, query) => {
    expect(await refusal(`${query}&cursor=${cursor}`)).toBe('InvalidCursor');
  });

  test('rejects it for another publisher', async () => {
    expect(await refusal(`pageSize=2&cursor=${cursor}`, keys().rival)).toBe('InvalidCursor');
  });

  test('rejects it for a key of another group', async () => {
    expect(await refusal(`pageSize=2&cursor=${cursor}`, keys().moba)).toBe('InvalidCursor');
  });

  test('accepts changes that leave the listing the same: page size, spelling, an explicit default', async () => {
    for (const query of [
      'pageSize=3',
      'groupId=main',
      'sort=transactionDate:desc',
      'groupId=',
      'codeScope=member',
    ]) {
      expect((await list(`${query}&cursor=${cursor}`)).status).toBe(200);
    }
  });

  test('rejects it with any bit flipped', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(cursor.length - 1), fc.integer({ min: 0, max: 7 }), async (index, bit) => {
        const bytes = Buffer.from(cursor);
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
        const flipped = encodeURIComponent(bytes.toString('latin1'));
        expect(await refusal(`pageSize=2&cursor=${flipped}`)).toBe('InvalidCursor');
      }),
      { numRuns: 150 },
    );
  });

  test('rejects it when shortened, lengthened, padded or in another case', async () => {
    const edited = [
      cursor.slice(1),
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
      `${cursor}%3D`,
      `%20${cursor}`,
      `${cursor}%0A`,
      cursor.toLowerCase(),
      cursor.toUpperCase(),
    ];
    for (const each of edited) expect(await refusal(`pageSize=2&cursor=${each}`)).toBe('InvalidCursor');
  });
});
