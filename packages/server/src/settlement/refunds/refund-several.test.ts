import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { useBounties } from '../../../test/bounties.ts';

const money = useBounties();
const { service, keys, makeGroup, earn, settle, get, patch, query } = money;
afterEach(() => money.expectSound());

const several = (json: unknown, key = keys().backend) =>
  service().call('POST', '/v1/attributions/refunds', { key, json });

let purchases = 0;
/** Records a purchase of 10.00 in a group of its own. @returns its transactionId */
async function bought(): Promise<string> {
  purchases += 1;
  await makeGroup(`several-${purchases}`);
  return (await earn(`several-${purchases}`, 'A', 1_000)).transactionId;
}
const statusOf = async (transactionId: string): Promise<string> =>
  (await get(transactionId)).body[0].transaction.status;

describe('several refunds', () => {
  test('each have an outcome of their own, in the order of the request', async () => {
    const [whole, part, reversed] = [await bought(), await bought(), await bought()];
    await settle();
    expect(await patch(reversed, { form: { action: 'Refund' } })).toMatchObject({ status: 200 });
    const sent = [
      { transactionId: whole, refundId: 'a', reason: 'Chargeback' },
      { transactionId: 'never-recorded', refundId: 'b', reason: 'Refund' },
      { transactionId: part, refundId: 'c', amount: 400, reason: 'Refund' },
      { transactionId: part, refundId: 'd', amount: 700, reason: 'Refund' },
      { transactionId: part, refundId: 'c', amount: 300, reason: 'Refund' },
      { transactionId: reversed, refundId: 'e', amount: 1, reason: 'Refund' },
    ];
    const first = await several(sent);
    expect(first).toMatchObject({
      status: 200,
      body: [
        { transactionId: whole, refundId: 'a', refund: { amount: 1_000, reason: 'Chargeback' } },
        { transactionId: 'never-recorded', refundId: 'b', error: { status: 404, code: 'NotFound' } },
        { transactionId: part, refundId: 'c', refund: { amount: 400 } },
        {
          refundId: 'd',
          error: { status: 400, code: 'InvalidInput', message: expect.stringContaining('600') },
        },
        { refundId: 'c', error: { status: 409, code: 'Conflict' } },
        { refundId: 'e', error: { status: 400 } },
      ],
    });
    for (const each of first.body) expect(Object.keys(each)).toHaveLength(3);
    expect([await statusOf(whole), await statusOf(part)]).toEqual(['Chargeback', 'Normal']);
    expect((await several(sent)).body, 'repeated, as after a lost response').toEqual(first.body);
    const entries = await query(sql<{ target: string }>`
      select target from audit_entry where target in (${`transaction:${whole}`}, ${`transaction:${part}`}) order by target`);
    expect(entries, 'one for each refund').toEqual(
      [whole, part].sort().map((id) => ({ target: `transaction:${id}` })),
    );
  });

  test('of the same purchase at the same time never take back more than there is', async () => {
    const id = await bought();
    await settle();
    const outcomes = await Promise.all(
      ['x', 'y', 'z'].map((refundId) =>
        several([{ transactionId: id, refundId, amount: 600, reason: 'Refund' }]),
      ),
    );
    expect(outcomes.filter(({ body }) => body[0].refund !== undefined)).toHaveLength(1);
  });

  test.each([
    ['nothing', []],
    ['no list', { transactionId: 't', refundId: 'a', reason: 'Refund' }],
    ['one without a reason', [{ transactionId: 't', refundId: 'a' }]],
    ['one without a transaction', [{ refundId: 'a', reason: 'Refund' }]],
    ['an unknown property', [{ transactionId: 't', refundId: 'a', reason: 'Refund', sum: 1 }]],
    [
      'more than 100',
      Array.from({ length: 101 }, (_, n) => ({ transactionId: 't', refundId: `${n}`, reason: 'Refund' })),
    ],
  ])('are rejected as a whole if there is %s', async (_, sent) => {
    const id = await bought();
    const good = { transactionId: id, refundId: 'good', reason: 'Refund' };
    const body = Array.isArray(sent) && sent.length > 0 ? [good, ...sent] : sent;
    expect(await several(body)).toMatchObject({ status: 400, body: { code: 'InvalidInput' } });
    expect(await statusOf(id)).toBe('Normal');
  });

  test('need a secret key of the publisher', async () => {
    const id = await bought();
    const sent = [{ transactionId: id, refundId: 'a', reason: 'Refund' }];
    expect(await several(sent, keys().client)).toMatchObject({ status: 403 });
    expect(await several(sent, keys().rival)).toMatchObject({ body: [{ error: { status: 404 } }] });
    expect(await statusOf(id)).toBe('Normal');
  });
});
