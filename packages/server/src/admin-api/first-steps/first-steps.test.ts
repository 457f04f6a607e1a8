import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { type Asking, asRole } from '../../../test/admin.ts';
import { until } from '../../../test/attribution-process.ts';
import { purchase } from '../../../test/fixtures.ts';
import { useManagement } from '../../../test/management.ts';
import { settleAll } from '../../../test/money.ts';
import { startReceiver } from '../../../test/receiver.ts';
import { signIn } from '../../../test/staff.ts';
import { closing } from '../../../test/webhooks.ts';

const { service } = useManagement({ environment: { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' } });
const db = () => service().testDatabase.database.db;
let owner: Asking;
beforeAll(async () => {
  await service().provision('{ publisher: { id: fresh, name: Fresh } }');
  owner = await asRole(service(), 'owner', 'fresh');
});

const read = async (ask: Asking = owner): Promise<{ isWanted: boolean; done: string[]; open: string[] }> => {
  const { status, body } = await ask('GET', '/first-steps');
  expect(status).toBe(200);
  const named = (isDone: boolean): string[] =>
    body.steps
      .filter((each: { isDone: boolean }) => each.isDone === isDone)
      .map(({ step }: { step: string }) => step);
  return { isWanted: body.isWanted, done: named(true), open: named(false) };
};

test('marks each first step as done, and hides the list after the last one', async () => {
  expect(await read()).toEqual({
    isWanted: true,
    done: [],
    open: ['group', 'creator', 'purchase', 'webhook', 'colleague'],
  });
  await service().provision(
    '{ publisher: { id: fresh }, groups: [ { id: first, name: First, default: true, revShare: 10 } ] }',
  );
  expect((await read()).done).toEqual(['group']);
  await owner('POST', '/members?group=first', {
    name: 'Pending',
    status: 'Pending',
    codes: [{ code: 'WAITS' }],
  });
  expect((await read()).done).toEqual(['group']);
  await owner('POST', '/members?group=first', { name: 'Kira', codes: [{ code: 'KIRA-FIRST' }] });
  expect((await read()).done).toEqual(['group', 'creator']);
  const { key } = (await owner('POST', '/keys', { name: 'backend', kind: 'secret' })).body;
  expect((await read()).done).toEqual(['group', 'creator']);
  const test = purchase({ code: 'KIRA-FIRST', status: 'Test' });
  expect((await service().call('POST', '/v1/attributions/transactions', { key, json: test })).status).toBe(
    200,
  );
  expect((await read()).done).toEqual(['group', 'creator', 'purchase']);
  let answer = 500;
  const receiver = closing(await startReceiver((response) => response.writeHead(answer).end()));
  const added = await owner('POST', '/endpoints', { url: receiver.url });
  const { endpointId } = added.body;
  await owner('POST', `/endpoints/${endpointId}/tests`);
  expect((await read()).done).not.toContain('webhook');
  answer = 200;
  const tested = await owner('POST', `/endpoints/${endpointId}/tests`);
  expect(tested, tested.text).toMatchObject({ status: 200, body: { statusCode: 200 } });
  expect((await read()).open).toEqual(['colleague']);
  const { ask: person } = await signIn(service(), 'owner', { publisherId: 'fresh' });
  expect((await read()).open, 'the owner alone').toEqual(['colleague']);
  await person('POST', '/invitations', { email: 'second@example.com', role: 'viewer' });
  expect(await read()).toMatchObject({ isWanted: false, open: [] });
});

test('counts a purchase of a connector, also a sample, but not a key that was only used to ping', async () => {
  await service().provision(
    '{ publisher: { id: shop }, groups: [ { id: main, default: true, revShare: 10, members: [ { id: acc_shop, codes: [ { code: SHOP-ONE } ] } ] } ] }',
  );
  const ask = await asRole(service(), 'developer', 'shop');
  const secret = 'a-long-random-secret';
  const connector = (await ask('POST', '/connectors', { name: 'shop', provider: 'generic', secret })).body;
  await ask('POST', '/keys', { name: 'backend', kind: 'secret' });
  await sql`update api_key set last_used_at = now() where publisher_id = 'shop'`.execute(db());
  expect((await read(ask)).done).toEqual([]);
  const sent = await ask('POST', `/connectors/${connector.connectorId}/tests`, { code: 'SHOP-ONE' });
  expect(sent.body.event, sent.text).toMatchObject({ reason: 'Recorded' });
  expect(await read(ask)).toMatchObject({ done: ['purchase'], open: ['webhook'] });
});

test('shows each role only the steps that it has permission for', async () => {
  await service().provision('{ publisher: { id: parted } }');
  const steps = async (role: Parameters<typeof asRole>[1]) =>
    (await read(await asRole(service(), role, 'parted'))).open;
  expect(await steps('manager')).toEqual(['group', 'creator']);
  expect(await steps('developer')).toEqual(['purchase', 'webhook']);
  for (const role of ['viewer', 'support', 'finance'] as const)
    expect(await read(await asRole(service(), role, 'parted'))).toEqual({
      isWanted: false,
      done: [],
      open: [],
    });
});

test('tells every role, and a person who dismissed the list, whether anything was ever recorded', async () => {
  await service().provision(
    '{ publisher: { id: unused }, groups: [ { id: main, default: true, revShare: 10, members: [ { id: acc_unused, codes: [ { code: UNUSED } ] } ] } ] }',
  );
  const { ask } = await signIn(service(), 'owner', { publisherId: 'unused' });
  const viewer = await asRole(service(), 'viewer', 'unused');
  const hasPurchases = async () => {
    const answers = await Promise.all([ask('GET', '/first-steps'), viewer('GET', '/first-steps')]);
    return answers.map(({ body }) => body.hasPurchases);
  };
  expect(await hasPurchases()).toEqual([false, false]);
  await ask('POST', '/first-steps/dismiss', {});
  expect(await hasPurchases()).toEqual([false, false]);
  const { key } = (await ask('POST', '/keys', { name: 'backend', kind: 'secret' })).body;
  const json = purchase({ code: 'UNUSED', status: 'Test' });
  expect((await service().call('POST', '/v1/attributions/transactions', { key, json })).status).toBe(200);
  expect(await hasPurchases()).toEqual([true, true]);
});

test('hides the list from a person who dismissed it, but not from others', async () => {
  await service().provision('{ publisher: { id: put-away } }');
  const { ask: one } = await signIn(service(), 'owner', { publisherId: 'put-away' });
  const { ask: other } = await signIn(service(), 'manager', { publisherId: 'put-away' });
  expect((await one('POST', '/first-steps/dismiss', {})).status).toBe(200);
  expect(await read(one)).toEqual({ isWanted: false, done: [], open: [] });
  expect((await one('POST', '/first-steps/dismiss', {})).status).toBe(200);
  expect((await read(other)).isWanted).toBe(true);
});

test('hides the list from a publisher with older purchases', async () => {
  await service().provision(
    '{ publisher: { id: old }, groups: [ { id: main, default: true, revShare: 10, members: [ { id: acc_old, codes: [ { code: OLD-ONE } ] } ] } ] }',
  );
  const ask = await asRole(service(), 'owner', 'old');
  const { key } = (await ask('POST', '/keys', { name: 'backend', kind: 'secret' })).body;
  const send = (days: number) =>
    service().call('POST', '/v1/attributions/transactions', {
      key,
      json: purchase({
        code: 'OLD-ONE',
        transactionDate: new Date(Date.now() - days * 86_400_000).toISOString(),
      }),
    });
  expect((await send(2)).status).toBe(200);
  expect((await read(ask)).isWanted).toBe(true);
  expect((await send(20)).status).toBe(200);
  await settleAll(db());
  await until('the purchase to count', async () => !(await read(ask)).isWanted);
});
