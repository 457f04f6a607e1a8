import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { killLeftovers, startServer, until } from '../attribution-process.ts';
import { urlsOf } from '../database-url.ts';
import { runInProcess } from '../run-in-process.ts';
import { connect } from '../test-database.ts';
import { startService, type TestService } from '../test-service.ts';
import {
  type OlderInstallation,
  readOlderContents,
  restoreOlderInstallation,
  settleAsBefore,
} from './older-installation.ts';

const contents = readOlderContents();
const transactions = '/v1/attributions/transactions';
let installation: OlderInstallation;
let service: TestService;
let key = '';

const environment = () => ({ ...urlsOf(installation), SETTLE_INTERVAL_MS: '20', LOG_LEVEL: 'fatal' });
const run = async (...words: string[]) => {
  const outcome = await runInProcess(words, { environment: environment() });
  expect(outcome, words.join(' ')).toMatchObject({ code: 0 });
  return outcome.stdout;
};
const json = async (...words: string[]) => JSON.parse(await run(...words, '--json'));
const ofAurora = (...words: string[]) => json(...words, '--publisher', 'aurora');
const query = async (text: string): Promise<Record<string, unknown>[]> =>
  (await (await connect(installation.adminConnection)).query(text)).rows;
const call = (method: string, path: string, body?: object) =>
  service.call(method, transactions + path, { key, ...(body !== undefined && { json: body }) });

/** Serves the installation, which must have been migrated. */
async function serve(): Promise<void> {
  const { connection } = installation;
  const database = openDatabase({ connection, poolSize: 5, recordLanes: 1, applicationName: 'test' });
  service = await startService({ on: { ...installation, database } });
  const [made] = await service.provision(
    '{ publisher: { id: aurora, apiKeys: [ { name: test, kind: secret } ] } }',
  );
  key = made?.key ?? '';
}

async function stop(): Promise<void> {
  await service?.close();
  await service?.testDatabase.database.close();
  service = undefined as never;
  killLeftovers();
  await installation?.drop();
}

async function expectAnswers(when: 'before' | 'after'): Promise<void> {
  for (const [id, { shown, settled }] of contents.purchases) {
    const expected = when === 'before' ? shown : settled;
    expect((await call('GET', `/${id}`)).body, id).toEqual(expected.map((transaction) => ({ transaction })));
  }
  const said = contents[when];
  for (const [asked, { total, ids }] of Object.entries<{ total: string | null; ids: string[] }>(said.lists)) {
    const { status, headers, body } = await call('GET', `?${asked}`);
    expect([status, headers.get('x-total-count')], asked).toEqual([200, total]);
    const rows: { transaction: { id: string } }[] = body;
    expect(
      rows.map(({ transaction }) => transaction.id),
      asked,
    ).toEqual(ids);
  }
  expect(await ofAurora('ledger', 'balance')).toMatchObject(said.balances);
  expect(await ofAurora('payouts', 'list')).toMatchObject(said.payouts);
  for (const bounty of ['spring', 'volume'])
    expect(await ofAurora('bounties', 'show', bounty)).toMatchObject(untimed(said[bounty]));
  expect(await json('ledger', 'verify', '--all')).toMatchObject({ isSound: true });
}

/** Removes the time of each worker's last run. */
const untimed = (said: object): object =>
  JSON.parse(JSON.stringify(said, (name, value) => (name === 'lastProgressCheck' ? undefined : value)));

async function expectPreviews(when: 'before' | 'after', asOf?: string): Promise<void> {
  for (const [group, said] of Object.entries<{ asOf: string; payables: object[] }>(contents[when].preview)) {
    const { payables } = await ofAurora('payouts', 'preview', '--group', group, '--as-of', asOf ?? said.asOf);
    expect(payables, group).toMatchObject(said.payables);
    expect(payables.length).toBe(said.payables.length);
  }
}

async function post(): Promise<void> {
  const server = await startServer(environment(), undefined, ['--role', 'worker']);
  await until('nothing to wait', async () => {
    const [left] = await query(
      'select (select count(*) from unposted) + (select count(*) from bounty_progress where needs_check) as n',
    );
    return Number(left?.n) === 0;
  });
  server.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
}

