import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { actorOf } from '../../audit/actor.ts';
import type { Service } from '../../composition.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import type { App } from '../../platform/http/app-type.ts';
import { applyProgramFile, type IssuedKey } from '../../program-file/apply-program.ts';
import { readDemoProgram, readMoreOfProgram } from '../../program-file/demo/demo-program.ts';
import { playMonths } from '../../program-file/demo/play-months.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import { putGroup } from '../../publishers/put-group.ts';
import { isAnyPublisher } from '../../publishers/require-publisher.ts';
import { userName } from '../command.ts';
import { applierOf } from '../provision.ts';

export interface Demo {
  keys: IssuedKey[];
  /** True when this run created the demo. */
  isNew: boolean;
}

const publisherId = 'aurora';

/**
 * Creates the demo program in an empty embedded database. The demo's random keys are stored in a file that
 * only this user can read, so that later runs can print the keys again.
 * @returns null when the database contains other data
 */
export async function openDemo(dataDir: string, db: Db): Promise<Demo | null> {
  const keysFile = join(dataDir, 'demo-keys.json');
  if (!(await isAnyPublisher(db))) {
    const program = readDemoProgram();
    const { keys } = await applyProgramFile(db, applierOf(program.name, 'serve'), program);
    writeFileSync(keysFile, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
    return { keys, isNew: true };
  }
  return existsSync(keysFile) ? { keys: JSON.parse(readFileSync(keysFile, 'utf8')), isNew: false } : null;
}

/** Creates the demo's history. A failure is only logged, so that the service can be tried anyway. */
export async function playDemo(app: App, service: Service, { keys }: Demo): Promise<void> {
  try {
    await playDemoMonths(app, service, keys.find(({ name }) => name === 'backend')?.key ?? '');
  } catch (error) {
    service.log.warn(
      { err: error },
      'the demo data is incomplete; to start over, stop the service, delete the data folder, and start it again',
    );
  }
}

/** Adds the rest of the demo's program, months of history, and a setting that differs from the program file. */
export async function playDemoMonths(app: App, service: Service, key: string): Promise<void> {
  const { db } = service.database;
  const actor = applierOf('demo.yaml', 'serve');
  await applyProgramFile(db, actor, readMoreOfProgram(service.clock.now()));
  await playMonths(app, service, { publisherId, key, actor });
  const person = actorOf({ kind: 'command', user: userName() }, { command: 'serve' });
  await inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, (tx) => putGroup(tx, person, { publisherId, id: 'moba', revShare: 9 })),
  );
}
