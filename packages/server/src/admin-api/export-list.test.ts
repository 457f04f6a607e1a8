import { beforeAll, expect, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../test/admin.ts';
import { entriesOf } from '../../test/audit.ts';
import { addEndpoint } from '../../test/endpoints.ts';
import { useMoney } from '../../test/money.ts';
import type { Role } from '../accounts/roles.ts';
import { parseCsv } from '../members/import/parse-csv.ts';
import { publishEvents } from '../webhooks/publish-events.ts';

const money = useMoney();
const { service, db, makeGroup, earn, settle } = money;
let roles: Record<Role, Asking>;
let rival: Asking;
beforeAll(async () => {
  roles = await asEveryRole(service());
  rival = await asRole(service(), 'owner', 'rival');
});

/** Returns the lines of an exported list by the names of its columns. */
async function linesOf(path: string, ask = roles.owner): Promise<Record<string, string>[]> {
  const { status, text, headers } = await ask('GET', path);
  expect([status, headers.get('content-type')], text).toEqual([200, 'text/csv; charset=utf-8']);
  const [head, ...rest] = parseCsv(text);
  return rest.map(({ cells }) =>
    Object.fromEntries((head?.cells ?? []).map((name, index) => [name, cells[index] ?? ''])),
  );
}

test.each<[list: string, roles: Role[], wrong: string[]]>([
  ['balances', ['owner', 'manager', 'finance'], ['owing=maybe', 'ids=acc_alice', 'currency=usd']],
  ['clawbacks', ['owner', 'manager', 'finance'], ['waiting=maybe', 'ids=one']],
  ['holds', ['owner', 'manager', 'finance'], ['ids=one']],
  ['deliveries', ['owner'], ['state=Lost', 'ids=one', 'eventId=0197a000-0000-7000-8000-000000000001']],
])(
  '%s are exported by roles with the permission, for their own publisher, and with an audit entry',
  async (list, allowed, wrong) => {
    for (const [role, ask] of Object.entries(roles))
      expect([role, (await ask('GET', `/${list}.csv`)).status]).toEqual([
        role,
        allowed.includes(role as Role) ? 200 : 403,
      ]);
    expect(await rival('GET', `/admin/v1/publishers/aurora/${list}.csv`)).toMatchObject({ status: 404 });
    for (const query of [...wrong, 'groupId=main'])
      expect(await roles.owner('GET', `/${list}.csv?${query}`), query).toMatchObject({ status: 400 });
    const entries = await entriesOf(db(), () => linesOf(`/${list}.csv`));
    const noun = { balances: 'balance', clawbacks: 'clawback', holds: 'hold', deliveries: 'delivery' }[list];
    expect(entries).toMatchObject([{ action: `${noun}.export`, target: 'publisher:aurora', after: {} }]);
  },
);

test('balances and clawbacks are exported with their filters, or those that were chosen', async () => {
  await makeGroup('books');
  const paid = await earn('books', 'A', 640);
  await settle();
  const [payout] = await money.create('books');
  await money.markPaid(payout?.batchId ?? '');
  await money.clawBack(paid.id, 'Refund');
  await earn('books', 'B', 1234);
  await settle();
  const balances = (query = '', ask = roles.finance) => linesOf(`/balances.csv?group=books${query}`, ask);
  const a = { memberId: 'acc_books_A', balance: '-6.40', balanceMinor: '-640', currency: 'USD' };
  const b = { memberId: 'acc_books_B', balance: '12.34', balanceMinor: '1234', group: 'books' };
  expect(await balances()).toMatchObject([a, b]);
  expect(await balances('&owing=true')).toMatchObject([a]);
  expect(await balances('&owing=false&currency=USD')).toMatchObject([b]);
  expect(await balances('&currency=EUR')).toEqual([]);
  expect(await balances('&ids=books/acc_books_B/USD,main/acc_books_A/USD')).toMatchObject([b]);
  expect(await balances('&ids=books/acc_books_B/EUR')).toEqual([]);
  expect(await balances('&ids=books/acc_books_B/USD', rival)).toEqual([]);

  const [listed] = (await roles.finance('GET', '/clawbacks?group=books')).body.rows;
  const clawbacks = (query: string, ask = roles.finance) => linesOf(`/clawbacks.csv?${query}`, ask);
  const taken = {
    transactionId: paid.transactionId,
    row: paid.id,
    memberId: 'acc_books_A',
    amount: '-6.40',
    amountMinor: '-640',
    status: 'Refund',
    deductedByPayout: '',
    clawback: listed.refundId,
    reinstated: 'no',
  };
  expect(await clawbacks('group=books')).toMatchObject([taken]);
  expect(await clawbacks('group=books&waiting=true')).toMatchObject([taken]);
  expect(await clawbacks(`ids=${listed.refundId}`)).toMatchObject([taken]);
  expect(await clawbacks('ids=0197a000-0000-7000-8000-000000000001')).toEqual([]);
  expect(await clawbacks(`ids=${listed.refundId}`, rival)).toEqual([]);
  await money.expectSound();
});

test('holds are exported with their filters, or those that were chosen', async () => {
  await makeGroup('kept');
  const held = await earn('kept', 'A', 500);
  await settle();
  const reason = '=case "4711", open';
  await roles.support('POST', `/transactions/${held.transactionId}/holds`, { reason });
  const onCreator = { reason: 'review', groupId: 'kept', endsAt: '2099-01-01T00:00:00.000Z' };
  await roles.support('POST', '/members/acc_kept_B/holds', onCreator);
  const holds = (query: string, ask = roles.finance) => linesOf(`/holds.csv?${query}`, ask);
  const [creator, row, ...others] = await holds('group=kept');
  expect(others).toEqual([]);
  expect(creator).toMatchObject({ memberId: 'acc_kept_B', reason: 'review', endsAt: onCreator.endsAt });
  expect(creator).toMatchObject({ row: '', amount: '', currency: '', transactionId: '' });
  expect(row).toMatchObject({
    transactionId: held.transactionId,
    row: held.id,
    reason: `'${reason}`,
    amount: '5.00',
    amountMinor: '500',
    endsAt: '',
  });
  expect(await holds('member=acc_kept_B')).toEqual([creator]);
  expect(await holds(`ids=${row?.hold}`)).toEqual([row]);
  expect(await holds(`ids=${row?.hold}&member=acc_kept_B`)).toEqual([]);
  expect(await holds(`ids=${row?.hold}`, rival)).toEqual([]);
});

test('deliveries of an endpoint are exported with their filters, or those that were chosen', async () => {
  const kind = 'GroupManagement/NewMember';
  const endpoints = [];
  for (const name of ['one', 'two'])
    endpoints.push(await addEndpoint(db(), 'aurora', `https://127.0.0.1:1/${name}`, [kind]));
  const [one] = endpoints;
  const event = { kind, event: { memberId: 'acc_alice', name: 'Alice' } } as const;
  await publishEvents(db(), 'aurora', [event, event, event]);
  const deliveries = (query: string, ask = roles.owner) => linesOf(`/deliveries.csv?${query}`, ask);
  const all = await deliveries(`endpointId=${one?.endpointId}`);
  expect(all).toHaveLength(3);
  expect(all[0]).toMatchObject({ endpointId: one?.endpointId, kind, test: 'no', status: 'Pending' });
  expect(await deliveries('')).toHaveLength(6);
  expect(await deliveries(`endpointId=${one?.endpointId}&state=Delivered`)).toEqual([]);
  const chosen = [all[0]?.eventId, all[2]?.eventId];
  const ids = (lines: Record<string, string>[]) => lines.map(({ eventId }) => eventId);
  expect(ids(await deliveries(`endpointId=${one?.endpointId}&ids=${chosen}`))).toEqual(chosen);
  expect(await deliveries(`ids=${chosen}`, rival)).toEqual([]);
});
