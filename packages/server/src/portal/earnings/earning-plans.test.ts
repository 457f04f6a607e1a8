import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeLargeLedger } from '../../../test/large-ledger.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { toAccountId } from '../../platform/ids.ts';
import { Pages } from '../../platform/page.ts';
import { type EarningList, listEarnings } from './list-earnings.ts';

/** All purchases are one creator's, in two groups, over 400 days. */
const size = { rows: 200_000, days: 400, membersOfGroup: 1 };
const pages = new Pages(Buffer.alloc(32));
let testDatabase: TestDatabase;
let admin: pg.Client;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  admin = new pg.Client(testDatabase.adminConnection);
  await admin.connect();
  await makeLargeLedger(admin, size);
  await admin.query(`
    create index attribution_by_member_status on attribution (publisher_id, membership_id, transaction_date, attribution_id)
      where status <> 'Normal'`);
  // A code and a currency that the creator had on one day long ago.
  await admin.query(`
    update attribution set code = 'RARE', currency = 'JPY' where publisher_id = 'large' and transaction_id in ('order-2000', 'order-2001');
    insert into earning_rollup (publisher_id, group_id, day, membership_id, code, currency, row_count, gross_minor, share_minor,
                                reversed_count, reversed_gross_minor, reversed_share_minor, all_count)
    select publisher_id, group_id, (transaction_date at time zone 'UTC')::date, membership_id, code, currency, 1, subtotal_minor,
           share_minor, 0, 0, 0, 1
    from attribution
    where publisher_id = 'large' and code = 'RARE'`);
  await admin.query('vacuum analyze attribution, earning_rollup, payment, membership');
}, 180_000);
afterAll(async () => {
  await admin.end();
  await testDatabase.drop();
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

type Filter = Partial<Pick<EarningList, 'month' | 'code' | 'status' | 'currency'>>;

async function planOf(filter: Filter, cursor: string | null = null) {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const { rows, nextCursor } = await listEarnings(testDatabase.database.db, pages, {
    publisherId: 'large',
    accountIds: [toAccountId('acc_0')],
    month: null,
    code: null,
    status: null,
    currency: null,
    ...filter,
    cursor,
    size: 30,
  });
  const sent = query.mock.calls.map(([text, values]: unknown[]) => ({ text, values: values as unknown[] }));
  query.mockRestore();
  const page = sent.find(({ text }) => typeof text === 'string' && text.includes('as is_owed_again'));
  if (page === undefined) throw new Error('no page was read');
  const explained = await admin.query(`explain (analyze, buffers, format json) ${page.text}`, page.values);
  const [{ Plan: top }] = explained.rows[0]['QUERY PLAN'] as [{ Plan: Plan }];
  const scans: string[] = [];
  for (const queue = [top]; queue.length > 0; ) {
    const node = queue.pop();
    if (node?.['Node Type'] === 'Seq Scan' || node?.['Node Type'].startsWith('Bitmap Heap'))
      scans.push(node['Relation Name'] ?? '');
    queue.push(...(node?.Plans ?? []));
  }
  return {
    count: rows.length,
    nextCursor,
    blocks: top['Shared Hit Blocks'] + top['Shared Read Blocks'],
    scans: scans.filter((relation) => relation === 'attribution'),
  };
}

test.each<[what: string, filter: Filter, count: number, maxBlocks: number]>([
  ['no filter', {}, 30, 1_000],
  ['a month', { month: '2026-07' }, 30, 1_000],
  ['a status', { status: 'Refund' }, 30, 1_000],
  ['a usual code', { code: 'c1' }, 30, 3_000],
  ['a usual currency', { currency: 'USD', month: '2026-03' }, 30, 3_000],
  ['a rare code', { code: 'rare' }, 2, 3_000],
  ['a rare currency', { currency: 'JPY' }, 2, 3_000],
  ['a rare currency in another month', { currency: 'JPY', month: '2026-09' }, 0, 1_000],
  ['a code without purchases', { code: 'nothing' }, 0, 1_000],
])(
  'a page of 30 of 200,000 purchases with %s reads a small part of them',
  async (what, filter, count, maxBlocks) => {
    const first = await planOf(filter);
    expect(first).toMatchObject({ count, scans: [] });
    expect(first.blocks, what).toBeLessThan(maxBlocks);
    if (first.nextCursor === null) return;
    const second = await planOf(filter, first.nextCursor);
    expect(second).toMatchObject({ count, scans: [] });
    expect(second.blocks, `${what}, second page`).toBeLessThan(maxBlocks);
  },
);
