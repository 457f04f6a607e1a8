import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { version } from '../../src/platform/config.ts';
import { killLeftovers, runAttribution, startServer } from '../attribution-process.ts';
import { urlsOf } from '../database-url.ts';
import { auroraProgram } from '../fixtures.ts';
import { nextProgram } from '../next-program.ts';
import { runInProcess } from '../run-in-process.ts';
import { startSteadyLoad } from '../steady-load.ts';
import { connect, createTestDatabase } from '../test-database.ts';

afterEach(killLeftovers);

/** Number of times that the two versions alternate. `npm run rollout` sets a larger number. */
const turns = Number(process.env.ROLLOUT_TURNS ?? 1);

/** Migration that the next version may add, because the previous version can run without knowing about it. */
const expandOnly = `-- A column that only the next version writes.
-- oldest program: ${version}
alter table attribution add column next_note text;
alter table payment add column next_note text;
alter table webhook_endpoint add column next_note text;
alter table publisher add column next_note text;
create table next_thing (
  publisher_id text collate "C" primary key
);
select distribute_by_publisher('next_thing');
`;

async function provisioned() {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const { connection } = database;
  const environment = urlsOf(database);
  const { stdout } = await runInProcess(['provision', '-', '--json'], {
    environment,
    input: auroraProgram,
  });
  return { connection, environment, key: JSON.parse(stdout).keys[0].key as string };
}

test('this version and the next take turns under load: no request is rejected, and no purchase is lost', {
  timeout: 60_000 + turns * 60_000,
}, async () => {
  const { connection, environment, key } = await provisioned();
  const next = nextProgram(expandOnly);
  let serving = [await startServer(environment)];
  const load = startSteadyLoad(key, () => serving.map(({ url }) => url));
  const serveBy = async (programs: (string | undefined)[], staying: typeof serving) => {
    const started = await Promise.all(
      programs.map((program) => startServer(environment, undefined, [], program)),
    );
    const leaving = serving.filter((server) => !staying.includes(server));
    serving = [...staying, ...started];
    await sleep(100); // clients that chose a stopping process have connected to it by now
    for (const server of leaving) server.kill('SIGTERM');
    for (const server of leaving) expect(await server.ended).toMatchObject({ code: 0 });
    await load.more(50);
    return started;
  };
  await load.more(50);

  const migrated = await runAttribution(['migrate'], { environment, program: next });
  expect(migrated).toMatchObject({ code: 0, stdout: 'Applied 9999_next.sql.\n' });
  await load.more(50);
  for (let turn = 0; turn < turns; turn += 1) {
    await serveBy([undefined], []); // this version, restarted on the newer schema
    await serveBy([next], serving); // the next version alongside it
    await serveBy([], serving.slice(1)); // the next version alone
    await serveBy([undefined], []); // and back
  }
  const looked = await runInProcess(['doctor', '--json'], { environment });
  const schema = JSON.parse(looked.stdout).findings.find(
    ({ check }: { check: string }) => check === 'schema',
  );
  expect(schema).toMatchObject({ state: 'ok', message: expect.stringContaining('9999_next.sql') });
  await load.stop();

  expect(load.refused).toEqual([]);
  const client = await connect(connection);
  const { rows } = await client.query('select transaction_id as id from attribution');
  expect(rows.map(({ id }) => id).toSorted()).toEqual(load.saved.toSorted());
  expect(load.saved.length).toBeGreaterThanOrEqual(300);
});

test('a schema that this version cannot run on stops it, with the version to start', async () => {
  const { environment } = await provisioned();
  const next = nextProgram('-- oldest program: 0.3.0\nalter table attribution drop column origin;\n');
  expect(await runAttribution(['migrate'], { environment, program: next })).toMatchObject({ code: 0 });
  for (const words of [['serve'], ['migrate'], ['keys', 'list', '--publisher', 'aurora']]) {
    const run = words[0] === 'serve' ? runAttribution : runInProcess;
    expect(await run(words, { environment: { ...environment, PORT: '0' } })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `The database cannot be used: its schema is newer than this version, ${version} (it has 9999_next.sql); run 0.3.0 or newer.\n`,
    });
  }
});

test('the next version refuses to serve on the older schema, with instructions', async () => {
  const { environment } = await provisioned();
  const outcome = await runAttribution(['serve'], {
    environment: { ...environment, PORT: '0' },
    program: nextProgram(expandOnly),
  });
  expect(outcome).toMatchObject({
    code: 1,
    stderr: 'The database is missing the migrations 9999_next.sql. Run `npx attribution migrate` first.\n',
  });
});
