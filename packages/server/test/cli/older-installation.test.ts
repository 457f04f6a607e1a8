import pg from 'pg';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../../src/platform/database/embedded/embedded-cluster.ts';
import { killLeftovers, runAttribution, startServer } from '../attribution-process.ts';
import { makeDataFolder } from '../data-folder.ts';

afterEach(killLeftovers);

/** Makes an embedded cluster look like a cluster from version 0.1.0, with one role that owns everything. */
async function giveAllToOneRole(directory: string): Promise<void> {
  const cluster = await startCluster({ directory });
  const superuser = new pg.Client({ ...cluster.connection, user: 'postgres' });
  await superuser.connect();
  await superuser.query(
    'reassign owned by attribution_owner to attribution; drop owned by attribution_owner; drop role attribution_owner',
  );
  await superuser.query('alter table schema_migration drop column oldest_program');
  await superuser.end();
  await cluster.stop();
}

test('the embedded database of an older version gets its two roles at the next start', async () => {
  const folder = makeDataFolder();
  onTestFinished(() => folder.remove());
  const environment = { DATA_DIR: folder.path };
  expect(await runAttribution(['migrate'], { environment })).toMatchObject({ code: 0 });
  await giveAllToOneRole(folder.cluster);

  const server = await startServer(environment);
  const client = new pg.Client(folder.connection());
  await client.connect();
  const { rows } = await client.query(
    `select current_user::text as service, pg_get_userbyid(datdba)::text as database,
            (select array_agg(distinct pg_get_userbyid(relowner)::text) from pg_class
             where relnamespace = 'public'::regnamespace and relkind = 'r') as tables
     from pg_database where datname = current_database()`,
  );
  expect(rows).toEqual([
    { service: 'attribution', database: 'attribution_owner', tables: ['attribution_owner'] },
  ]);
  await expect(client.query('delete from ledger_entry')).rejects.toMatchObject({ code: '42501' });
  await client.end();
  expect(await runAttribution(['doctor'], { environment })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ok +role /m),
  });
  server.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  // The test creates a database and starts it four times, each time in its own process.
});
