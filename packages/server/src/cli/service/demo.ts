import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Service } from '../../composition.ts';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { applyProgramFile, type IssuedKey } from '../../program-file/apply-program.ts';
import { readProgramFile } from '../../program-file/read-program.ts';
import { isAnyPublisher } from '../../publishers/require-publisher.ts';
import { applierOf } from '../provision.ts';
import { playMonths } from './demo/play-months.ts';

export interface Demo {
  keys: IssuedKey[];
  /** True when this run created the demo. */
  isNew: boolean;
}

const programFile = new URL('../../../../../examples/demo-program.yaml', import.meta.url);

/**
 * Creates the demo program in an empty embedded database. The demo's random keys are stored in a file that
 * only this user can read, so that later runs can print the keys again.
 * @returns null when the database contains other data
 */
export async function openDemo(dataDir: string, db: Db): Promise<Demo | null> {
  const keysFile = join(dataDir, 'demo-keys.json');
  if (!(await isAnyPublisher(db))) {
    const program = readProgramFile(readFileSync(programFile, 'utf8'), 'examples/demo-program.yaml');
    const { keys } = await applyProgramFile(db, applierOf(program.name, 'serve'), program);
    writeFileSync(keysFile, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
    return { keys, isNew: true };
  }
  return existsSync(keysFile) ? { keys: JSON.parse(readFileSync(keysFile, 'utf8')), isNew: false } : null;
}

/** Creates the demo's history. A failure is only logged, so that the service can be tried anyway. */
export async function playDemo(app: App, service: Service, { keys }: Demo): Promise<void> {
  try {
    await playMonths(app, service, keys.find(({ name }) => name === 'backend')?.key ?? '');
  } catch (error) {
    service.log.warn(
      { err: error },
      'the demo data is incomplete; to start over, stop the service, delete the data folder, and start it again',
    );
  }
}
