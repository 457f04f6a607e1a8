import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useMoney } from '../../../../test/money.ts';
import { exportPayout } from './export-payout.ts';
import { getPayout } from './read-payouts.ts';

const money = useMoney();
const { makeGroup, earn, settle, create, query, db } = money;

/** Exports a batch. Returns the written chunks, and whether the export left the output open. */
async function exported(batchId: string, publisherId = 'aurora') {
  const chunks: string[] = [];
  const output = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  await exportPayout(db(), { publisherId, named: batchId }, output);
  return { text: chunks.join(''), chunks, isOpen: !output.writableEnded };
}

const header =
  'batch,status,memberId,playerId,name,currency,amount,amountMinor,rows,payments,rewards,adjustments,reference,method,payeeName,payeeCountry,payTo\r\n';

test.each([
  ['USD', 123_456, '1234.56'],
  ['JPY', 123_456, '123456'],
  ['KWD', 123_456, '123.456'],
  ['BTC', 5, '0.00000005'],
])('writes amounts of %s with its decimals: %i as %s', async (currency, amount, text) => {
  const group = `in${currency}`;
  await makeGroup(group);
  await earn(group, 'A', amount, { currency });
  await settle();
  const [batch] = await create(group);
  const { batchId = '' } = batch ?? {};
  const { number } = await getPayout(db(), 'aurora', batchId);
  const none = text.replaceAll(/\d/g, '0').replace(/^0+(?=0)/, '');
  expect(await exported(batchId)).toMatchObject({
    text: `${header}${batchId},Created,"acc_${group}_A","p-A",A,${currency},${text},${amount},1,${text},${none},${none},${number}-00001,,,,\r\n`,
    isOpen: true,
  });
});

test.each([
  '=cmd()',
  '+1',
  '-1',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '\n=cmd()',
  '\uff1dcmd()',
  '\uff0b1',
  '\uff0d1',
  '\uff20x',
  '=1"quoted", and a comma',
  'Zoë, "Z"\nsecond line',
])('writes the name %j so that it doesn’t start a formula or break a line', async (name) => {
  const group = `g${Buffer.from(name).toString('hex').slice(0, 20)}`;
  await makeGroup(group);
  await sql`update creator_account set name = ${name} where account_id = ${`acc_${group}_A`}`.execute(db());
  await earn(group, 'A', 5);
  await settle();
  const [batch] = await create(group);
  const { text } = await exported(batch?.batchId ?? '');
  const isFormula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(name);
  const cell = isFormula ? `'${name}` : name;
  const isQuoted = /[",\r\n]/.test(cell);
  expect(text).toContain(
    `,"p-A",${isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell},USD,0.05,5,1,0.05,0.00,0.00,`,
  );
});

test.each(['-17', '=cmd()', '+491', '@here', '007', '12345678901234567890', 'a"b,c'])(
  'writes the id %j unchanged, in quotes',
  async (playerId) => {
    const group = `i${Buffer.from(playerId).toString('hex').slice(0, 20)}`;
    await makeGroup(group);
    await query(sql`
      update membership set player_id = ${playerId} where group_id = ${group} and account_id = ${`acc_${group}_A`}`);
    await earn(group, 'A', 5);
    await settle();
    const [batch] = await create(group);
    const { text } = await exported(batch?.batchId ?? '');
    expect(text).toContain(`,"acc_${group}_A","${playerId.replaceAll('"', '""')}",A,USD,`);
  },
);

test("breaks down a member's amount into earnings, rewards and clawbacks", async () => {
  await makeGroup('explained');
  const paid = await earn('explained', 'A', 300);
  await settle();
  const [first] = await create('explained');
  await money.markPaid(first?.batchId ?? '');
  await money.clawBack(paid.id, 'Fraud');
  await earn('explained', 'A', 1_000);
  await settle();
  await query(sql`
    insert into reward_payment (publisher_id, progress_reward_id, group_id, membership_id, currency, amount_minor,
                                earned_at, settled_at)
    select publisher_id, gen_random_uuid(), group_id, membership_id, 'USD', 25, '2024-05-01', '2024-05-01'
    from membership where account_id = 'acc_explained_A'`);
  const [second] = await create('explained');
  const { text } = await exported(second?.batchId ?? '');
  expect(text).toContain(',USD,7.25,725,1,10.00,0.25,-3.00,');
});

test('does not export a payout that is still being created', async () => {
  await makeGroup('making');
  await earn('making', 'A', 5);
  await settle();
  const [batch] = await create('making');
  const { batchId = '' } = batch ?? {};
  await query(sql`
    update payout_batch set status = 'Preparing', worked_until = now() + interval '1 minute'
    where batch_id = ${batchId}::uuid`);
  await expect(exported(batchId)).rejects.toThrow('is still being created');
});

test('streams a batch of thousands of members, each once, in order', async () => {
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
    insert into payout_batch (publisher_id, batch_id, group_id, currency, as_of, status, total_minor, member_count, row_count,
                              number)
    values ('aurora', ${batchId}::uuid, 'many', 'USD', now(), 'Created', ${members}, ${members}, ${members}, 9001)`.execute(
    db(),
  );
  await sql`
    insert into payout_item (publisher_id, item_id, batch_id, membership_id, row_count, payments_minor, adjustments_minor, amount_minor,
                             reference)
    select 'aurora', gen_random_uuid(), ${batchId}::uuid, membership_id, 1, 1, 0, 1,
           '9001-' || lpad((row_number() over ())::text, 5, '0')
    from membership where group_id = 'many' and account_id like 'acc_many_%' and player_id is null`.execute(
    db(),
  );
  const { text, chunks } = await exported(batchId);
  const ids = text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',')[2]);
  const inOrder = await query<{ id: string }>(sql`
    select '"' || account_id || '"' as id from membership where group_id = 'many' and player_id is null order by membership_id`);
  expect(ids).toEqual(inOrder.map(({ id }) => id));
  expect(chunks.length).toBeGreaterThan(2);
});

test("doesn't find another publisher's batch", async () => {
  await makeGroup('own');
  await earn('own', 'A', 5);
  await settle();
  const [batch] = await create('own');
  await expect(exported(batch?.batchId ?? '', 'rival')).rejects.toThrow('Publisher rival has no payout');
});
