import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { buildApp } from '../app.ts';
import { systemClock } from '../platform/clock.ts';
import { type Config, version } from '../platform/config.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { migrate, schemaState } from '../platform/database/migrate.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { applyProgramFile, type CreatedKey } from '../program-file/apply-program.ts';
import { readProgramFile } from '../program-file/read-program.ts';
import { type Installation, startInstallation } from './open-installation.ts';

const demoFile = new URL('../../../../examples/demo-program.yaml', import.meta.url);

const logTime = (): string => systemClock.now().toISOString();

/** Runs the service until SIGTERM or Ctrl-C; what was asked before is answered before it ends. */
export async function serve(config: Config, print: (line: string) => void): Promise<void> {
  const stopRequested = new Promise<NodeJS.Signals>((resolve) => {
    // Kept for the whole run: a second Ctrl-C (npm forwards one of its own) must not cut the drain short.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(signal));
  });
  // A reader of our output that goes away (`npm start | head`) is no reason to stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

  let onLost: (error: Error) => void = () => undefined;
  const lost = new Promise<Error>((resolve) => {
    onLost = resolve;
  });
  const log = (level: 'warn' | 'error', msg: string): void => {
    process.stderr.write(`${JSON.stringify({ level, time: logTime(), msg })}\n`);
  };
  const installation = await startInstallation(config, {
    onCrash: (message) => log('warn', message),
    onLost,
  });
  try {
    await prepareSchema(installation);
    const database = openDatabase({
      connection: installation.connection,
      poolSize: config.databasePoolSize,
      recordLanes: config.recordLanes,
      applicationName: 'attribution',
      onIdleError: (error) => log('warn', `a database connection was lost: ${error.message}`),
    });
    try {
      const demoKeys = installation.isEmbedded ? await demo(config, database) : null;
      const app = await buildApp({
        config,
        database,
        clock: systemClock,
        logger: {
          level: config.logLevel,
          stream: process.stderr,
          formatters: { level: (level) => ({ level }) },
          timestamp: () => `,"time":"${logTime()}"`,
          base: null,
        },
      });
      const address = await app.listen({ host: config.host, port: config.port }).catch((error) => {
        throw listenError(config, error);
      });
      greet(print, address, config, installation, demoKeys);
      const reason = await Promise.race([stopRequested, lost]);
      print(reason instanceof Error ? `Stopping: ${reason.message}` : 'Stopping: answering what was asked …');
      await closeInTime(app.close(), config.shutdownTimeoutMs);
      app.server.closeAllConnections(); // a client that is still sending has had its time
      if (reason instanceof Error) throw reason;
    } finally {
      await closeInTime(database.close(), config.shutdownTimeoutMs);
    }
  } finally {
    await installation.close();
  }
  print('Stopped.');
}

/** The embedded database is brought up to date; somebody else's is left to `attribution migrate`. */
async function prepareSchema({ connection, isEmbedded }: Installation): Promise<void> {
  if (isEmbedded) {
    await migrate(connection);
    return;
  }
  const client = new pg.Client(connection);
  client.on('error', () => undefined); // the statement under way fails too, and says so
  await client.connect();
  try {
    const state = await schemaState(client);
    if (state.kind === 'empty')
      throw new OperatorError('The database is empty. Run `attribution migrate` first.');
    if (state.kind === 'behind') {
      throw new OperatorError(
        `The database lacks ${state.missing.join(', ')}. Run \`attribution migrate\` first.`,
      );
    }
    if (state.kind === 'unknown') throw new OperatorError(`The database cannot be used: ${state.reason}.`);
  } finally {
    await client.end();
  }
}

type DemoKeys = CreatedKey[];

/**
 * Gives an empty embedded database the demo program. Its keys are made at random and kept in a file that
 * only this user can read, so that every later start can show them again.
 */
async function demo(config: Config, { db }: Database): Promise<DemoKeys | null> {
  const keysFile = join(config.dataDir, 'demo-keys.json');
  const anyPublisher = await db.selectFrom('publisher').select('publisher_id').limit(1).executeTakeFirst();
  if (anyPublisher === undefined) {
    const program = readProgramFile(readFileSync(demoFile, 'utf8'), 'examples/demo-program.yaml');
    const { keys } = await applyProgramFile(db, program);
    writeFileSync(keysFile, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  }
  return existsSync(keysFile) ? JSON.parse(readFileSync(keysFile, 'utf8')) : null;
}

function greet(
  print: (line: string) => void,
  address: string,
  config: Config,
  { isEmbedded }: Installation,
  demoKeys: DemoKeys | null,
): void {
  const url = address.replace('0.0.0.0', '127.0.0.1').replace('[::]', '127.0.0.1');
  print(`attribution ${version} listens on ${url}  (API reference: ${url}/docs)`);
  if (isEmbedded) print(`The database is embedded, in ${config.dataDir}`);
  const secret = demoKeys?.find(({ kind }) => kind === 'secret');
  if (demoKeys === null || secret === undefined) return;
  print('\nDemo keys:');
  for (const { name, kind, group, key } of demoKeys) {
    print(`  ${`${name} (${kind}${group === undefined ? '' : `, group ${group}`})`.padEnd(26)} ${key}`);
  }
  print(`\nRecord a purchase:\n
curl -sS ${url}/v1/attributions/transactions \\
  -H 'X-SHARED-SECRET: ${secret.key}' -H 'Content-Type: application/json' \\
  -d '{"transactionId":"demo-'$(date +%s)'","code":"ALICE","description":"Battle pass","subtotal":999,"currency":"USD","transactionDate":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'"}'
\nCtrl-C stops everything.`);
}

function listenError(config: Config, error: NodeJS.ErrnoException): Error {
  if (error.code === 'EADDRINUSE') {
    return new OperatorError(
      `Port ${config.port} on ${config.host} is in use. Set PORT to another one, or 0 for any free one.`,
    );
  }
  if (error.code === 'EACCES')
    return new OperatorError(
      `Port ${config.port} may not be used without privileges. Set PORT to 1024 or above.`,
    );
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new OperatorError(`HOST ${config.host} is not an address of this machine.`);
  }
  return error;
}

async function closeInTime(closing: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    closing,
    new Promise((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    }),
  ]);
  clearTimeout(timer);
}