/** Compares each row's share with the posted one. */
async function expectShares(): Promise<void> {
  const rows = await query(`
    select attribution_id as share, share_millionths as millionths, share_minor::text as minor, share_rule as rule,
           case share_rule when 'sku' then sku_id when 'tier' then tier_id::text when 'group' then group_id
                           when 'sent' then null else schedule_id end as source
    from attribution
    where not is_test
    order by attribution_id`);
  expect(rows).toEqual(contents.shares);
}

/** Compares the counts and sums that screens and pages use with the rows themselves. */
async function expectCounts(): Promise<void> {
  const counts = `
    count(*)::int as every, count(*) filter (where status = 'Test')::int as test, count(*) filter (where status = 'Refund')::int as refund,
    count(*) filter (where status = 'Fraud')::int as fraud, count(*) filter (where status = 'Chargeback')::int as chargeback`;
  const kept = `
    sum(all_count)::int as every, sum(test_count)::int as test, sum(refund_count)::int as refund, sum(fraud_count)::int as fraud,
    sum(chargeback_count)::int as chargeback`;
  const posted = `
    from attribution a
    where not exists (select from unposted u where u.publisher_id = a.publisher_id
                      and left(u.recording_id::text, 32) = left(a.attribution_id::text, 32))`;
  expect(
    await query(
      `select membership_id, day::text, code, currency, ${kept} from earning_rollup group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    ),
  ).toEqual(
    await query(
      `select membership_id, (transaction_date at time zone 'UTC')::date::text as day, code, currency, ${counts} ${posted} group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    ),
  );
  expect(
    await query(
      `select publisher_id, group_id, hour::text, ${kept} from transaction_count group by 1, 2, 3 order by 1, 2, 3`,
    ),
  ).toEqual(
    await query(
      `select publisher_id, group_id, date_trunc('hour', transaction_date)::text as hour, ${counts} ${posted} group by 1, 2, 3 order by 1, 2, 3`,
    ),
  );
  expect(
    await query(
      'select publisher_id, group_id, code_folded, membership_id from credited_code order by 1, 2, 3, 4',
    ),
  ).toEqual(
    await query(
      `select distinct publisher_id, group_id, lower(code) as code_folded, membership_id ${posted} order by 1, 2, 3, 4`,
    ),
  );
  const money = `row_count::int, gross_minor::int, share_minor::int, reversed_count::int, reversed_gross_minor::int, reversed_share_minor::int`;
  const sums = money.replace(/(\w+)::int/g, 'sum($1)::int as $1');
  expect(
    await query(
      `select publisher_id, group_id, day::text, currency, ${money} from group_rollup order by 1, 2, 3, 4`,
    ),
  ).toEqual(
    await query(
      `select publisher_id, group_id, day::text, currency, ${sums} from earning_rollup where row_count > 0 group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    ),
  );
}

describe('an installation of 0.1.0 that is upgraded at once', () => {
  beforeAll(async () => {
    installation = await restoreOlderInstallation(contents);
    await run('migrate');
    await serve();
  });
  afterAll(stop);

  test('shows, lists, counts, owes and would pay the same as before', async () => {
    await expectAnswers('before');
    await expectPreviews('before');
    await expectCounts();
  });

  test('would pay, for an earlier cutoff, only what 0.1.0 had posted by then', async () => {
    // For a cutoff before the last payout, the error names that payout.
    const batches: { asOf: string }[] = contents.before.payouts.batches;
    const last = Math.max(...batches.map((batch) => Date.parse(batch.asOf)));
    const asOf = new Date(last + 1).toISOString();
    const open = (contents.tables.get('payment') ?? []).filter(
      (payment) =>
        payment.publisher_id === 'aurora' &&
        payment.group_id === 'main' &&
        !payment.payout_batch_id &&
        !payment.reversed_at,
    );
    const settledByThen = open.filter(({ settled_at: at }) => Date.parse(String(at)) <= Date.parse(asOf));
    expect(settledByThen.length).toBeGreaterThan(0);
    expect(settledByThen.length).toBeLessThan(open.length);
    const { payables } = await ofAurora('payouts', 'preview', '--group', 'main', '--as-of', asOf);
    expect(payables.reduce((sum: number, { rowCount }: { rowCount: number }) => sum + rowCount, 0)).toBe(
      settledByThen.length,
    );
  });

  test('posts unposted rows with the shares, balances and rewards of 0.1.0', async () => {
    await post();
    await expectAnswers('after');
    await expectShares();
    await expectCounts();
    const [now] = await query(
      `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`,
    );
    await expectPreviews('after', String(now?.now));
  });

  test('pays the same, and claws back and returns what 0.1.0 paid and put into payouts', async () => {
    const made = await ofAurora('payouts', 'create', '--group', 'main');
    const batches: { currency: string }[] = contents.after.created.batches;
    expect(made.batches).toMatchObject(
      batches.map(({ currency, ...sums }) => ({ ...withoutIds(sums), currency })),
    );
    for (const [place, { batchId }] of made.batches.entries()) {
      const { items } = await ofAurora('payouts', 'show', batchId);
      expect(byMember(items)).toMatchObject(byMember(contents.after.items[place].items.map(withoutIds)));
    }

    const [held] = await query(
      "select transaction_id as id from attribution where group_id = 'moba' and status = 'Normal' order by 1",
    );
    expect((await call('PATCH', `/${held?.id}`, { action: 'Refund' })).body).toMatchObject([
      { transaction: { status: 'Refund' } },
    ]);
    const [paid] = await query(
      'select transaction_id as id, attribution_id as row from payment p join attribution a using (publisher_id, attribution_id) where p.paid_at is not null and p.reversed_at is null and split_index = 0 order by 1',
    );
    expect((await call('PATCH', `/${paid?.id}`, { action: 'Refund' })).status).toBe(409);
    await run('payouts', 'claw-back', String(paid?.row), '--publisher', 'aurora', '--status', 'Fraud');
    expect((await call('GET', `/${paid?.id}`)).body[0].transaction).toMatchObject({
      status: 'Fraud',
      memberPaid: true,
    });

    const [yen] = await query(
      "select batch_id as id, total_minor::text as total from payout_batch where currency = 'JPY'",
    );
    await run('payouts', 'cancel', String(yen?.id), '--publisher', 'aurora');
    const again = await ofAurora('payouts', 'create', '--group', 'main', '--currency', 'JPY');
    expect(again.batches).toMatchObject([{ currency: 'JPY', totalMinor: yen?.total }]);
    await expectCounts();
    expect(await json('ledger', 'verify', '--all')).toMatchObject({ isSound: true });
  });
});

const withoutIds = ({ batchId: _batch, itemId: _item, ...rest }: Record<string, unknown>) => rest;

/** Sorts items by member, as 0.1.0 listed them. The service now lists the largest amounts first. */
const byMember = (items: readonly Record<string, unknown>[]): object[] =>
  items.toSorted((one, other) => (String(one.memberId) < String(other.memberId) ? -1 : 1));

describe('one that was prepared while 0.1.0 was serving', () => {
  beforeAll(async () => {
    installation = await restoreOlderInstallation(contents);
  });
  afterAll(stop);

  test('is unchanged for 0.1.0 until the switch, and includes what 0.1.0 posted in the meantime', async () => {
    expect(await json('migrate', '--prepare')).toEqual({
      prepared: [
        expect.stringMatching(/^0009/),
        expect.any(String),
        expect.any(String),
        expect.any(String),
        '0013_copy-shares.sql',
      ],
      theSwitch: '0014_posting.sql',
    });
    expect((await query('select max(name) as last from schema_migration'))[0]?.last).toBe(
      '0008_bounties.sql',
    );
    await settleAsBefore(installation, contents);
    await run('migrate');
    await serve();
    await expectAnswers('after');
    await expectShares();
    await expectCounts();
    await expectPreviews('after');
  });
});
