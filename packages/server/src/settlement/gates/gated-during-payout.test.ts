import { sql } from 'kysely';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { until } from '../../../test/attribution-process.ts';
import { useLinking } from '../../../test/linking.ts';
import { type SignedInPerson, signIn } from '../../../test/staff.ts';
import { connect } from '../../../test/test-database.ts';

const at = useLinking();
const { service, makeGroup, earn, settle, preview, createOrLess } = at;
let ann: SignedInPerson;
let ben: SignedInPerson;
beforeAll(async () => {
  ann = await signIn(service(), 'finance', { name: 'Ann' });
  ben = await signIn(service(), 'owner', { name: 'Ben' });
  const { body } = await ben.ask('GET', '/payee-settings');
  expect(await ben.ask('PUT', '/payee-settings', { ...body, waitDays: 0 })).toMatchObject({ status: 200 });
});
afterEach(async () => {
  await need({});
  await at.expectSound();
});

async function need(needs: { method?: boolean; taxCleared?: boolean }): Promise<void> {
  const { body } = await ben.ask('GET', '/settings');
  const { version, name } = body;
  const payoutsNeed = { method: false, taxCleared: false, ...needs };
  expect(await ben.ask('PUT', '/settings', { version, name, payoutsNeed })).toMatchObject({ status: 200 });
}

async function post(path: string, body: object, by = ann) {
  const answer = await by.ask('POST', path, body);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}
const clear = (memberId: string) => post(`/members/${memberId}/gates`, { kind: 'tax', note: 'W-9' });
const review = (memberId: string) => post(`/members/${memberId}/gates`, { kind: 'review', note: 'checking' });
const hold = (memberId: string) => post(`/members/${memberId}/holds`, { reason: 'dispute' });
async function enterMethod(memberId: string): Promise<{ methodId: string }> {
  const holder = { holderName: 'Maria Muster', holderType: 'individual', country: 'DE' };
  const email = `${memberId.toLowerCase()}@example.com`;
  const method = await post(`/members/${memberId}/payees`, { kind: 'paypal', ...holder, email });
  await post(`/payees/${method.methodId}/approve`, { acceptsShared: true }, ben);
  return method;
}

/**
 * Creates a payout of a preview, and makes a change after the payout was planned but before it pays anyone. The locked
 * member is in the same step as all others.
 */
async function createDuring(group: string, change: () => Promise<unknown>) {
  const { asOf } = await preview(group);
  const client = await connect(service().testDatabase.connection);
  await client.query('begin');
  await client.query('select from membership where account_id = $1 for update', [`acc_${group}_B`]);
  const creating = createOrLess(group, asOf);
  await until(
    'the payout to start',
    async () =>
      (await at.number(
        sql`select count(*) as n from payout_batch where group_id = ${group} and status = 'Preparing'`,
      )) > 0n,
  );
  await change();
  await client.query('commit');
  const { payouts } = await creating;
  expect(payouts).toMatchObject([{ totalMinor: 30n, memberCount: 1 }]);
  const { body } = await ann.ask('GET', `/payouts/${payouts[0]?.batchId}/reductions`);
  return body.rows.map(({ name, previewedMinor, paidMinor, reasons }: Record<string, unknown>) => [
    ...[name, previewedMinor, paidMinor],
    ...(reasons as string[]),
  ]);
}

async function earned(group: string): Promise<{ a: string; b: string }> {
  await makeGroup(group);
  await earn(group, 'A', 100);
  await earn(group, 'B', 30);
  await settle();
  return { a: `acc_${group}_A`, b: `acc_${group}_B` };
}

test('a review that begins while a payout is created is the stored reason why its creator is not paid', async () => {
  const { a } = await earned('review');
  expect(await createDuring('review', () => review(a))).toEqual([['A', '100', '0', 'gate']]);
});

test('a tax clearance that is revoked while a payout is created is the stored reason', async () => {
  const { a, b } = await earned('tax');
  const { gateId } = await clear(a);
  await clear(b);
  await need({ taxCleared: true });
  const revoke = () => post(`/gates/${gateId}/end`, { reason: 'expired' });
  expect(await createDuring('tax', revoke)).toEqual([['A', '100', '0', 'gate']]);
});

test('a payout method that ends while a payout is created is the stored reason', async () => {
  const { a, b } = await earned('method');
  const { methodId } = await enterMethod(a);
  await enterMethod(b);
  await need({ method: true });
  const end = () => post(`/payees/${methodId}/end`, { reason: 'moved' });
  expect(await createDuring('method', end)).toEqual([['A', '100', '0', 'gate']]);
});

test('a hold and a review that begin while a payout is created are both stored; a hold alone is no gate', async () => {
  const { a } = await earned('both');
  const change = () => hold(a).then(() => review(a));
  expect(await createDuring('both', change)).toEqual([['A', '100', '0', 'hold', 'gate']]);
  const other = await earned('held');
  expect(await createDuring('held', () => hold(other.a))).toEqual([['A', '100', '0', 'hold']]);
});

test('a review that begins before the payout is planned is counted in the explanation of an exact payout', async () => {
  const { a } = await earned('counted');
  await earn('counted', 'A', 50, { currency: 'EUR' });
  await settle();
  const { asOf } = await preview('counted');
  await review(a);
  const error = await createOrLess('counted', asOf, { isExact: true }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    facts: { payoutChange: { changedCount: 2, causes: [{ reason: 'gate', count: 1 }] } },
  });
});
