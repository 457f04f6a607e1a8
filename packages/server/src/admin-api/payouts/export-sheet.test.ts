import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { useMoney } from '../../../test/money.ts';
import { readZip } from '../../../test/read-zip.ts';
import { testSealer } from '../../../test/sealer.ts';
import { type SignedInPerson, signIn } from '../../../test/staff.ts';
import { testActor } from '../../../test/test-actor.ts';
import { enterMethod } from '../../payees/enter-method.ts';
import { toAccountId } from '../../platform/ids.ts';

const { makeGroup, earn, settle, create, db, service, query } = useMoney();
let ann: SignedInPerson;
beforeAll(async () => {
  ann = await signIn(service(), 'finance');
});

const download = async (path: string): Promise<Buffer> => {
  const response = await fetch(`${service().url}/admin/v1/publishers/aurora${path}`, {
    headers: ann.headers,
  });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
};

test('an Excel file has names and ids as text, whatever they look like, and the same bytes twice', async () => {
  await makeGroup('sheet');
  await query(
    sql`update creator_account set name = ${'=cmd()|\u0001<b>&"'} where account_id = 'acc_sheet_A'`,
  );
  await query(
    sql`update membership set player_id = '007' where group_id = 'sheet' and account_id = 'acc_sheet_A'`,
  );
  await earn('sheet', 'A', 123_456);
  await settle();
  const [batch] = await create('sheet');
  const file = await download(`/payouts/${batch?.batchId}/items.xlsx`);
  const xml = readZip(file).get('xl/worksheets/sheet1.xml')?.text ?? '';
  for (const text of ['payTo', '=cmd()|\ufffd&lt;b&gt;&amp;"', '007', 'acc_sheet_A'])
    expect(xml).toContain(`<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`);
  expect(xml).toContain('<c><v>1234.56</v></c><c><v>123456</v></c>');
  expect(xml).not.toContain('<f>');
  expect((await download(`/payouts/${batch?.batchId}/items.xlsx`)).equals(file)).toBe(true);
});

test('the CSV file has the hint of a method, and its account only with the operation that reveals it', async () => {
  await makeGroup('cells');
  const { methodId } = await enterMethod(db(), testSealer, testActor, {
    publisherId: 'aurora',
    memberId: toAccountId('acc_cells_A'),
    destination: {
      kind: 'sepa',
      holderName: 'Maria Muster',
      holderType: 'individual',
      country: 'DE',
      iban: 'DE89370400440532013000',
    },
  });
  await query(sql`
    update payee_method
    set approved_at = now(), usable_from = now(), approved_by_kind = 'staff', approved_by_id = 'b', approved_by_name = 'B'
    where publisher_id = 'aurora' and method_id = ${methodId}::uuid`);
  await earn('cells', 'A', 500, { currency: 'EUR' });
  await settle();
  const [batch] = await create('cells', null, 'EUR');
  const path = `/payouts/${batch?.batchId}`;
  expect((await download(`${path}/items.csv`)).toString()).toMatch(/,sepa,,,DE… 3000\r\n$/);
  expect((await download(`${path}/items-with-payees.csv`)).toString()).toMatch(
    /,sepa,Maria Muster,DE,DE89370400440532013000\r\n$/,
  );
  const manager = await signIn(service(), 'manager');
  expect((await manager.ask('GET', `${path}/items-with-payees.csv`)).status).toBe(403);
});
