import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { asRole } from '../../test/admin.ts';
import { entriesOf } from '../../test/audit.ts';
import { purchase } from '../../test/fixtures.ts';
import { testActor } from '../../test/test-actor.ts';
import { useTransactions } from '../../test/transactions.ts';
import { newRowId } from '../platform/ids.ts';
import { exportProgram } from '../program-file/export/export-program.ts';
import { forgetBuyers } from './forget-buyers.ts';

const { service, record, get, patch, keys } = useTransactions();
const db = () => service().testDatabase.database.db;
const never = new AbortController().signal;
const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000);
const buyer = {
  playerId: 'p-4711',
  playerName: 'Buyer',
  metrics: { joinDate: '2020-01-02T00:00:00.000Z' },
};
const shown = async (transactionId: string, key = keys().backend) => {
  const { body } = await get(transactionId, { key });
  return body[0].transaction;
};
const provision = (days: number | null) =>
  service().provision(`{ publisher: { id: aurora, forgetBuyersAfterDays: ${days} } }`);

test('blanks the buyer some days after the purchase, and changes nothing else', async () => {
  const [sent, others] = [purchase(buyer), purchase({ ...buyer, code: 'RIVAL' })];
  expect((await record(sent)).status).toBe(200);
  expect((await record(others, { key: keys().rival })).status).toBe(200);
  const before = await shown(sent.transactionId);
  expect(before).toMatchObject(buyer);
  await forgetBuyers(db(), inDays(4_000), never);
  expect(await shown(sent.transactionId), 'not enabled').toEqual(before);

  await provision(30);
  await forgetBuyers(db(), inDays(29.9), never);
  expect(await shown(sent.transactionId)).toEqual(before);
  await forgetBuyers(db(), inDays(30.1), never);
  const { playerId: _id, playerName: _name, metrics: _metrics, ...rest } = before;
  expect(await shown(sent.transactionId)).toEqual(rest);
  expect(await shown(others.transactionId, keys().rival), 'another publisher').toMatchObject(buyer);

  expect((await record(sent)).status, 'the purchase resent').toBe(409);
  expect((await patch(sent.transactionId, { form: { action: 'Refund' } })).status).toBe(200);
  expect(await shown(sent.transactionId)).toMatchObject({ status: 'Refund' });
  const young = purchase(buyer);
  await record(young);
  await forgetBuyers(db(), inDays(29), never);
  expect(await shown(young.transactionId)).toMatchObject(buyer);
});

test('forgets many buyers in batches, each once, with several processes, one of which is stopped', async () => {
  await provision(7);
  const { body } = await record(purchase(buyer));
  const ids = Array.from({ length: 2_500 }, () => newRowId());
  await sql`
    insert into attribution
    select (jsonb_populate_record(a, jsonb_build_object('attribution_id', id, 'transaction_id', id::text))).*
    from attribution a, unnest(${ids}::uuid[]) as n (id)
    where a.publisher_id = 'aurora' and a.attribution_id = ${body.transaction.id}::uuid`.execute(db());
  const known = async (): Promise<number> => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from attribution where publisher_id = 'aurora' and player_name is not null`.execute(
      db(),
    );
    return rows[0]?.n ?? 0;
  };
  const before = await known();
  expect(before).toBeGreaterThan(2_500);
  const killed = new AbortController();
  const first = forgetBuyers(db(), inDays(8), killed.signal);
  setTimeout(() => killed.abort(), 10);
  const scanned = await first;
  expect(scanned).toBeLessThan(before);
  const rest = await Promise.all([1, 2, 3].map(() => forgetBuyers(db(), inDays(8), never)));
  expect(await known()).toBe(0);
  expect(scanned + rest.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(before + 10);
  expect(await forgetBuyers(db(), inDays(8), never), 'progress is saved').toBe(0);
});

test('metrics that version 0.1.0 left are forgotten too, and so are the ids of former buyers', async () => {
  await provision(7);
  await db().deleteFrom('buyer_forgetting').execute();
  const [sent, given] = [purchase(buyer), purchase(buyer)];
  for (const each of [sent, given]) expect((await record(each)).status).toBe(200);
  expect((await patch(given.transactionId, { form: { playerId: 'p-0815' } })).status).toBe(200);
  const { id } = await shown(given.transactionId);
  await sql`
    update attribution set player_id = null, player_name = null where transaction_id = ${sent.transactionId}`.execute(
    db(),
  );
  await sql`
    insert into buyer_forgetting (publisher_id, forgotten_before) values ('aurora', ${id}::uuid)`.execute(
    db(),
  );
  expect(await shown(sent.transactionId)).toMatchObject({ metrics: buyer.metrics });
  expect(await db().selectFrom('former_buyer').select('player_id').execute()).toEqual([
    { player_id: buyer.playerId },
  ]);
  await forgetBuyers(db(), inDays(8), never);
  for (const each of [sent, given])
    expect(await shown(each.transactionId)).not.toMatchObject({ metrics: expect.anything() });
  expect(await db().selectFrom('former_buyer').select('player_id').execute()).toEqual([]);
  expect((await record(sent)).status, 'the purchase resent').toBe(409);
  expect(await forgetBuyers(db(), inDays(8), never), 'progress is saved').toBe(0);
});

test('the owner can change the days until buyers are forgotten, which is audited and exported to the program file', async () => {
  await provision(null);
  const owner = await asRole(service(), 'owner');
  const { version, name } = (await owner('GET', '/settings')).body;
  const put = (days: unknown) => owner('PUT', '/settings', { version, name, forgetBuyersAfterDays: days });
  for (const bad of [0, 6, 3_651, 7.5, '30']) expect((await put(bad)).status, String(bad)).toBe(400);
  const entries = await entriesOf(db(), async () => {
    expect((await put(90)).body).toMatchObject({ forgetBuyersAfterDays: 90, name });
    const read = (await owner('GET', '/settings')).body;
    expect((await owner('PUT', '/settings', { version: read.version, name })).body, 'not sent').toMatchObject(
      {
        forgetBuyersAfterDays: 90,
      },
    );
  });
  expect(entries).toMatchObject([
    {
      action: 'publisher.put',
      before: { forgetBuyersAfterDays: null },
      after: { forgetBuyersAfterDays: 90 },
    },
  ]);
  const developer = await asRole(service(), 'developer');
  expect((await developer('PUT', '/settings', { version, name, forgetBuyersAfterDays: 7 })).status).toBe(403);
  expect(await exportProgram(db(), testActor, 'aurora', new Date())).toContain(
    '\n  forgetBuyersAfterDays: 90\n',
  );
  await expect(provision(3)).rejects.toThrow();
});
