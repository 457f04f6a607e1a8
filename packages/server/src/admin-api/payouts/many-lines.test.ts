import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Asking, asRole } from '../../../test/admin.ts';
import { useMoney } from '../../../test/money.ts';

const { service } = useMoney();
const lines = 20_000;
/** Many lines have the same amount, as when many creators are paid the minimum. */
const largest = 4;
const payoutId = '019cb000-0000-7000-8000-000000000000';
const size = 50;
const pages = 20;

let admin: pg.Client;
let finance: Asking;
beforeAll(async () => {
  admin = new pg.Client(service().testDatabase.adminConnection);
  await admin.connect();
  // Ids are scattered, as those of memberships are over time.
  const id = `('01900000-0000-7000-8000-' || left(md5(n::text), 12))::uuid`;
  await admin.query(`
    create temporary table made as
    select n, ${id} as id, 1 + n % ${largest} as amount from generate_series(1, ${lines}) n;
    insert into publisher (publisher_id, name) values ('many', 'Many');
    insert into creator_group (publisher_id, group_id, name, share_millionths) values ('many', 'main', 'main', 100000);
    insert into creator_account (account_id, name) select 'many_' || n, 'Creator ' || n from made;
    insert into membership (publisher_id, membership_id, group_id, account_id, status)
    select 'many', id, 'main', 'many_' || n, 'Approved' from made;
    insert into payout_batch (publisher_id, batch_id, group_id, currency, as_of, status, total_minor, member_count, row_count,
                              planned_count, number)
    select 'many', '${payoutId}', 'main', 'USD', '2026-03-11Z', 'Created', sum(amount), count(*), count(*), count(*), 9001
    from made;
    insert into payout_item (publisher_id, item_id, batch_id, membership_id, row_count, payments_minor, adjustments_minor, amount_minor,
                             reference)
    select 'many', id, '${payoutId}', id, 1, amount, 0, amount, '9001-' || lpad(n::text, 5, '0')
    from made`);
  await admin.query('vacuum analyze payout_item, membership');
  finance = await asRole(service(), 'finance', 'many');
}, 120_000);
afterAll(() => admin.end());

interface Line {
  memberId: string;
  amountMinor: string;
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

/** Requests a page, and returns the plan with which its lines were read. */
async function pageOf(cursor: string | null) {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const { status, body } = await finance(
    'GET',
    `/payouts/${payoutId}?limit=${size}${cursor === null ? '' : `&cursor=${cursor}`}`,
  );
  const sent = query.mock.calls.map(([text, values]: unknown[]) => ({ text, values: values as unknown[] }));
  query.mockRestore();
  expect(status).toBe(200);
  const page = sent.find(({ text }) => typeof text === 'string' && text.includes('from payout_item i'));
  if (page === undefined) throw new Error('no page was read');
  const explained = await admin.query(`explain (analyze, buffers, format json) ${page.text}`, page.values);
  const [{ Plan: top }] = explained.rows[0]['QUERY PLAN'] as [{ Plan: Plan }];
  const scans: Plan[] = [];
  for (const queue = [top]; queue.length > 0; ) {
    const node = queue.pop();
    if (node?.['Relation Name'] === 'payout_item') scans.push(node);
    queue.push(...(node?.Plans ?? []));
  }
  return {
    items: body.items as Line[],
    nextCursor: body.nextCursor as string | null,
    indexes: scans.map((scan) => scan['Index Name'] ?? scan['Node Type']),
    blocks: scans.reduce((sum, scan) => sum + scan['Shared Hit Blocks'] + scan['Shared Read Blocks'], 0),
  };
}

test('reads pages of a payout with 20,000 lines from the index of amounts, also between lines with the same amount', async () => {
  const listed: Line[] = [];
  let cursor: string | null = null;
  for (let n = 0; n < pages; n += 1) {
    const page = await pageOf(cursor);
    expect(page.indexes.toSorted()).toEqual(['payout_item_by_amount', 'payout_item_pkey']);
    // A line takes up to three blocks of the primary key and one of the table. Reading all lines would take 400.
    expect(page.blocks).toBeLessThan(size * 6);
    listed.push(...page.items);
    cursor = page.nextCursor;
  }
  expect(new Set(listed.map(({ memberId }) => memberId)).size).toBe(pages * size);
  expect(new Set(listed.map(({ amountMinor }) => amountMinor))).toEqual(new Set([String(largest)]));
});
