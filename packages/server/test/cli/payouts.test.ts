import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../src/main.ts';
import { runAttribution, until } from '../attribution-process.ts';
import { purchase } from '../fixtures.ts';
import { runInProcess } from '../run-in-process.ts';
import { useRunningService } from '../running-service.ts';

const service = useRunningService({ SETTLE_INTERVAL_MS: '50' });
let key = '';

const program = `
publisher: { id: studio, apiKeys: [ { name: backend, kind: secret } ] }
groups:
  - id: main
    payoutCalendar: { dayOfMonth: 15, withinDays: 3 }
    revShare: 10
    payoutMinimums: { USD: 5000 }
    members:
      - { id: acc_ann, name: "=Ann()", playerId: p-1, codes: [ { code: ANN } ] }
      - { id: acc_ben, name: Ben, codes: [ { code: BEN } ] }
`;

beforeAll(async () => {
  const { environment } = service();
  const { stdout } = await runInProcess(['provision', '-', '--json'], { environment, input: program });
  ({ key } = JSON.parse(stdout).keys[0]);
});

const run = async (...words: string[]) => {
  const { code, stdout, stderr } = await runInProcess(words, { environment: service().environment });
  return { code, stdout, stderr };
};
const ofStudio = (...words: string[]) => run(...words, '--publisher', 'studio');
const json = async (...words: string[]) => {
  const { code, stdout, stderr } = await ofStudio(...words, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
};
const call = (method: string, path: string, body?: object) =>
  fetch(`${service().server.url}/v1/attributions/transactions${path}`, {
    method,
    headers: { 'x-shared-secret': key, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const transactionOf = async (transactionId: string): Promise<{ id: string; transactionId: string }> => {
  const [row] = (await (await call('GET', `/${transactionId}`)).json()) as {
    transaction: { id: string; transactionId: string };
  }[];
  if (row === undefined) throw new Error(`${transactionId} is not recorded`);
  return row.transaction;
};

async function settled(code: string, subtotal: number, changes: object = {}) {
  const sent = purchase({ code, subtotal, transactionDate: '2024-05-01T12:00:00Z', ...changes });
  expect((await call('POST', '', sent)).status).toBe(200);
  return until('the row to be settled', async () => {
    const transaction = await transactionOf(sent.transactionId);
    return 'memberShareAmount' in transaction ? transaction : null;
  });
}

test('a running service posts by itself, and counts it', async () => {
  const startedAt = performance.now();
  expect(await settled('ANN', 12_345)).toMatchObject({ memberShareAmount: 1_234, memberSharePercent: 10 });
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  const metrics = await (await fetch(`${service().server.url}/metrics`)).text();
  expect(metrics).toMatch(/^attribution_settled_rows_total [1-9]/m);
});

test('explain shows, rule by rule, why a row earns its share', async () => {
  const { transactionId } = await settled('BEN', 15, { memberSharePercent: 50 });
  const { code, stdout } = await ofStudio('explain', transactionId);
  expect(code).toBe(0);
  expect(stdout).toMatch(/→ memberSharePercent sent with the purchase\s+50%/);
  expect(stdout).toMatch(/ {2}share of the SKU\s+not set/);
  expect(stdout).toMatch(/ {2}default share of the group\s+10% \(main\)/);
  expect(stdout).toContain('    0.15 × 50% = 0.075 → 0.08 USD (rounded half-even)\n');
  expect(stdout).toContain('posted');
  expect(await json('explain', transactionId)).toMatchObject([
    {
      code: 'BEN',
      subtotalMinor: '15',
      state: 'posted',
      decided: { rule: 'sent', exact: '7.5', shareMinor: '8' },
      isReversed: false,
    },
  ]);
});

test('a payout from preview to payment', async () => {
  const row = await settled('ANN', 100_000);
  const preview = await ofStudio('payouts', 'preview', '--group', 'main');
  expect(preview.stdout).toMatch(/acc_ann\s+=Ann\(\)\s+USD\s+2\s+112\.34\s+0\.00\s+0\.00\s+112\.34\s+due/);
  expect(preview.stdout).toMatch(
    /acc_ben\s+Ben\s+USD\s+1\s+0\.08\s+0\.00\s+0\.00\s+0\.08\s+below the minimum \(50\.00\)/,
  );
  const asOf = /--as-of (\S+)/.exec(preview.stdout)?.[1] ?? '';
  const { payables, plannedFor } = await json('payouts', 'preview', '--group', 'main', '--as-of', asOf);
  expect(plannedFor).toMatch(/^\d{4}-\d{2}-15T00:00:00.000Z$/);
  expect(preview.stdout).toContain(`Planned for ${plannedFor.slice(0, 10)} (UTC).\n`);
  expect(payables).toMatchObject([
    { memberId: 'acc_ann', amountMinor: '11234', isDue: true },
    { memberId: 'acc_ben', amountMinor: '8', isDue: false },
  ]);

  await settled('ANN', 50_000); // after the preview
  const created = await ofStudio('payouts', 'create', '--group', 'main', '--as-of', asOf);
  expect(created.stdout).toMatch(/^Payout [0-9a-f-]{36}: 112\.34 USD to 1 member\(s\) for 2 row\(s\)\.$/m);
  const id = /Payout (\S+):/.exec(created.stdout)?.[1] ?? '';
  expect(await ofStudio('payouts', 'create', '--group', 'main', '--as-of', asOf)).toEqual({
    ...created,
    stdout: created.stdout.replace('row(s).', 'row(s), created earlier.'),
  });
  expect((await call('PATCH', `/${row.transactionId}`, { action: 'Refund' })).status).toBe(409);

  const list = await ofStudio('payouts', 'list');
  expect(list.stdout).toMatch(new RegExp(`${id}\\s+1001\\s+main\\s+Created\\s+USD\\s+112\\.34\\s+1\\s+2`));
  expect((await json('payouts', 'list')).batches).toHaveLength(1);
  expect((await ofStudio('payouts', 'show', id)).stdout).toMatch(
    /1001-00001\s+acc_ann\s+=Ann\(\)\s+p-1\s+2\s+112\.34/,
  );
  expect(await json('payouts', 'show', id)).toMatchObject({ batchId: id, items: [{ amountMinor: '11234' }] });
  expect(await ofStudio('payouts', 'export', id)).toEqual({
    code: 0,
    stderr: '',
    stdout: `batch,status,memberId,playerId,name,currency,amount,amountMinor,rows,payments,rewards,adjustments,reference,method,payeeName,payeeCountry,payTo\r\n${id},Created,"acc_ann","p-1",'=Ann(),USD,112.34,11234,2,112.34,0.00,0.00,1001-00001,,,,\r\n`,
  });

  const files = await ofStudio('payouts', 'month', '--month', new Date().toISOString().slice(0, 7));
  expect([files.code, files.stderr, files.stdout.slice(0, 2)]).toEqual([0, '', 'PK']);
  expect(await ofStudio('payouts', 'month', '--month', '2026-13')).toMatchObject({ code: 2, stdout: '' });

  expect((await ofStudio('payouts', 'cancel', id, '--reason', 'wrong month')).stdout).toContain(
    'is canceled.',
  );
  expect(await ofStudio('payouts', 'mark-paid', id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('was canceled'),
  });
  const [{ batchId: again }] = (await json('payouts', 'create', '--group', 'main', '--currency', 'USD'))
    .batches;
  for (const _ of ['once', 'twice'])
    expect(await ofStudio('payouts', 'mark-paid', again)).toMatchObject({ code: 0, stderr: '' });
  const year = String(new Date().getUTCFullYear());
  const head =
    'year,memberId,name,country,currency,payments,paid,paidMinor,returns,returned,returnedMinor,net,netMinor';
  expect(await ofStudio('payouts', 'year', '--year', year)).toEqual({
    code: 0,
    stderr: '',
    stdout: `${head}\r\n${year},"acc_ann",'=Ann(),,USD,1,162.34,16234,0,0.00,0,162.34,16234\r\n`,
  });
  expect(await ofStudio('payouts', 'year', '--year', '26')).toMatchObject({ code: 2, stdout: '' });
  expect(await ofStudio('payouts', 'year', '--year', '2099')).toMatchObject({ code: 1, stdout: '' });
  expect(await transactionOf(row.transactionId)).toMatchObject({ memberPaid: true });
  expect(await ofStudio('payouts', 'cancel', again)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is paid'),
  });

  const { number, items } = await json('payouts', 'show', again);
  const reference = `${number}-00001`;
  expect(items).toMatchObject([{ reference, result: 'Paid' }]);
  expect(await ofStudio('payouts', 'set-result', again, reference, '--result', 'Failed')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('impossible: The line is Paid.'),
  });
  const report = join(mkdtempSync(join(tmpdir(), 'report-')), 'results.csv');
  writeFileSync(report, `reference,status\n${reference},Paid\n9999-00001,Returned\n`);
  const checked = await ofStudio('payouts', 'import-results', again, report, '--apply');
  expect(checked).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("1 of 2 line(s) can't have the specified result"),
  });
  expect(checked.stdout).toMatch(/unchanged[\s\S]*unknown: [\s\S]*0 line\(s\) changed/);

  expect(
    (await ofStudio('payouts', 'claw-back', row.id, '--status', 'Fraud', '--reason', 'case 4711')).code,
  ).toBe(0);
  const { batches: latest, nextCursor } = await json('payouts', 'list', '--limit', '1');
  expect(latest).toMatchObject([{ batchId: again }]);
  expect((await ofStudio('payouts', 'list', '--limit', '1')).stdout).toContain(
    `\nMore: --cursor ${nextCursor}\n`,
  );
  expect(await json('payouts', 'list', '--cursor', nextCursor)).toMatchObject({
    batches: [{ batchId: id }],
    nextCursor: null,
  });
  const { entries } = await json('audit', 'list', '--action', 'payout');
  expect(
    entries.map(({ action, target, actor, reason }: Record<string, Record<string, string>>) => [
      `${action} ${target}`,
      `${actor?.kind}: ${actor?.command}`,
      reason,
    ]),
  ).toEqual([
    [`payout.claw-back transaction:${row.transactionId}`, 'command: payouts claw-back', 'case 4711'],
    [`payout.mark-paid payout:${again}`, 'command: payouts mark-paid', null],
    [`payout.create payout:${again}`, 'command: payouts create', null],
    [`payout.cancel payout:${id}`, 'command: payouts cancel', 'wrong month'],
    [`payout.create payout:${id}`, 'command: payouts create', null],
  ]);
  expect(await transactionOf(row.transactionId)).toMatchObject({ memberPaid: true, status: 'Fraud' });
  expect((await ofStudio('ledger', 'balance')).stdout).toMatch(/main\s+acc_ann\s+=Ann\(\)\s+USD\s+-100\.00/);
  expect((await json('ledger', 'balance')).balances).toMatchObject([
    { memberId: 'acc_ann', balanceMinor: '-10000' },
    { memberId: 'acc_ben', balanceMinor: '8' },
  ]);
  expect(await run('ledger', 'verify')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The ledger is correct: \d+ entries/),
  });
  expect((await run('ledger', 'verify')).stdout).toMatch(
    /\nChecked 0 of [1-9] days, 0 of 2 payouts, [1-9] rows; the rest has not changed since/,
  );
  expect((await run('ledger', 'verify', '--all', '--publisher', 'studio')).stdout).toMatch(
    /\nChecked ([1-9]) of \1 days, 2 of 2 payouts, \d+ rows\.\n$/,
  );
  expect(JSON.parse((await run('ledger', 'verify', '--json')).stdout)).toMatchObject({
    isSound: true,
    days: 0,
  });
});

