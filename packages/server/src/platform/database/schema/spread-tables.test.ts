import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { killLeftovers, startServer, until } from '../../../../test/attribution-process.ts';
import { becomeCitus } from '../../../../test/citus-stand-in.ts';
import { createEmptyDatabase, databaseUrl, type EmptyDatabase } from '../../../../test/database-url.ts';
import { inDatabase } from '../../../../test/template-database.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/test-database.ts';
import { openDatabase } from '../database.ts';
import { readDiskUse } from '../disk-use.ts';
import { readMigrations } from './migration-files.ts';
import { prepareDatabase } from './prepare-database.ts';
import { splitStatements } from './split-statements.ts';
import { runOnCitus, spreadTables } from './spread-tables.ts';

test('splits SQL only where statements end', () => {
  expect(
    splitStatements(`
      -- a; comment
      select ';', "a;b", E'\\';', 'it''s;';
      /* of /* two; */ kinds; */ do $$ begin; perform 1; end $$;
      create function f() returns text language sql as $body$ select '$$;' $body$; ; select a$1 from b;
      select 2 -- the last;`),
  ).toEqual([
    `-- a; comment\n      select ';', "a;b", E'\\';', 'it''s;'`,
    '/* of /* two; */ kinds; */ do $$ begin; perform 1; end $$',
    "create function f() returns text language sql as $body$ select '$$;' $body$",
    'select a$1 from b',
    'select 2 -- the last;',
  ]);
  for (const { sql } of readMigrations()) expect(splitStatements(sql).join('').length).toBeGreaterThan(100);
});

describe('with Citus', () => {
  let empty: EmptyDatabase;
  let plain: TestDatabase;
  let admin: pg.Client;
  let owner: pg.Client;
  let other: pg.Client;
  beforeAll(async () => {
    empty = await createEmptyDatabase();
    plain = await createTestDatabase();
    const { database } = await nameOf(empty.connection);
    admin = new pg.Client(inDatabase(plain.adminConnection, database, 'admin'));
    owner = new pg.Client(empty.ownerConnection);
    await admin.connect();
    await owner.connect();
    other = await connected(plain.adminConnection);
    await becomeCitus(admin);
  });
  afterEach(killLeftovers);
  afterAll(async () => {
    await admin?.end();
    await other?.end();
    await owner?.end();
    await empty?.drop();
    await plain?.drop();
  });

  test('creates plain tables first, distributes them at the end, and has the same schema as without', async () => {
    const told: string[] = [];
    await prepareDatabase(empty, { onWait: (words) => told.push(words) });
    expect(told).toEqual([expect.stringMatching(/^\d+ tables were distributed across the nodes$/)]);
    expect(await shapeOf(admin)).toEqual(await shapeOf(other));
    const { rows } = await admin.query(
      `select c.relname from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and c.oid not in (select logicalrelid from pg_dist_partition) order by 1`,
    );
    expect(rows.map(({ relname }) => relname)).toEqual(['schema_migration']);
    await prepareDatabase(empty, { onWait: (words) => told.push(words) });
    expect(told).toHaveLength(1);
  });

  test('measures tables on the nodes, and grants rights over one connection to each', async () => {
    const database = openDatabase({
      connection: empty.connection,
      poolSize: 2,
      applicationName: 'test',
      recordLanes: 1,
    });
    try {
      const { tables } = await readDiskUse(database.db);
      const { rows } = await other.query(
        "select count(*)::int as n from pg_tables where schemaname = 'public' and tablename ~ '^(attribution|payment|refund_record|unposted)'",
      );
      expect(tables.get('purchases')).toBe(3_000_000 * rows[0].n);
    } finally {
      await database.close();
    }
    await expect(owner.query('grant delete on ledger_entry to attribution')).rejects.toThrow(
      'parallel DDL access',
    );
    await owner.query(
      "begin; set local citus.multi_shard_modify_mode = 'sequential'; revoke select on ledger_entry from attribution; commit",
    );
    await prepareDatabase(empty, {});
    const { rows } = await owner.query(
      "select has_table_privilege('attribution', 'ledger_entry', 'select') as may",
    );
    expect(rows).toEqual([{ may: true }]);
  });

  test('polls for webhooks with aggregates and not with a recursion, which Citus rejects', async () => {
    const { database } = await nameOf(empty.connection);
    const looking = async (): Promise<string[]> => {
      const { rows } = await other.query(
        "select query from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'",
        [database],
      );
      return rows.map(({ query }) => query);
    };
    await owner.query('begin; lock webhook_delivery'); // so that polling queries wait and can be observed
    const server = await startServer({ DATABASE_URL: databaseUrl(empty.connection) });
    for (const [what, name] of [
      ['what is due', '"work_0"'],
      ['since when', '"deliveryDueSince"'],
    ] as const) {
      const query = await until(`a worker to look for ${what}`, async () =>
        (await looking()).find((text) => text.includes(name)),
      );
      expect(query).toMatch(/with waiting as \([^)]*min\(d\.next_attempt_at\)/);
      expect(query).not.toContain('recursive');
    }
    await owner.query('rollback');
    server.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0 });
  });

  test('distributes a later table in its migration, and one without such a call at the end', async () => {
    await owner.query('begin');
    const table = (name: string) => `create table ${name} (publisher_id text primary key);`;
    const sql = `${table('said')} /* a */ select distribute_by_publisher('said');\n${table('forgotten')}
      alter table forgotten add foreign key (publisher_id) references publisher;`;
    await runOnCitus(owner, sql, { hasCitus: true, isSpread: true });
    expect(await spreadTables(owner)).toBe(1);
    const { rows } = await owner.query(
      "select logicalrelid::text as name from pg_dist_partition where logicalrelid::text in ('said', 'forgotten') order by 1",
    );
    expect(rows).toEqual([{ name: 'forgotten' }, { name: 'said' }]);
    await owner.query('rollback');
  });
});

async function nameOf(connection: pg.ClientConfig): Promise<{ database: string }> {
  const client = await connected(connection);
  const { rows } = await client.query('select current_database() as database');
  await client.end();
  return rows[0];
}

async function connected(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection);
  await client.connect();
  return client;
}

async function shapeOf(client: pg.Client): Promise<unknown[]> {
  const tables = `select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`;
  const { rows } = await client.query(
    `select attrelid::regclass::text as of, attname::text || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull || ' ' || 
              -- A partition's target depends on the time when it was created.
              (select coalesce(attstattarget, -1) * (not relispartition)::int from pg_class c where c.oid = attrelid) as words
     from pg_attribute where attrelid in (${tables}) and attnum > 0 and not attisdropped
     union all select conrelid::regclass::text, conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where conrelid in (${tables})
     union all select indrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index where indrelid in (${tables})
     -- Citus doesn't support grants on columns, so the service may update whole tables there.
     union all select oid::regclass::text, 'rights ' || coalesce((select string_agg(replace(acl::text, 'attribution=arw', 'attribution=ar'), ' ' order by acl::text) from unnest(relacl) as acl), '-') from pg_class where oid in (${tables})
     order by 1, 2`,
  );
  return rows;
}
