import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPages, useMoney } from '../../../test/money.ts';
import { backgroundLimits } from '../../platform/database/connections/limits.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { type CodeFilter, listCodes } from './list-codes.ts';

const { service, number } = useMoney();
const stored = 5_000;
let owner: pg.Client;

beforeAll(async () => {
  owner = new pg.Client(service().testDatabase.ownerConnection);
  await owner.connect();
  // Each creator has a global code, and every second creator also has a group code. One in a hundred codes of
  // each kind doesn't credit purchases.
  await owner.query(`
    create temporary table made as
    select n, 'many_' || md5(n::text) as account_id, ('01900000-0000-7000-8000-' || left(md5(n::text), 12))::uuid as membership_id
    from generate_series(1, ${stored}) n;
    insert into creator_account (account_id, name) select account_id, 'Member ' || n from made;
    insert into membership (publisher_id, membership_id, group_id, account_id, status)
    select 'aurora', membership_id, 'main', account_id, case when n % 100 = 7 then 'Pending' else 'Approved' end from made;
    insert into global_code (code_folded, code, account_id, is_approved)
    select 'many' || n, 'many' || n, account_id, n % 100 <> 8 from made;
    insert into group_code (publisher_id, group_id, code_folded, code, membership_id, is_approved)
    select 'aurora', 'main', 'own' || n, 'own' || n, membership_id, n % 100 <> 9 from made where n % 2 = 1`);
  await owner.query('select pg_stat_force_next_flush()'); // so that these reads aren't counted later
});
afterAll(() => owner.end());

/** Returns the number of blocks of creators and codes that a list reads, on a separate connection. */
async function blocksOf(filter: Omit<CodeFilter, 'publisherId'>): Promise<number> {
  const database = openDatabase({
    connection: service().testDatabase.connection,
    poolSize: 1,
    recordLanes: 1,
    applicationName: 'blocks-of',
    limits: backgroundLimits,
  });
  const read = () =>
    number(sql`
      select sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0)) as n
      from pg_statio_user_tables
      where relname in ('membership', 'global_code', 'group_code')`);
  try {
    const before = await read();
    const page = { cursor: null, size: 50 };
    const { rows } = await listCodes(database.db, testPages, { publisherId: 'aurora', ...filter }, page);
    expect(rows).toHaveLength(50);
    await sql`select pg_stat_force_next_flush()`.execute(database.db);
    return Number((await read()) - before);
  } finally {
    await database.close();
  }
}

test.each(['without statistics', 'with statistics'])(
  'finds the codes that credit no member by reading sets, %s',
  async (when) => {
    if (when === 'with statistics') {
      await owner.query('analyze membership, global_code, group_code');
      await owner.query('select pg_stat_force_next_flush()');
    }
    // Looking up each creator's code, and any code that shadows it, would read six blocks or more.
    for (const groupId of [undefined, 'main'])
      expect((await blocksOf({ credits: false, groupId })) / stored).toBeLessThan(5);
    // Otherwise, all codes would be read for the few that aren't approved.
    const used = await number(sql`
      select idx_scan as n from pg_stat_user_indexes where indexrelname = 'global_code_unapproved'`);
    if (when === 'with statistics') expect(used).toBeGreaterThan(0n);
  },
);