test("the command in a preview's last line pays exactly that preview", async () => {
  const group = 'two';
  const { environment } = service();
  const input = `{ publisher: { id: studio }, groups: [ { id: ${group}, revShare: 100, members: [ { id: acc_cat, codes: [ { code: CAT, group: ${group} } ] } ] } ] }`;
  expect((await runInProcess(['provision', '-'], { environment, input })).code).toBe(0);
  for (const currency of ['USD', 'EUR']) {
    const sent = purchase({ code: 'CAT', subtotal: 700, currency, transactionDate: '2024-05-01T12:00:00Z' });
    expect((await call('POST', `?groupId=${group}`, sent)).status).toBe(200);
    await until(
      'the row to be settled',
      async () => 'memberShareAmount' in (await transactionOf(sent.transactionId)),
    );
  }
  const { stdout } = await ofStudio('payouts', 'preview', '--group', group, '--currency', 'eur');
  const line = /To pay this: npx attribution (.*)$/m.exec(stdout)?.[1] ?? '';
  expect(line).toContain('--currency EUR');
  const { batches } = JSON.parse((await run(...line.split(' '), '--json')).stdout);
  expect(batches).toMatchObject([{ currency: 'EUR', totalMinor: '700', isNew: true }]);
  expect((await json('payouts', 'preview', '--group', group)).payables).toMatchObject([{ currency: 'USD' }]);

  const [{ batchId }] = batches;
  expect(await json('payouts', 'cancel', batchId)).toMatchObject({
    batchId,
    status: 'Cancelled',
    totalMinor: '700',
  });
  const [{ batchId: usd }] = (await json('payouts', 'create', '--group', group, '--currency', 'usd')).batches;
  expect(await json('payouts', 'mark-paid', usd)).toMatchObject({ batchId: usd, status: 'Paid' });
  const { items } = await json('payouts', 'show', usd);
  expect(items).toMatchObject([{ memberId: 'acc_cat', amountMinor: '700' }]);
  const rows = (await (await call('GET', `?groupId=${group}&code=CAT`)).json()) as {
    transaction: { id: string; currency: string; transactionId: string };
  }[];
  const row = rows.find(({ transaction }) => transaction.currency === 'USD')?.transaction;
  expect(await ofStudio('payouts', 'claw-back', row?.transactionId ?? '', '--status', 'Fraud')).toMatchObject(
    {
      code: 1,
      stderr: `${row?.transactionId} is the transactionId of a purchase. Specify one of its rows: ${row?.id}.\n`,
    },
  );
  const clawBack = (...more: string[]) => [
    'payouts',
    'claw-back',
    row?.id ?? '',
    '--status',
    'Fraud',
    ...more,
  ];
  for (const wrong of ['x', '1.005', '-1', '1e3'])
    expect(await ofStudio(...clawBack('--amount', wrong)), wrong).toMatchObject({ code: 1 });
  expect((await ofStudio(...clawBack('--amount', '7.01'))).stderr).toContain('from 0.01 to 7.00 USD');
  expect(await json(...clawBack('--amount', '0.5'))).toMatchObject({ amountMinor: '50' });
  expect(await json(...clawBack())).toEqual({
    rowId: row?.id,
    status: 'Fraud',
    currency: 'USD',
    amountMinor: '650',
  });
  const name = row?.transactionId ?? '';
  const { refunds } = await json('refunds', 'list', name);
  expect(refunds).toMatchObject([
    { source: 'Clawback', rows: [{ shareMinor: '50' }] },
    { source: 'Clawback', rows: [{ shareMinor: '650' }] },
  ]);
  const given = await ofStudio('refunds', 'reinstate', name, refunds[1].refundId, '--reason', 'won');
  expect(given).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('6.50 USD of the share given back'),
  });
  expect((await ofStudio('refunds', 'list', name)).stdout).toMatch(/Clawback\s+Fraud/);
  expect(await ofStudio('refunds', 'reinstate', name, 'unknown', '--reason', 'x')).toMatchObject({ code: 1 });
  expect(await ofStudio('refunds', 'list', 'unknown')).toMatchObject({ code: 1 });
});

