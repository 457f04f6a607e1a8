import { sql } from 'kysely';
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
  groupIds: string[];
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
      about: 'Purchase · ALICE',
      href: '/p/aurora/transactions?open=662E41',
      groupIds: ['main'],
    },
  ]);
  const [row] = await db().selectFrom('attribution').select('attribution_id').execute();
  expect(await find(row?.attribution_id ?? '')).toMatchObject([
    { kind: 'transaction', id: '662E41', groupIds: ['main'] },
  ]);
  const [event] = await db().selectFrom('webhook_event').select('event_id').execute();
  expect(await find(event?.event_id ?? '')).toMatchObject([
    { kind: 'delivery', title: 'Attribution/TransactionRecorded', groupIds: [] },
  ]);
  expect(await find(endpointId)).toMatchObject([{ kind: 'endpoint', about: 'Webhook endpoint · on' }]);
  expect(await find('acc_alice')).toMatchObject([
    { kind: 'creator', id: 'acc_alice', title: 'Alice', groupIds: ['main', 'moba'] },
  ]);
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

test('finds creators whose code starts with the text, or whose name contains it', async () => {
  const titles = async (q: string): Promise<string[]> => (await find(q)).map(({ title }) => title);
  expect(await find('ali')).toMatchObject([{ kind: 'creator', title: 'Alice' }]);
  expect(await titles('BO')).toEqual(['Bob', 'Dora']);
  expect(await titles('lice'), 'a part of a name').toEqual(['Alice']);
  expect(await titles('lic%'), 'no pattern').toEqual([]);
  expect(await titles('a'), 'one letter is too short').toEqual([]);
  await service().provision(`
publisher: { id: aurora }
groups:
  - id: words
    name: Words
    revShare: 5
    members:
      - { id: acc_1, name: Zoe Quill }
      - { id: acc_2, name: Tequilla }
      - { id: acc_3, name: Quills }
      - { id: acc_4, name: 100% Quilt }`);
  expect(await titles('QUIL'), 'start of the name, of a word, and within a word').toEqual([
    'Quills',
    '100% Quilt',
    'Zoe Quill',
    'Tequilla',
  ]);
});

test('finds text inside the names of the 5,000 creators who joined last', async () => {
  await makeGroup('many');
  const id = sql`('01900000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid`;
  await sql`
    insert into creator_account (account_id, owner_publisher_id, name)
    select 'm_' || i, 'aurora', 'Person n' || i || 'n' from generate_series(1, 5003) i`.execute(db());
  await sql`
    insert into membership (publisher_id, membership_id, group_id, account_id, status)
    select 'aurora', ${id}, 'many', 'm_' || i, 'Approved' from generate_series(1, 5003) i`.execute(db());
  expect(await find('n5002n')).toMatchObject([{ title: 'Person n5002n' }]);
  expect(await find('n1n'), 'not among the last 5,000').toEqual([]);
  expect(await find('person n1n')).toMatchObject([{ title: 'Person n1n' }]);
});

test('finds purchases whose ids start with the text, and no more than five', async () => {
  for (const transactionId of ['shop-1', 'shop-10', 'shop-11', 'shop-12', 'shop-13', 'shop-14', 'shop-2'])
    await record(purchase({ transactionId }));
  const ids = async (q: string): Promise<string[]> => (await find(q)).map(({ id }) => id);
  expect(await ids('shop-1'), 'the exact id first').toEqual([
    'shop-1',
    'shop-10',
    'shop-11',
    'shop-12',
    'shop-13',
    'shop-14',
  ]);
  expect(await ids('shop-'), 'five of seven').toHaveLength(5);
  expect(await ids('shop-2')).toEqual(['shop-2']);
  expect(await ids('SHOP-2'), 'ids are case-sensitive').toEqual([]);
  expect(await ids('sh'), 'two letters are too short').toEqual([]);
  expect(await ids('shop_'), 'no pattern').toEqual([]);
});

test('finds payouts by number, its first digits, and the reference of a line', async () => {
  await makeGroup('numbered', 'holdDays: 0, ');
  for (const code of ['A', 'B'] as const) {
    await earn('numbered', code, 100);
    await settle();
    await create('numbered');
  }
  const made = await db()
    .selectFrom('payout_batch')
    .select(['batch_id', 'number'])
    .orderBy('number')
    .execute();
  const [first, newest] = [made.at(-2), made.at(-1)];
  const number = String(newest?.number);
  const payouts = async (q: string) => (await find(q)).filter(({ kind }) => kind === 'payout');
  expect(await payouts(number)).toMatchObject([
    {
      kind: 'payout',
      id: newest?.batch_id,
      title: `Payout ${number}`,
      href: `/p/aurora/payouts/${newest?.batch_id}`,
    },
  ]);
  const byDigits = (await payouts(number.slice(0, -1))).map(({ id }) => id);
  expect(byDigits.slice(0, 2), 'newest first').toEqual([newest?.batch_id, first?.batch_id]);
  expect(await payouts(`${number}-00001`)).toMatchObject([
    {
      title: `${number}-00001`,
      href: `/p/aurora/payouts/${newest?.batch_id}?reference=${number}-00001`,
    },
  ]);
  for (const q of ['99999999', '0', '999999999', `${number}-1`]) expect(await payouts(q), q).toEqual([]);
});

test('finds no data of other publishers, and is open to every role', async () => {
  await record(purchase({ transactionId: 'ours' }));
  const rival = await asRole(service(), 'owner', 'rival');
  for (const q of ['ours', 'our', 'acc_alice', 'ALICE', 'Alice', 'lice', '100'])
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
