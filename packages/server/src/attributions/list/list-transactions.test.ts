import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { rawRequest } from '../../../test/raw-request.ts';
import { asOperator } from '../../../test/test-database.ts';
import { idsOf, transactionsPath, useTransactions } from '../../../test/transactions.ts';

const { service, keys, record, list, patch } = useTransactions();

/** Purchases by transactionId, one per day in this order. Each has fields that filters can match. */
const rows: Record<string, Record<string, unknown>> = {
  alice: { code: 'ALICE' },
  'alice-own': { code: 'AL-1' },
  bob: { code: 'BOB' },
  test: { code: 'BOB', status: 'Test' },
  refunded: { code: 'ALICE' },
  fraud: { code: 'BOB' },
  chargeback: { code: 'BOB' },
  eve: { code: 'EVE' },
};
const day = (index: number): string => `2026-03-${String(index + 1).padStart(2, '0')}T00:00:00.000Z`;
const all = Object.keys(rows);
const newestFirst = all.toReversed();

beforeAll(async () => {
  await service().provision(`
publisher: { id: aurora }
groups:
  - { id: main, members: [ { id: acc_eve, playerId: p-eve, codes: [ { code: EVE } ], identities: [ { provider: apple, id: "123" } ] } ] }
`);
  for (const [index, [transactionId, changes]] of Object.entries(rows).entries()) {
    await record(purchase({ transactionId, transactionDate: day(index), ...changes }));
  }
  await patch('refunded', { json: { action: 'Refund' } });
  await patch('fraud', { json: { action: 'Fraud' } });
  await patch('chargeback', { json: { action: 'Chargeback' } });
  await record(purchase({ transactionId: 'moba', code: 'MOBA-AL' }), { query: '?groupId=moba' });
  // The API can't record rows with other origins, so the test changes the origins in the database.
  for (const [transactionId, origin] of [
    ['alice-own', 'webshopCode'],
    ['bob', 'storefrontCode'],
  ]) {
    await asOperator(
      service().testDatabase,
      sql`update attribution set origin = ${origin ?? ''} where transaction_id = ${transactionId ?? ''}`,
    );
  }
  await service().provision(
    '{ publisher: { id: aurora }, groups: [ { id: main, members: [ { id: acc_eve, status: Removed } ] } ] }',
  );
});

const listed = async (query: string): Promise<string[]> => {
  const answer = await list(query);
  expect(answer.status, answer.text).toBe(200);
  return idsOf(answer);
};

describe('without filters', () => {
  test('returns every row of the default group, of every status and origin, newest first', async () => {
    expect(await listed('')).toEqual(newestFirst);
  });

  test('sort reverses the order', async () => {
    expect(await listed('sort=transactionDate:asc')).toEqual(all);
    expect(await listed('sort=transactionDate%3Adesc')).toEqual(newestFirst);
  });

  test("groupId returns only that group's rows", async () => {
    expect(await listed('groupId=moba')).toEqual(['moba']);
  });

  test('ignores an unknown parameter', async () => {
    expect(await listed('color=red&color=blue')).toEqual(newestFirst);
  });

  test.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded'])(
    'ignores a body of any type: %s',
    async (type) => {
      const head = [
        `GET ${transactionsPath}?status=test HTTP/1.1`,
        'host: x',
        `x-shared-secret: ${keys().backend}`,
        `content-type: ${type}`,
        'content-length: 7',
        'connection: close',
      ];
      const { status, text } = await rawRequest(service().url, head, '{broken');
      expect([status, JSON.parse(text)]).toEqual([200, (await list('status=test')).body]);
    },
  );
});

describe('status', () => {
  test.each([
    ['status=normal', ['eve', 'bob', 'alice-own', 'alice']],
    ['status=NORMAL', ['eve', 'bob', 'alice-own', 'alice']],
    ['status=test', ['test']],
    ['status=Refund', ['refunded']],
    ['status=fraud', ['fraud']],
    ['status=chargeback', ['chargeback']],
    ['status=refund,fraud', ['fraud', 'refunded']],
    ['status=refund&status=Fraud', ['fraud', 'refunded']],
    ['status=refund,fraud&status=chargeBack,test', ['chargeback', 'fraud', 'refunded', 'test']],
    ['status=normal,normal', ['eve', 'bob', 'alice-own', 'alice']],
    ['status=normal,test,refund,fraud,chargeback', newestFirst],
  ])('%s', async (query, expected) => {
    expect(await listed(query)).toEqual(expected);
  });
});

describe('origin', () => {
  test.each([
    ['origin=api', newestFirst.filter((id) => id !== 'bob' && id !== 'alice-own')],
    ['origin=webshopCode', ['alice-own']],
    ['origin=webshopCode,storefrontCode', ['bob', 'alice-own']],
    ['origin=webshopCode&origin=storefrontCode', ['bob', 'alice-own']],
    ['origin=api,webshopCode,storefrontCode', newestFirst],
    ['origin=webshopCode&status=refund', []],
  ])('%s', async (query, expected) => {
    expect(await listed(query)).toEqual(expected);
  });
});