test('a payout is created even if its output cannot be printed, and the exit code says so', async () => {
  await settled('BEN', 900_000);
  const stderr: string[] = [];
  const code = await runCommand(['payouts', 'create', '--publisher', 'studio', '--group', 'main'], {
    environment: { LOG_LEVEL: 'warn', ...service().environment },
    stdin: () => Readable.from([]),
    stdout: new Writable({ write: (_chunk, _encoding, done) => done(new Error('no space left on device')) }),
    stderr: new Writable({
      write(chunk, _encoding, done) {
        stderr.push(String(chunk));
        done();
      },
    }),
  });
  expect(code).toBe(0);
  expect(stderr.join('')).toMatch(/^Payout [0-9a-f-]{36}: 900\.08 USD to 1 member/m);
  const { batches } = await json('payouts', 'list');
  expect(batches[0]).toMatchObject({ status: 'Created', totalMinor: '90008' });
});

test('a running service undoes an unfinished payout by itself', async () => {
  const { database } = service().testDatabase;
  const left = '0197a000-0000-7000-8000-0000000000ff';
  await database.recording.query(
    `insert into payout_batch (publisher_id, batch_id, group_id, currency, as_of, status, total_minor, member_count,
                               row_count, worked_until, number)
     values ('studio', $1, 'main', 'JPY', now(), 'Preparing', 0, 0, 0, now() - interval '1 second', 9001)`,
    [left],
  );
  await until('it to be undone', async () => {
    const { rows } = await database.recording.query(
      `select from payout_batch where batch_id = $1 and status = 'Cancelled' and was_undone`,
      [left],
    );
    return rows.length > 0;
  });
});

