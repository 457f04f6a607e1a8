import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { purchase } from '../../test/fixtures.ts';
import { useTransactions } from '../../test/transactions.ts';

const { service, keys, record, get, patch } = useTransactions();

async function recorded(rows = 1, changes: Record<string, unknown> = {}): Promise<string> {
  const { transactionId } = purchase();
  const answer = await record(Array.from({ length: rows }, () => purchase({ transactionId, ...changes })));
  expect(answer.status).toBe(200);
  return transactionId;
}

interface Payment {
  is_fraud: boolean;
  refunds: { action: string; reverses_money: boolean }[];
}

async function paymentsOf(transactionId: string): Promise<Payment[]> {
  const { rows } = await sql<Payment>`
    select p.is_fraud,
           (select coalesce(json_agg(json_build_object('action', r.action, 'reverses_money', r.reverses_money)
                                     order by r.refund_id), '[]')
            from refund_record r
            where r.publisher_id = p.publisher_id and r.attribution_id = p.attribution_id) as refunds
    from attribution a
    join payment p using (publisher_id, attribution_id)
    where a.publisher_id = 'aurora' and a.transaction_id = ${transactionId}
    order by a.attribution_id`.execute(service().testDatabase.database.db);
  return rows;
}

const fieldOf = (body: { transaction: Record<string, unknown> }[], field: string): unknown[] =>
  body.map(({ transaction }) => transaction[field]);

