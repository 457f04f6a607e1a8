import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { prepareDatabase } from '../../src/platform/database/schema/prepare-database.ts';
import { databaseUrl } from '../database-url.ts';
import { runInProcess } from '../run-in-process.ts';
import { findSystemPostgres, startSystemPostgres } from '../system-postgres.ts';
import { temporaryCluster } from '../temporary-cluster.ts';
import { connect } from '../test-database.ts';

interface Finding {
  check: string;
  state: string;
  message: string;
}

const named = ['settings', 'max_wal_size', 'wal_compression', 'shared_buffers', 'checkpoints'];
const link = /\(docs\/operating\.md#what-to-set\)\.$/;

async function examine(url: string): Promise<Record<string, string>> {
  const { stdout, stderr } = await runInProcess(['doctor', '--json'], {
    environment: { DATABASE_URL: url },
  });
  expect(stderr).toBe('');
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return Object.fromEntries(
    findings
      .filter(({ check }) => named.includes(check))
      .map(({ check, state, message }) => [check, `${state}: ${message}`]),
  );
}

/** Adds more than 1 GB to a table that doctor counts as purchases. Doctor reads only file sizes. */
async function fill(owner: pg.Client): Promise<void> {
  await owner.query('create unlogged table attribution_filler (publisher_id text, filler text)');
  await owner.query('alter table attribution_filler alter column filler set storage external');
  await owner.query(
    "insert into attribution_filler select 'aurora', repeat('x', 1000000) from generate_series(1, 1000)",
  );
}

test('settings that are too small are reported once purchases exceed 1 GB, with the values to set and the guide', async () => {
  const settings = [
    'max_wal_size=1GB',
    'wal_compression=off',
    'shared_buffers=128MB',
    'checkpoint_timeout=1d',
  ];
  const cluster = await temporaryCluster(settings);
  onTestFinished(cluster.stop);
  await prepareDatabase(cluster);
  const url = databaseUrl(cluster.connection);
  const admin = await connect({ ...cluster.connection, user: 'postgres' });
  await admin.query("select pg_stat_reset_shared('checkpointer')");
  for (let count = 0; count < 5; count += 1) await admin.query('checkpoint');
  expect(await examine(url)).toEqual({ settings: expect.stringMatching(/^ok: .*less than 1 GB/) });

  await fill(await connect(cluster.ownerConnection));
  const warned = await examine(url);
  expect(Object.keys(warned).toSorted()).toEqual(named.slice(1).toSorted());
  for (const message of Object.values(warned)) {
    expect(message).toMatch(/^warning: /);
    expect(message).toMatch(link);
  }
  expect(warned.max_wal_size).toMatch(/is 1GB.*Set it to 8GB/);
  expect(warned.wal_compression).toMatch(/is off.*Set it to lz4/);
  expect(warned.shared_buffers).toMatch(/is 128MB.*a quarter of the server's memory/);
  expect(warned.checkpoints).toMatch(/5 checkpoints were forced and 0 were scheduled.*max_wal_size to 8GB/);
});

test('the embedded database sets them itself', async () => {
  const cluster = await temporaryCluster();
  onTestFinished(cluster.stop);
  await prepareDatabase(cluster);
  await fill(await connect(cluster.ownerConnection));
  expect(await examine(databaseUrl(cluster.connection))).toEqual({
    settings: expect.stringMatching(/^ok: .*suit the stored data/),
  });
});

const system = findSystemPostgres();

test.skipIf(system === null)("a system's PostgreSQL with default settings is read correctly", async () => {
  const server = await startSystemPostgres(system ?? '');
  onTestFinished(server.stop);
  const urls = await server.makeDatabase('attribution');
  await prepareDatabase({
    connection: { connectionString: urls.DATABASE_URL },
    ownerConnection: { connectionString: urls.DATABASE_OWNER_URL },
  });
  await server.admin('postgres', ...Array.from({ length: 6 }, () => 'checkpoint'));
  const owner = new pg.Client(urls.DATABASE_OWNER_URL);
  await owner.connect();
  onTestFinished(() => owner.end());
  await fill(owner);
  expect(Object.keys(await examine(urls.DATABASE_URL)).toSorted()).toEqual(named.slice(1).toSorted());
});