describe.concurrent('an impossible action is rejected with a one-sentence explanation', () => {
  const none = '0197a000-0000-7000-8000-000000000001';
  test.each([
    [
      ['payouts', 'preview', '--publisher', 'nobody', '--group', 'main'],
      'Publisher nobody has no group main.',
    ],
    [
      ['payouts', 'create', '--publisher', 'studio', '--group', 'chess'],
      'Publisher studio has no group chess.',
    ],
    [['payouts', 'create', '--publisher', 'studio', '--group', 'main', '--as-of', 'now'], '--as-of must be'],
    [['bounties', 'list', '--publisher', 'studio', '--group', 'nope'], 'Publisher studio has no group nope.'],
    [['payouts', 'list', '--publisher', 'nobody'], 'There is no publisher nobody.'],
    [
      ['payouts', 'list', '--publisher', 'studio', '--cursor', 'x'],
      'The cursor does not belong to this list',
    ],
    [['payouts', 'show', '--publisher', 'studio', none], `Publisher studio has no payout ${none}.`],
    [['payouts', 'export', '--publisher', 'studio', 'x'], 'Publisher studio has no payout x.'],
    [['payouts', 'mark-paid', '--publisher', 'studio', 'x'], 'Publisher studio has no payout x.'],
    [['payouts', 'cancel', '--publisher', 'studio', none], `Publisher studio has no payout ${none}.`],
    [
      ['payouts', 'claw-back', '--publisher', 'studio', 'x', '--status', 'Fraud'],
      'Publisher studio has no row x.',
    ],
    [['explain', '--publisher', 'studio', 'nothing'], 'Publisher studio has no transaction nothing.'],
    [['ledger', 'balance', '--publisher', 'nobody'], 'There is no publisher nobody.'],
    [['ledger', 'verify', '--publisher', 'nobody'], 'There is no publisher nobody.'],
  ])('%j', async (words, message) => {
    const { code, stdout, stderr } = await run(...words);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.startsWith(message), stderr).toBe(true);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test.each([
    [['payouts', 'create', '--publisher', 'studio'], '--group'],
    [['payouts', 'preview', '--publisher', 'studio', '--group', 'main', '--currency', 'usdd'], '--currency'],
    [['payouts', 'list'], '--publisher'],
    [['payouts', 'list', '--publisher', 'studio', '--limit', '1001'], '--limit'],
    [['payouts', 'claw-back', '--publisher', 'studio', none, '--status', 'Normal'], '--status'],
    [['ledger', 'mend'], 'mend'],
  ])('%j: invalid arguments', async (words, message) => {
    const { code, stderr } = await run(...words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

test('verifying a faulty ledger exits with 1, and names the discrepancy with its rows', async () => {
  const client = new pg.Client(service().testDatabase.connection);
  await client.connect();
  await client.query('update member_balance set balance_minor = balance_minor + 1');
  const { code, stdout } = await runAttribution(['ledger', 'verify'], {
    environment: service().environment,
  });
  const broken = await run('ledger', 'verify', '--json');
  await client.query('update member_balance set balance_minor = balance_minor - 1');
  const one =
    'where (membership_id, day, code, currency) = (select membership_id, day, code, currency from earning_rollup order by 1, 2, 3, 4 limit 1)';
  await client.query(`update earning_rollup set all_count = all_count + 1 ${one}`);
  const sum = await run('ledger', 'verify', '--all');
  await client.query(`update earning_rollup set all_count = all_count - 1 ${one}`);
  await client.end();
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^DISCREPANCY: membership \S+ in USD of publisher \S+ breaks the rule that a balance/,
  );
  expect([broken.code, JSON.parse(broken.stdout).isSound]).toEqual([1, false]);
  expect(sum.code).toBe(1);
  expect(sum.stdout).toMatch(
    /^DISCREPANCY: rollup of \d{4}-\d\d-\d\d, membership \S+, code \S+ in USD of publisher \S+ breaks .*\nSome of its rows: [-0-9a-f]{36}/,
  );
  expect((await run('ledger', 'verify')).code).toBe(0);
});

test('explain calculates in major units, and marks rounding', async () => {
  for (const [changes, said] of [
    [{ subtotal: 89_900 }, '899.00 × 10% = 89.90 USD'],
    [{ subtotal: 15, currency: 'JPY', memberSharePercent: 50 }, '15 × 50% = 7.5 → 8 JPY (rounded half-even)'],
  ] as const) {
    const tried = purchase({ code: 'BEN', status: 'Test', ...changes });
    expect((await call('POST', '', tried)).status).toBe(200);
    expect((await ofStudio('explain', tried.transactionId)).stdout).toContain(`    ${said}\n`);
  }
});
