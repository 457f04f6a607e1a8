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
  // Each has a global code, every other one a code of the group as well; one in a hundred is credited by neither.
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
  await owner.query('select pg_stat_force_next_flush()'); // what it looked at is not told later
});
afterAll(() => owner.end());

/** Blocks of creators and codes that a list looks at, asked by a connection of its own. */
async function blocksOf(filter: Omit<CodeFilter, 'publisherId'>): Promise<number> {
  const asking = openDatabase({
    connection: service().testDatabase.connection,
    poolSize: 1,
    recordLanes: 1,
    applicationName: 'asking',
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
    const { rows } = await listCodes(asking.db, testPages, { publisherId: 'aurora', ...filter }, page);
    expect(rows).toHaveLength(50);
    await sql`select pg_stat_force_next_flush()`.execute(asking.db);
    return Number((await read()) - before);
  } finally {
    await asking.close();
  }
}

test.each(['before they were counted', 'afterwards'])(
  'of thousands of creators the codes that credit nobody are found by reading sets, %s',
  async (when) => {
    if (when === 'afterwards') {
      await owner.query('analyze membership, global_code, group_code');
      await owner.query('select pg_stat_force_next_flush()');
    }
    // A look-up for each creator's code, and for what shadows it, takes six and more.
    for (const groupId of [undefined, 'main'])
      expect((await blocksOf({ credits: false, groupId })) / stored).toBeLessThan(5);
  },
);