describe('an action', () => {
  test.each(['Refund', 'Fraud', 'Chargeback'])(
    '%s becomes the status of every row, from form and JSON alike',
    async (action) => {
      for (const body of [{ form: { action } }, { json: { action } }]) {
        const transactionId = await recorded(3);
        const answer = await patch(transactionId, body);
        expect(answer.status).toBe(200);
        expect(fieldOf(answer.body, 'status')).toEqual([action, action, action]);
        expect((await get(transactionId)).text).toBe(answer.text);
        expect(await paymentsOf(transactionId)).toEqual(
          Array.from({ length: 3 }, () => ({
            is_fraud: action === 'Fraud',
            refunds: [{ action, reverses_money: true }],
          })),
        );
      }
    },
  );

  test('appends a refund record each time, and only the first reverses money', async () => {
    const transactionId = await recorded(2);
    const actions = ['Refund', 'Refund', 'Fraud', 'Chargeback', 'Refund'];
    for (const action of actions) {
      expect((await patch(transactionId, { form: { action } })).status).toBe(200);
    }
    const refunds = actions.map((action, index) => ({ action, reverses_money: index === 0 }));
    expect(await paymentsOf(transactionId)).toEqual([
      { is_fraud: true, refunds },
      { is_fraud: true, refunds },
    ]);
    expect(fieldOf((await get(transactionId)).body, 'status')).toEqual(['Refund', 'Refund']);
  });

  test('works on a Test row, which remains a test and gets no payment', async () => {
    const transactionId = await recorded(1, { status: 'Test' });
    expect(fieldOf((await patch(transactionId, { form: { action: 'Refund' } })).body, 'status')).toEqual([
      'Refund',
    ]);
    const { rows } =
      await sql`select is_test, status from attribution where transaction_id = ${transactionId}`.execute(
        service().testDatabase.database.db,
      );
    expect(rows).toEqual([{ is_test: true, status: 'Refund' }]);
    expect(await paymentsOf(transactionId)).toEqual([]);
  });

  test('changes nothing else in the row', async () => {
    const transactionId = await recorded(1, { playerId: 'buyer', memberSharePercent: 33.3, skuId: 's' });
    const [before] = (await get(transactionId)).body;
    const [after] = (await patch(transactionId, { json: { action: 'Fraud' } })).body;
    expect(after).toEqual({ transaction: { ...before.transaction, status: 'Fraud' } });
  });

  test('does not affect other purchases', async () => {
    const other = await recorded();
    const before = (await get(other)).text;
    await patch(await recorded(), { form: { action: 'Refund' } });
    expect((await get(other)).text).toBe(before);
    expect(await paymentsOf(other)).toEqual([]);
  });

  test('reverses the money once when sent twenty times at once', async () => {
    const transactionId = await recorded(3);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        patch(transactionId, { form: { action: index % 2 ? 'Refund' : 'Chargeback' } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    for (const { refunds } of await paymentsOf(transactionId)) {
      expect(refunds).toHaveLength(20);
      expect(refunds.filter(({ reverses_money }) => reverses_money)).toHaveLength(1);
    }
  });
});

describe('a playerId', () => {
  test.each(['new-buyer', '', '0', 'Bü "y" \\er {,}', '😀', 'x'.repeat(255), '+1 2%'])(
    '%j overwrites the stored one and does not change payments',
    async (playerId) => {
      for (const body of [{ form: { playerId } }, { json: { playerId } }]) {
        const transactionId = await recorded(2, { playerId: 'old' });
        const answer = await patch(transactionId, body);
        expect(answer.status).toBe(200);
        expect(fieldOf(answer.body, 'playerId')).toEqual([playerId, playerId]);
        expect(fieldOf(answer.body, 'status')).toEqual(['Normal', 'Normal']);
        expect((await get(transactionId)).text).toBe(answer.text);
        expect(await paymentsOf(transactionId)).toEqual([]);
      }
    },
  );

  test('can be sent together with an action', async () => {
    const transactionId = await recorded();
    const { body } = await patch(transactionId, { form: { action: 'Fraud', playerId: 'thief' } });
    expect(body[0].transaction).toMatchObject({ status: 'Fraud', playerId: 'thief' });
  });
});

describe('rejects any other body with 400 InvalidInput and changes nothing', () => {
  test.each<[string, Parameters<typeof patch>[1]]>([
    ['an additional property', { form: { action: 'Refund', reason: 'x' } }],
    ['only an unknown property', { json: { status: 'Refund' } }],
    ['an action in another case', { form: { action: 'refund' } }],
    ['an unknown action', { form: { action: 'Normal' } }],
    ['an empty action', { form: { action: '' } }],
    ['an action twice', { form: 'action=Refund&action=Refund' }],
    ['a playerId twice', { form: 'playerId=a&playerId=b' }],
    ['a playerId with brackets', { form: 'playerId[]=a' }],
    ['neither property', { json: {} }],
    ['an empty form', { form: '' }],
    ['an empty JSON body', { raw: '', headers: { 'content-type': 'application/json' } }],
    ['broken JSON', { raw: '{"action":', headers: { 'content-type': 'application/json' } }],
    ['null', { json: null }],
    ['a list', { json: [{ action: 'Refund' }] }],
    ['a string', { json: 'Refund' }],
    ['an action of another type', { json: { action: ['Refund'] } }],
    ['null for an action', { json: { action: null, playerId: 'p' } }],
    ['a number for a playerId', { json: { playerId: 5 } }],
    ['null for a playerId', { json: { playerId: null } }],
    ['a playerId of 256 characters', { form: { playerId: 'x'.repeat(256) } }],
    ['U+0000', { form: 'playerId=a%00b' }],
    ['a lone surrogate', { json: { playerId: '\ud800' } }],
    [
      '__proto__',
      { raw: '{"action":"Refund","__proto__":{}}', headers: { 'content-type': 'application/json' } },
    ],
    ['__proto__ in a form', { form: 'action=Refund&__proto__=x' }],
    ['constructor', { form: 'action=Refund&constructor=x' }],
  ])('%s', async (_what, body) => {
    const transactionId = await recorded(1, { playerId: 'old' });
    const before = (await get(transactionId)).text;
    const answer = await patch(transactionId, body);
    expect([answer.status, answer.body?.code]).toEqual([400, 'InvalidInput']);
    expect((await get(transactionId)).text).toBe(before);
    expect(await paymentsOf(transactionId)).toEqual([]);
  });

  test('a missing body', async () => {
    const answer = await patch(await recorded(), {});
    expect([answer.status, answer.body.code]).toEqual([400, 'InvalidInput']);
  });

  test('a body of another type with 415 instead', async () => {
    const transactionId = await recorded();
    for (const type of ['text/plain', 'application/xml', 'multipart/form-data; boundary=x']) {
      const answer = await patch(transactionId, { raw: 'action=Refund', headers: { 'content-type': type } });
      expect([type, answer.status]).toEqual([type, 415]);
    }
    expect(await paymentsOf(transactionId)).toEqual([]);
  });
});

test('returns 404 NotFound for an unknown transactionId', async () => {
  for (const body of [{ form: { action: 'Refund' } }, { json: { playerId: 'p' } }]) {
    const answer = await patch('nowhere', body);
    expect([answer.status, answer.body.code]).toEqual([404, 'NotFound']);
  }
});

test('finds rows in all of the publisher’s groups, regardless of the key or groupId', async () => {
  for (const sent of [{ query: '?groupId=moba' }, { query: '?groupId=nowhere' }, { key: keys().moba }]) {
    const transactionId = await recorded();
    const answer = await patch(transactionId, { form: { action: 'Refund' } }, sent);
    expect(fieldOf(answer.body, 'status')).toEqual(['Refund']);
  }
});
