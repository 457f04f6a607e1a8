import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { buildApp } from '../packages/server/src/app.ts';
import { serviceActor } from '../packages/server/src/audit/actor.ts';
import { composeService } from '../packages/server/src/composition.ts';
import { systemClock } from '../packages/server/src/platform/clock.ts';
import { readConfig } from '../packages/server/src/platform/config.ts';
import { readConnection } from '../packages/server/src/platform/database/connections/read-connection.ts';
import { type Database, openDatabase } from '../packages/server/src/platform/database/database.ts';
import { hasCitus } from '../packages/server/src/platform/database/has-citus.ts';
import { prepareDatabase } from '../packages/server/src/platform/database/schema/prepare-database.ts';
import { createSealer } from '../packages/server/src/platform/secrets/sealer.ts';
import { createLog } from '../packages/server/src/platform/telemetry/log.ts';
import { createMetrics } from '../packages/server/src/platform/telemetry/metrics.ts';
import { applyProgramFile } from '../packages/server/src/program-file/apply-program.ts';
import { readProgramFile } from '../packages/server/src/program-file/read-program.ts';
import { verifyLedger } from '../packages/server/src/settlement/verify/verify-ledger.ts';
import { createEndpoint } from '../packages/server/src/webhooks/endpoints/create-endpoint.ts';
import { startWorkers } from '../packages/server/src/worker.ts';
import { tryConnector } from './citus/try-connector.ts';
import { sku, tryProgram } from './citus/try-program.ts';

/**
 * `npm run citus -- OWNER_URL SERVICE_URL` tests the service on a real Citus cluster, with an installation's
 * two roles. The URLs name an empty database on the coordinator, with the extension. The script creates and
 * distributes the schema and records under load (some purchases twice, some refunded). Then it refunds posted
 * purchases, applies a SKU share, issues and links an auth code, pays, and lets a connector record and refund an order. It checks every status, and
 * finally that nothing is duplicated, lost, unposted, undelivered or left prepared
 * (docs/adr/0043-growing.md). CITUS_SECONDS (20) sets how long it records.
 */
const publishers = 4;
const clients = 8;
const seconds = Number(process.env.CITUS_SECONDS ?? 20);
const [ownerUrl, serviceUrl] = process.argv.slice(2);
if (ownerUrl === undefined || serviceUrl === undefined)
  throw new Error(
    'usage: npm run citus -- postgres://owner@coordinator/database postgres://service@coordinator/database',
  );

const connection = await readConnection(serviceUrl);
const ownerConnection = await readConnection(ownerUrl);
const admin = new pg.Client(ownerConnection);
await admin.connect();
await requireEmptyCitus();
await prepareDatabase({ connection, ownerConnection }, { onWait: (words) => console.log(words) });
await requireDistributed();
await requireTwoRoles();
const database = openDatabase({ connection, poolSize: 10, recordLanes: 2, applicationName: 'citus' });
const log = createLog('warn', systemClock, (line) => process.stderr.write(line));
const sealer = createSealer([randomBytes(32)]);
const service = composeService({
  config: readConfig({ SETTLE_INTERVAL_MS: '100', WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' }),
  database,
  sealer,
  clock: systemClock,
  log,
  metrics: createMetrics(),
});
const app = await buildApp(service);
const address = await app.listen({ host: '127.0.0.1', port: 0 });
const receiver = await startReceiver();
const workers = startWorkers(service, await hasCitus(database.background));
try {
  const keys = await provision(database);
  const recorded = await load(keys);
  await waitUntilPosted();
  const program = { address, keys, database, expect, waitUntilPosted };
  const acknowledged = recorded + (await tryProgram(program)) + (await tryConnector(program, sealer));
  await waitUntilDelivered(acknowledged);
  await checkResult(acknowledged);
} finally {
  await workers.stop();
  receiver.server.close();
  await app.close();
  await database.close();
  await admin.end();
}

async function requireEmptyCitus(): Promise<void> {
  const version = await one<{ version: string }>(
    "select extversion as version from pg_extension where extname = 'citus'",
  ).catch(() => null);
  if (version === null) throw new Error('the database lacks the extension; run `create extension citus`');
  const { found } = await one<{ found: string | null }>(
    "select to_regclass('schema_migration')::text as found",
  );
  if (found !== null) throw new Error('the database is not empty; use an empty one');
  const { nodes } = await one<{ nodes: number }>(
    'select count(*)::int as nodes from pg_dist_node where shouldhaveshards',
  );
  console.log(`Citus ${version.version}, ${nodes} node(s) with shards`);
}

async function requireDistributed(): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `select c.relname as name
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'publisher_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.oid not in (select logicalrelid from pg_dist_partition)
     order by 1`,
  );
  expect('every tenant table is distributed', rows.length === 0, rows.map(({ name }) => name).join(', '));
}

async function requireTwoRoles(): Promise<void> {
  const service = new pg.Client(connection);
  await service.connect();
  const refused = await service.query('delete from ledger_entry').then(
    () => false,
    () => true,
  );
  const { rows } = await service.query<{ role: string }>('select current_user::text as role');
  await service.end();
  const { role } = await one<{ role: string }>('select current_user::text as role');
  expect('the service has a role of its own', rows[0]?.role !== role, role);
  expect("the service's role cannot delete ledger entries", refused);
}