describe('startDate and endDate are inclusive', () => {
  test.each([
    [`startDate=${day(6)}`, ['eve', 'chargeback']],
    [`startDate=2026-03-07T00:00:00.001Z`, ['eve']],
    [`endDate=${day(1)}`, ['alice-own', 'alice']],
    [`endDate=2026-03-01T23:59:59.999Z`, ['alice']],
    [`startDate=${day(2)}&endDate=${day(3)}`, ['test', 'bob']],
    [`startDate=${day(2)}&endDate=${day(2)}`, ['bob']],
    [`startDate=${day(3)}&endDate=${day(2)}`, []],
    ['startDate=2026-03-08T02:00:00%2B02:00', ['eve']],
    ['startDate=2026-03-08T02:00:00+02:00', ['eve']],
    ['endDate=2026-03-01T02:00:00+02:00', ['alice']],
    ['endDate=2026-02-28T22:00:00-02:00', ['alice']],
  ])('%s', async (query, expected) => {
    expect(await listed(query)).toEqual(expected);
  });
});

describe('member filters', () => {
  const alices = ['refunded', 'alice-own', 'alice'];
  const bobs = ['chargeback', 'fraud', 'test', 'bob'];
  test.each([
    ['code=ALICE', alices],
    ['code=alice&codeScope=member', alices],
    ['code=AL-1', alices],
    ['code=OLD', alices],
    ['code=ALICE&codeScope=code', ['refunded', 'alice']],
    ['code=al-1&codeScope=code', ['alice-own']],
    ['code=UNKNOWN&codeScope=code', []],
    ['codeScope=code', newestFirst],
    ['memberId=acc_bob', bobs],
    ['memberId=acc_bob&status=normal', ['bob']],
    ['memberId=acc_pending', []],
    ['playerId=p-2', bobs],
    ['providerId=456', alices],
  ])('%s', async (query, expected) => {
    expect(await listed(query)).toEqual(expected);
  });

  test('a providerId that several providers use finds all of its members, as one list', async () => {
    expect(await listed('providerId=123')).toEqual(newestFirst);
    expect(await listed('providerId=123&sort=transactionDate:asc&status=normal')).toEqual([
      'alice',
      'alice-own',
      'bob',
      'eve',
    ]);
  });

  test.each(['code=EVE', 'memberId=acc_eve', 'playerId=p-eve', 'code=EVE&codeScope=code'])(
    'finds a removed member: %s',
    async (query) => {
      expect(await listed(query)).toEqual(['eve']);
    },
  );

  test.each([
    'code=UNKNOWN',
    'code=MOBA-AL',
    'code=DORA',
    'memberId=acc_unknown',
    'memberId=ACC_BOB',
    'playerId=p-9',
    'providerId=0',
    'code=%25',
    'memberId=%F0%9F%98%80',
  ])('rejects a filter that matches no member of the group with MemberNotFound: %s', async (query) => {
    const { status, body } = await list(query);
    expect([status, body.code]).toEqual([404, 'MemberNotFound']);
  });

  test('a global code hidden by a group code finds the member of the group code', async () => {
    const { status, body } = await list('groupId=moba&code=BOB');
    expect([status, body]).toEqual([200, []]);
    expect(await listed('groupId=moba&playerId=p-9')).toEqual([]);
  });
});

describe('uses the first of playerId, memberId, providerId and code if several are given', () => {
  test.each([
    ['playerId=p-2&memberId=acc_alice&providerId=456&code=ALICE', 'p-2'],
    ['code=ALICE&providerId=456&memberId=acc_alice&playerId=p-2', 'p-2'],
    ['memberId=acc_bob&providerId=456&code=ALICE', 'p-2'],
    ['providerId=456&code=BOB', 'p-1'],
    ['playerId=p-1&memberId=unknown&providerId=0&code=UNKNOWN', 'p-1'],
  ])('%s', async (query, player) => {
    expect(await listed(query)).toEqual(await listed(`playerId=${player}`));
  });

  test('and ignores the others, including codeScope, valid or not', async () => {
    expect(await listed('memberId=acc_bob&code=ALICE&codeScope=code')).toEqual(
      await listed('memberId=acc_bob'),
    );
    expect((await list('playerId=unknown&memberId=acc_bob')).body.code).toBe('MemberNotFound');
  });
});

test('returns an empty list for a group without purchases', async () => {
  const { status, body, headers } = await list('', { key: keys().rival });
  expect([status, body]).toEqual([200, []]);
  expect(headers.has('x-next-cursor') || headers.has('link')).toBe(false);
});
