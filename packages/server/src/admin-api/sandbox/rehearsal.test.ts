import { beforeAll, expect, test } from 'vitest';
import type { Asking } from '../../../test/admin.ts';
import { useMoney } from '../../../test/money.ts';
import { type SignedInPerson, signIn } from '../../../test/staff.ts';

const { service, makeGroup, earn, settle } = useMoney();
const dayMs = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();

let owner: SignedInPerson;
let id = '';
const inSandbox =
  ({ ask }: SignedInPerson): Asking =>
  (method, path, json) =>
    ask(method, `/admin/v1/publishers/${id}${path}`, json);

beforeAll(async () => {
  owner = await signIn(service(), 'owner');
  await makeGroup('reh', 'holdDays: 30,');
  await earn('reh', 'A', 500, { transactionDate: ago(10) });
  await settle();
  const { status, body } = await owner.ask('POST', '/sandbox', { replaces: null, purchasesSince: ago(100) });
  expect(status).toBe(200);
  id = body.sandbox.publisherId;
  await settle();
});

const all = ['advance', 'preview', 'create', 'export', 'pay', 'claw-back', 'carry'];

async function read(person = owner) {
  const { status, body } = await inSandbox(person)('GET', '/rehearsal');
  expect(status).toBe(200);
  const { steps, ...hints } = body;
  const done = steps.filter(({ isDone }: { isDone: boolean }) => isDone);
  return { done: done.map(({ step }: { step: string }) => step), hints, steps };
}

test('checks off each step from the data of the sandbox, for everyone but the look at the preview', async () => {
  const ask = inSandbox(owner);
  expect(await read()).toMatchObject({
    done: [],
    hints: { groupId: 'reh', currency: 'USD', payoutId: null, transactionId: null },
  });
  const to = new Date(Date.now() + 30 * dayMs).toISOString();
  expect((await ask('POST', '/clock', { to, aheadMs: 0 })).status).toBe(200);
  expect((await read()).done).toEqual(all.slice(0, 1));
  const { asOf } = (await ask('GET', '/payouts/preview?group=reh')).body;
  expect((await ask('POST', '/rehearsal/preview-seen', {})).status).toBe(200);
  expect((await read()).done).toEqual(all.slice(0, 2));
  const finance = await signIn(service(), 'finance');
  expect((await read(finance)).done, 'another person').toEqual([]);

  const created = await ask('POST', '/payouts', { groupId: 'reh', asOf });
  expect([created.status, created.text]).toEqual([200, expect.anything()]);
  const [{ payoutId, totalMinor }] = created.body.payouts;
  expect(await read()).toMatchObject({ done: all.slice(0, 3), hints: { payoutId, transactionId: null } });
  expect((await ask('GET', `/payouts/${payoutId}/items.csv`)).status).toBe(200);
  expect((await read()).done).toEqual(all.slice(0, 4));
  expect((await ask('POST', `/payouts/${payoutId}/pay`, { totalMinor })).status).toBe(200);
  const paid = await read();
  expect(paid.done).toEqual(all.slice(0, 5));
  const { transactionId } = paid.hints;
  const clawedBack = await ask('POST', '/clawbacks', { transactionId, status: 'Refund', totalMinor: '500' });
  expect([clawedBack.status, clawedBack.body.code]).toEqual([200, undefined]);
  expect(await read()).toMatchObject({ done: all.slice(0, 6), hints: { payoutId, transactionId: null } });
  await ask('POST', '/rehearsal/preview-seen', {});
  expect((await read()).done).toEqual(all);
  expect((await read(finance)).done, 'without the permission to advance').toEqual(all.slice(1, 6));
});

test('hides the guide from one person until that person shows it again', async () => {
  const finance = await signIn(service(), 'finance');
  const rehearses = async ({ ask }: SignedInPerson) =>
    (await ask('GET', '/admin/v1/me')).body.publishers.map(
      (each: { publisherId: string; rehearses: boolean }) => [each.publisherId, each.rehearses],
    );
  const shown = (isShown: boolean) => [
    ['aurora', false],
    [id, isShown],
  ];
  expect(await rehearses(finance)).toEqual(shown(true));
  for (const isHidden of [true, true, false]) {
    expect((await inSandbox(finance)('POST', '/rehearsal/hidden', { isHidden })).status).toBe(200);
    expect(await rehearses(finance)).toEqual(shown(!isHidden));
    expect(await rehearses(owner)).toEqual(shown(true));
  }
  expect(await rehearses(await signIn(service(), 'manager'))).toEqual(shown(false));
});

test('is refused without the permission, at a live publisher, at another publisher, and for a wrong body', async () => {
  const manager = await signIn(service(), 'manager');
  await service().provision('{ publisher: { id: fresh } }');
  const outsider = await signIn(service(), 'owner', { publisherId: 'fresh' });
  for (const [method, path, json] of [
    ['GET', '/rehearsal'],
    ['POST', '/rehearsal/preview-seen', {}],
    ['POST', '/rehearsal/hidden', { isHidden: true }],
  ] as const) {
    expect([path, (await inSandbox(manager)(method, path, json)).status]).toEqual([path, 403]);
    expect([path, (await owner.ask(method, path, json)).status]).toEqual([path, 409]);
    expect([path, (await inSandbox(outsider)(method, path, json)).status]).toEqual([path, 404]);
  }
  for (const wrong of [{}, { isHidden: 'yes' }, { isHidden: true, more: 1 }])
    expect((await inSandbox(owner)('POST', '/rehearsal/hidden', wrong)).status).toBe(400);
});
