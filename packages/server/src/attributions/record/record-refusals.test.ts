import { describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import type { Answer } from '../../../test/test-service.ts';
import { transactionsPath, useTransactions } from '../../../test/transactions.ts';

const { service, keys, record, get, countRows } = useTransactions();

/** Runs a request that must be rejected, and checks that nothing was saved. */
async function savesNothing(work: () => Promise<Answer>): Promise<Answer> {
  const before = await countRows();
  const answer = await work();
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(await countRows()).toBe(before);
  return answer;
}

/** Expects a 400 with only a message, because the contract doesn't define a stable code for this error. */
function expectMessageOnly({ status, body, headers }: Answer, words: RegExp): void {
  expect(status).toBe(400);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(body).toEqual({ message: expect.stringMatching(words) });
}

describe('a purchase that is already recorded', () => {
  test('is rejected with 409 and the bare status text, even with another code and amount', async () => {
    const sent = purchase();
    await record(sent);
    const again = await savesNothing(() => record({ ...sent, code: 'BOB', subtotal: 5 }));
    expect(again.status).toBe(409);
    expect(again.text).toBe('Conflict');
    expect(again.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const [{ transaction }] = (await get(sent.transactionId)).body;
    expect(transaction).toMatchObject({ code: 'ALICE', subtotal: 999 });
  });

  test('is also rejected in another of the publisher’s groups', async () => {
    const sent = purchase();
    await record(sent);
    const again = await savesNothing(() => record({ ...sent, code: 'DORA' }, { query: '?groupId=moba' }));
    expect(again.status).toBe(409);
  });

  test('is rejected as an additional row of its split', async () => {
    const { transactionId } = purchase();
    await record([purchase({ transactionId }), purchase({ transactionId })]);
    expect((await savesNothing(() => record(purchase({ transactionId })))).status).toBe(409);
    expect((await savesNothing(() => record([purchase({ transactionId })]))).status).toBe(409);
    expect(
      (await savesNothing(() => record([purchase({ transactionId }), purchase({ transactionId })]))).status,
    ).toBe(409);
  });

  test('rejects its whole list, at any position', async () => {
    const known = purchase();
    await record(known);
    for (const place of [0, 1, 2]) {
      const sent: unknown[] = [purchase(), purchase()];
      sent.splice(place, 0, known);
      const { status, text } = await savesNothing(() => record(sent));
      expect([status, text]).toEqual([409, 'Conflict']);
    }
  });

  test('can be recorded after a rejected request', async () => {
    const sent = purchase();
    await savesNothing(() => record([sent, purchase({ code: 'UNKNOWN' })]));
    expect((await record(sent)).status).toBe(200);
  });
});

describe('a list with one invalid entry saves nothing', () => {
  test.each([
    ['an unknown code', { code: 'UNKNOWN' }, /^\[1\]\.code /],
    ['a disabled currency', { currency: 'BTC' }, /^\[1\]\.currency BTC is disabled/],
    ['a subtotal of 0', { subtotal: 0 }, /^\[1\]\.subtotal /],
    ['a fraction of a cent', { subtotal: 1.5 }, /^\[1\]\.subtotal /],
    ['a missing description', { description: undefined }, /^\[1\]\.description is required/],
    ['an empty conversion', { metrics: { conversion: {} } }, /^\[1\]\.metrics\.conversion /],
  ])('%s', async (_what, changes, words) => {
    expectMessageOnly(await savesNothing(() => record([purchase(), purchase(changes), purchase()])), words);
    const { transactionId } = purchase();
    const split = [
      purchase({ transactionId }),
      purchase({ transactionId, ...changes }),
      purchase({ transactionId }),
    ];
    expectMessageOnly(await savesNothing(() => record(split)), words);
  });
});

describe('the error of a rejected purchase names the field and the problem, without a code', () => {
  test.each(['code', 'description', 'subtotal', 'currency', 'transactionId', 'transactionDate'])(
    'without %s',
    async (name) => {
      const answer = await savesNothing(() => record(purchase({ [name]: undefined })));
      expectMessageOnly(answer, new RegExp(`^${name} is required$`));
    },
  );

  test.each([
    [{ currency: 'BTC' }, /currency BTC is disabled by the creator group/],
    [{ totalCurrency: 'BTC', total: 1 }, /currency BTC is disabled by the creator group/],
    [{ totalCurrency: 'BTC' }, /currency BTC is disabled by the creator group/],
    [{ code: 'UNKNOWN' }, /^code is not the code of an approved member/],
    [{ currency: 'usd' }, /^currency /],
    [{ currency: 'XXX' }, /^currency /],
    [{ totalCurrency: 'BRB' }, /^totalCurrency /],
    [{ subtotal: 0 }, /^subtotal /],
    [{ subtotal: 2 ** 53 }, /^subtotal /],
    [{ total: -1 }, /^total /],
    [{ total: 0.5 }, /^total /],
    [{ total: 2 ** 53 }, /^total /],
    [{ memberSharePercent: 0.999 }, /^memberSharePercent /],
    [{ memberSharePercent: 100.001 }, /^memberSharePercent /],
    [{ platform: 'pc' }, /^platform must be one of PC, /],
    [{ transactionDate: '2026-02-30T00:00:00Z' }, /^transactionDate must be a timestamp/],
    [{ transactionDate: '2026-05-01T12:00:00' }, /^transactionDate /],
    [{ transactionDate: '2026-05-01' }, /^transactionDate /],
    [{ transactionDate: '2026-05-01T24:00:00Z' }, /^transactionDate /],
    [{ transactionDate: '2026-05-01T12:00:60Z' }, /^transactionDate /],
    [{ transactionDate: '1969-12-31T23:59:59Z' }, /^transactionDate /],
    [{ transactionDate: '2101-01-01T00:00:00Z' }, /^transactionDate /],
    [{ transactionDate: 1_777_000_000 }, /^transactionDate /],
    [{ metrics: { conversion: {} } }, /^metrics\.conversion requires /],
    [{ metrics: { conversion: { lastPurchase: {} } } }, /^metrics\.conversion requires /],
    [{ metrics: { conversion: { totalSpendToDate: { total: 1 } } } }, /currency is required$/],
    [{ metrics: { conversion: { totalSpendToDate: { currency: 'USD' } } } }, /total is required$/],
    [{ metrics: { conversion: { totalSpendToDate: { total: -1, currency: 'USD' } } } }, /^metrics\./],
    [{ metrics: { joinDate: 'yesterday' } }, /^metrics\.joinDate /],
    [{ transactionId: '' }, /^transactionId must not be empty/],
    [{ transactionId: 'x'.repeat(256) }, /^transactionId /],
    [{ transactionId: 'a\nb' }, /^transactionId /],
    [{ transactionId: 'a\u007fb' }, /^transactionId /],
    [{ transactionId: 'a\u0085b' }, /^transactionId /],
    [{ description: 'x'.repeat(2_001) }, /^description /],
    [{ playerName: 'x'.repeat(256) }, /^playerName /],
  ])('%j', async (changes, words) => {
    expectMessageOnly(await savesNothing(() => record(purchase(changes))), words);
  });

  test('and the error of an invalid query parameter has the same form', async () => {
    expectMessageOnly(
      await savesNothing(() => record(purchase(), { query: '?useLDCurrency=maybe' })),
      /^useLDCurrency /,
    );
    expectMessageOnly(
      await savesNothing(() => record(purchase(), { query: '?useLDCurrency=true&useLDCurrency=true' })),
      /^useLDCurrency may be given only once/,
    );
    expectMessageOnly(
      await savesNothing(() => record(purchase(), { query: '?groupId=main&groupId=main' })),
      /^groupId may be given only once/,
    );
  });
});

describe('a groupId that does not resolve', () => {
  test.each(['nowhere', 'MAIN', 'hidden', '%00', '%F0%9F%98%80', '..'])(
    '%s is rejected with 400 and plain text',
    async (groupId) => {
      const answer = await savesNothing(() => record(purchase(), { query: `?groupId=${groupId}` }));
      expect(answer.status).toBe(400);
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(answer.text).toBe('No creator group was found for the groupId.');
    },
  );

  test('is rejected before the code is looked up', async () => {
    const answer = await savesNothing(() =>
      record(purchase({ code: 'UNKNOWN' }), { query: '?groupId=nowhere' }),
    );
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });
});

test('rejects a body that is not JSON with 415', async () => {
  const before = await countRows();
  const send = (headers: Record<string, string>) =>
    service().call('POST', transactionsPath, {
      key: keys().backend,
      headers,
      raw: JSON.stringify(purchase()),
    });
  for (const type of [
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'json',
    'text/json',
  ]) {
    expect((await send({ 'content-type': type })).status, type).toBe(415);
  }
  expect(await countRows()).toBe(before);
  expect((await send({ 'content-type': 'application/json; charset=utf-8' })).status).toBe(200);
});
