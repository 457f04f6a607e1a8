import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { killLeftovers, spawnAttribution, until } from '../../../../test/attribution-process.ts';
import { writtenEntries } from '../../../../test/audit.ts';
import { databaseUrl } from '../../../../test/database-url.ts';
import { useMoney } from '../../../../test/money.ts';
import { runInProcess } from '../../../../test/run-in-process.ts';
import { connect } from '../../../../test/test-database.ts';

const money = useMoney();
const { service, makeGroup, earn, settle } = money;
afterAll(() => killLeftovers());

const environment = () => ({ DATABASE_URL: databaseUrl(service().testDatabase.connection) });
const payouts = (...words: string[]) =>
  runInProcess(['payouts', ...words, '--publisher', 'aurora'], { environment: environment() });
const statuses = async () =>
  (await money.payouts())
    .map(({ groupId, currency, status, wasUndone }) =>
      [groupId, currency, wasUndone ? 'undone' : status].join(' '),
    )
    .sort();

test('a run whose process is killed between two payouts continues with the same command, and pays each once', async () => {
  for (const group of ['k1', 'k2', 'k3']) await makeGroup(group);
  await earn('k1', 'A', 150);
  await earn('k1', 'B', 70, { currency: 'EUR' });
  await earn('k2', 'A', 99);
  await earn('k3', 'B', 5);
  await settle();
  const shown = await payouts('preview-all', '--except', 'k3');
  const [, asOf = ''] = /--except k3 --as-of (\S+)/.exec(shown.stdout) ?? [];
  expect(shown.stdout).toMatch(/k1 +USD +1 +1\.50 +0\.00 +0\.00/);
  expect(shown.stdout).not.toMatch(/k3 +USD/);

  const blocker = await connect(service().testDatabase.connection);
  await blocker.query(
    "begin; select 1 from membership where publisher_id = 'aurora' and group_id = 'k2' for update",
  );
  const words = ['create-all', '--except', 'k3', '--as-of', asOf];
  const killed = spawnAttribution(['payouts', ...words, '--publisher', 'aurora'], {
    environment: environment(),
  });
  await until('the third payout to be started', async () => (await statuses()).includes('k2 USD Preparing'));
  killed.kill('SIGKILL');
  expect(await killed.ended).toMatchObject({ signal: 'SIGKILL' });
  await blocker.query('commit');
  expect(await statuses()).toEqual(['k1 EUR Created', 'k1 USD Created', 'k2 USD Preparing']);
  await money.expectSound();

  await money.query(
    sql`update payout_batch set worked_until = now() - interval '1 second' where worked_until is not null`,
  );
  await money.query(
    sql`update pay_run set worked_until = now() - interval '1 second' where worked_until is not null`,
  );
  const again = await payouts(...words);
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(again.stdout).toMatch(/group k2: 0\.99 USD to 1 member/);
  const made = ['k1 EUR Created', 'k1 USD Created', 'k2 USD Created', 'k2 USD undone'];
  expect(await statuses()).toEqual(made);
  expect(await payouts(...words)).toMatchObject({ code: 0, stdout: again.stdout });
  expect(await statuses()).toEqual(made);
  const entries = await writtenEntries(money.db());
  expect(entries.filter(({ action }) => action === 'payout.create')).toHaveLength(3);
  expect(entries.filter(({ action }) => action === 'pay-run.start')).toMatchObject([
    { actor_kind: 'command', command: 'payouts create-all', after: { totals: { EUR: '70', USD: '249' } } },
  ]);

  const [, run = ''] = /Pay run (\S+):/.exec(again.stdout) ?? [];
  const { stdout: file } = await payouts('export', '--run', run);
  expect(
    file
      .trim()
      .split('\r\n')
      .map((line) => line.split(',').slice(1, 3).join(' ')),
  ).toEqual(['group status', '"k1" Created', '"k1" Created', '"k2" Created']);
  expect(await payouts('mark-paid', '--run', run)).toMatchObject({
    code: 0,
    stdout: '3 of 3 payouts are marked as paid.\n',
  });
  expect(await payouts('mark-paid', '--run', run)).toMatchObject({ code: 0 });
  await money.expectSound();
});

test('create-all names each payout that was not created, creates the others, and fails', async () => {
  await makeGroup('changed');
  await makeGroup('fine');
  const sold = await earn('changed', 'A', 500);
  await earn('fine', 'A', 20);
  await settle();
  const shown = await payouts('preview-all', '--json');
  const { asOf } = JSON.parse(shown.stdout);
  await money.patch(sold.transactionId, { form: { action: 'Refund' } });
  const { code, stdout, stderr } = await payouts(
    ...['create-all', '--except', 'k3', '--as-of', asOf, '--exactly'],
  );
  expect(code).toBe(1);
  expect(stdout).toMatch(/group fine: 0\.20 USD to 1 member/);
  expect(stderr).toMatch(/^Not created: group changed in USD\. Amounts fell since the preview/);
  expect(await payouts('create-all', '--except', 'k33')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--except k33 doesn't name a group"),
  });
  expect(await payouts('mark-paid')).toMatchObject({ code: 1, stderr: expect.stringContaining('--run') });
});