async function provision({ db }: Database): Promise<string[]> {
  const keys: string[] = [];
  for (const n of Array(publishers).keys()) {
    const program = {
      publisher: { id: `p${n}`, apiKeys: [{ name: 'backend', kind: 'secret' }] },
      groups: [
        {
          id: 'main',
          revShare: 10,
          holdDays: 0,
          skuRevShares: [{ skuId: sku.id, revShare: sku.percent }],
          members: Array.from({ length: 20 }, (_, m) => ({
            id: `acc_${n}_${m}`,
            playerId: `p-${m}`,
            codes: [{ code: `CODE${n}x${m}`, primary: true }],
          })),
        },
      ],
    };
    const applied = await applyProgramFile(
      db,
      serviceActor,
      readProgramFile(JSON.stringify(program), 'citus'),
    );
    keys.push(...applied.keys.map(({ key }) => key));
    await createEndpoint({ db, sealer, allowPrivateTargets: true }, serviceActor, {
      publisherId: `p${n}`,
      url: receiver.url,
      eventKinds: ['Attribution/TransactionRecorded'],
    });
  }
  return keys;
}

/** @returns the number of purchases answered with 200 */
async function load(keys: readonly string[]): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  let recorded = 0;
  const path = `${address}/v1/attributions/transactions`;
  const client = async (number: number): Promise<void> => {
    for (let n = 0; performance.now() < until; n += 1) {
      const publisher = randomInt(publishers);
      const headers = { 'x-shared-secret': keys[publisher] ?? '', 'content-type': 'application/json' };
      const body = JSON.stringify({
        transactionId: `${number}-${n}`,
        code: `CODE${publisher}x${randomInt(20)}`,
        description: 'Battle pass',
        subtotal: randomInt(99, 9_999),
        currency: 'USD',
        transactionDate: new Date().toISOString(),
      });
      const statuses = await Promise.all(
        Array.from(
          { length: n % 7 === 0 ? 2 : 1 },
          async () => (await fetch(path, { method: 'POST', headers, body })).status,
        ),
      );
      recorded += statuses.filter((status) => status === 200).length;
      if (statuses.some((status) => status !== 200 && status !== 409))
        throw new Error(`unexpected statuses: ${statuses}`);
      if (n % 11 !== 0) continue;
      const refund = { method: 'PATCH', headers, body: '{"action":"Refund"}' };
      const { status } = await fetch(`${path}/${number}-${n}`, refund);
      if (status !== 200) throw new Error(`a refund got the status ${status}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return recorded;
}

async function waitUntilPosted(): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if ((await one<{ n: number }>('select count(*)::int as n from unposted')).n === 0) return;
    await sleep(100);
  }
  expect('everything is posted within a minute', false);
}

async function waitUntilDelivered(acknowledged: number): Promise<void> {
  for (let tries = 0; tries < 600 && receiver.eventIds.size < acknowledged; tries += 1) await sleep(100);
  expect(
    'the event of every recorded purchase was delivered within a minute',
    receiver.eventIds.size === acknowledged,
    `${receiver.eventIds.size} events of ${acknowledged}`,
  );
}

async function startReceiver(): Promise<{ server: Server; url: string; eventIds: Set<string> }> {
  const eventIds = new Set<string>();
  const server = createServer(async (request, response) => {
    const { eventId } = JSON.parse(await text(request));
    eventIds.add(eventId);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = server.address();
  if (place === null || typeof place === 'string') throw new Error('the receiver is not listening on a port');
  return { server, url: `http://127.0.0.1:${place.port}/`, eventIds };
}

async function checkResult(acknowledged: number): Promise<void> {
  const { rows, purchases } = await one<{ rows: number; purchases: number }>(
    `select count(*)::int as rows, count(distinct (publisher_id, transaction_id))::int as purchases from attribution`,
  );
  expect(
    `${acknowledged} purchases with a 200 are stored once`,
    rows === acknowledged && purchases === acknowledged,
    `${rows} rows of ${purchases}`,
  );
  const verdict = await verifyLedger(database.db);
  expect('the ledger explains every balance', verdict.isSound, JSON.stringify(verdict));
  const left = await admin.query<{ result: string }>(
    "select result from run_command_on_all_nodes('select count(*) from pg_prepared_xacts')",
  );
  expect(
    'no prepared transaction is left on a node',
    left.rows.every(({ result }) => result === '0'),
  );
}

function expect(what: string, isSo: boolean, otherwise = ''): void {
  console.log(`${isSo ? 'ok     ' : 'FAILED '} ${what}${isSo ? '' : `: ${otherwise}`}`);
  if (!isSo) process.exitCode = 1;
}

async function one<Row extends pg.QueryResultRow>(query: string): Promise<Row> {
  const { rows } = await admin.query<Row>(query);
  const [row] = rows;
  if (row === undefined) throw new Error(`no row was returned by: ${query}`);
  return row;
}
