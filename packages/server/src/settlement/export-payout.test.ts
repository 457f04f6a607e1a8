import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useMoney } from '../../test/money.ts';
import { exportPayout } from './export-payout.ts';

const money = useMoney();
const { makeGroup, earn, settle, create, db } = money;

/** The pieces that were written, and whether the output was left open. */
async function exported(batchId: string, publisherId = 'aurora') {
  const parts: string[] = [];
  const output = new Writable({
    write(part, _encoding, done) {
      parts.push(String(part));
      done();
    },
  });
  await exportPayout(db(), publisherId, batchId, output);
  return { text: parts.join(''), parts, isOpen: !output.writableEnded };
}

test.each([
  ['USD', 123_456, '1234.56'],
  ['JPY', 123_456, '123456'],
  ['KWD', 123_456, '123.456'],
  ['BTC', 5, '0.00000005'],
])('amounts of %s have its digits: %i is %s', async (currency, amount, text) => {
  const group = `in${currency}`;
  await makeGroup(group);
  await earn(group, 'A', amount, { currency });
  await settle();
  const [batch] = await create(group);
  const { batchId = '' } = batch ?? {};
  expect(await exported(batchId)).toMatchObject({
    text: `batch,status,memberId,playerId,name,currency,amount,amountMinor,rows\r\n${batchId},Created,acc_${group}_A,p-A,A,${currency},${text},${amount},1\r\n`,
    isOpen: true,
  });
});

test.each(['=cmd()', '+1', '-1', '@SUM(A1)', '\tx', '=1"quoted", and a comma', 'Zoë, "Z"\nsecond line'])(
  'the name %j opens no formula and breaks no line',
  async (name) => {
    const group = `g${Buffer.from(name).toString('hex').slice(0, 20)}`;
    await makeGroup(group);
    await db()
      .updateTable('creator_account')
      .set({ name })
      .where('account_id', '=', `acc_${group}_A`)
      .execute();
    await earn(group, 'A', 5);
    await settle();
    const [batch] = await create(group);
    const { text } = await exported(batch?.batchId ?? '');
    const isFormula = /^[=+\-@\t]/.test(name);
    const cell = isFormula ? `'${name}` : name;
    const isQuoted = /[",\n]/.test(cell);
    expect(text).toContain(`,p-A,${isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell},USD,0.05,5,1\r\n`);
  },
);

test('a batch of thousands of members is written bit by bit, each once, in order', async () => {
  await makeGroup('many');
  const members = 2_500;
  await sql`
    with account as (
      insert into creator_account (account_id, name, owner_publisher_id)
      select 'acc_many_' || n, 'Member ' || n, 'aurora' from generate_series(1, ${members}::int) n
      returning account_id
    )
    insert into membership (publisher_id, membership_id, group_id, account_id, status)
    select 'aurora', gen_random_uuid(), 'many', account_id, 'Approved' from account`.execute(db());
  const batchId = '0197a000-0000-7000-8000-000000000001';
  await sql`
    insert into payout_batch (publisher_id, batch_id, group_id, currency, as_of, status, total_minor, member_count, row_count)
    values ('aurora', ${batchId}::uuid, 'many', 'USD', now(), 'Created', ${members}, ${members}, ${members})`.execute(
    db(),
  );
  await sql`
    insert into payout_item (publisher_id, item_id, batch_id, membership_id, row_count, payments_minor, adjustments_minor, amount_minor)
    select 'aurora', gen_random_uuid(), ${batchId}::uuid, membership_id, 1, 1, 0, 1
    from membership where group_id = 'many' and account_id like 'acc_many_%' and player_id is null`.execute(
    db(),
  );
  const { text, parts } = await exported(batchId);
  const ids = text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',')[2]);
  expect(new Set(ids).size).toBe(members);
  expect(ids).toHaveLength(members);
  expect(parts.length).toBeGreaterThan(2);
});

test("another publisher's batch is not found", async () => {
  await makeGroup('own');
  await earn('own', 'A', 5);
  await settle();
  const [batch] = await create('own');
  await expect(exported(batch?.batchId ?? '', 'rival')).rejects.toThrow('Publisher rival has no payout');
});
