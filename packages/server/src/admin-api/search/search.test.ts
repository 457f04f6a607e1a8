import { expect, test } from 'vitest';
import { asEveryRole, asRole } from '../../../test/admin.ts';
import { addEndpoint } from '../../../test/endpoints.ts';
import { purchase } from '../../../test/fixtures.ts';
import { useMoney } from '../../../test/money.ts';

const { service, db, record, settle, makeGroup, earn, create } = useMoney();

interface Result {
  kind: string;
  id: string;
  title: string;
  about: string;
  href: string;
}

async function find(q: string, more = '', role: 'viewer' | 'owner' = 'viewer'): Promise<Result[]> {
  const ask = await asRole(service(), role);
  const { status, body } = await ask('GET', `/search?q=${encodeURIComponent(q)}${more}`);
  expect(status).toBe(200);
  return body.results;
}

test('finds purchases, rows, payouts, events, endpoints and accounts by exact id', async () => {
  const { endpointId } = await addEndpoint(db(), 'aurora', 'http://127.0.0.1:1/', [
    'Attribution/TransactionRecorded',
  ]);
  await record(purchase({ transactionId: '662E41' }));
  expect(await find('662E41')).toMatchObject([
    {
      kind: 'transaction',
      id: '662E41',
      about: 'Transaction · ALICE',
      href: '/p/aurora/transactions?open=662E41',
    },
  ]);
  const [row] = await db().selectFrom('attribution').select('attribution_id').execute();
  expect(await find(row?.attribution_id ?? '')).toMatchObject([{ kind: 'transaction', id: '662E41' }]);
  const [event] = await db().selectFrom('webhook_event').select('event_id').execute();
  expect(await find(event?.event_id ?? '')).toMatchObject([
    { kind: 'delivery', title: 'Attribution/TransactionRecorded' },
  ]);
  expect(await find(endpointId)).toMatchObject([{ kind: 'endpoint', about: 'Webhook endpoint · on' }]);
  expect(await find('acc_alice')).toMatchObject([{ kind: 'creator', id: 'acc_alice', title: 'Alice' }]);
  await makeGroup('paid', 'holdDays: 0,');
  await earn('paid', 'A', 100);
  await settle();
  const [batch] = await create('paid');
  expect(await find(batch?.batchId ?? '')).toMatchObject([
    { kind: 'payout', id: batch?.batchId, about: 'Payout · Created · USD' },
  ]);
});

test('shows the creator that a code credits, or why it is refused', async () => {
  const about = async (code: string, more = ''): Promise<string | undefined> =>
    (await find(code, more)).find(({ kind }) => kind === 'code')?.about;
  expect(await about('alice')).toBe('Code · credits Alice in Aurora Creators');
  expect(await about('PENDING')).toMatch(/^Code · rejected in Aurora Creators: .* is Pending/);
  expect(await about('OLD')).toContain("isn't approved");
  expect(await about('MOBA-AL'), 'a code of another group').toContain('Aurora MOBA');
  expect(await about('MOBA-AL', '&group=moba')).toContain('credits Alice');
  expect(await about('RIVAL'), 'a code of another publisher').toBeUndefined();
});

test('finds creators whose code or name starts with the text', async () => {
  expect(await find('ali')).toMatchObject([{ kind: 'creator', title: 'Alice' }]);
  expect(await find('BO')).toMatchObject([{ kind: 'creator', title: 'Bob' }, { title: 'Dora' }]);
  expect(await find('lice'), 'no match within a name').toEqual([]);
  expect(await find('a'), 'one letter is too short').toEqual([]);
});

test('finds no data of other publishers, and is open to every role', async () => {
  await record(purchase({ transactionId: 'ours' }));
  const rival = await asRole(service(), 'owner', 'rival');
  for (const q of ['ours', 'acc_alice', 'ALICE', 'Alice'])
    expect((await rival('GET', `/search?q=${q}`)).body.results, q).toEqual([]);
  expect(await rival('GET', '/admin/v1/publishers/aurora/search?q=ours')).toMatchObject({ status: 404 });
  for (const ask of Object.values(await asEveryRole(service())))
    expect((await ask('GET', '/search?q=ours')).body.results).toHaveLength(1);
});

test('rejects a missing, empty or invalid text and an unknown group', async () => {
  const viewer = await asRole(service(), 'viewer');
  for (const path of [
    '/search',
    '/search?q=',
    `/search?q=${'x'.repeat(256)}`,
    '/search?q=a%00b',
    '/search?q=x1&group=nowhere',
  ])
    expect(await viewer('GET', path), path).toMatchObject({ status: 400 });
});

test('searches a publisher without groups', async () => {
  await service().provision('publisher: { id: bare }');
  const owner = await asRole(service(), 'owner', 'bare');
  expect((await owner('GET', '/search?q=ALICE')).body).toEqual({ results: [] });
});
