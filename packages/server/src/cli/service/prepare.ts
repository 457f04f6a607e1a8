import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import { prepareDatabase } from '../../platform/database/schema/prepare-database.ts';
import { requireSchema } from '../../platform/database/schema/require-schema.ts';
import { checkSecretsKey, describeKey } from '../../platform/secrets/check-secrets-key.ts';
import { requireKey, type Sealer } from '../../platform/secrets/sealer.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import { type Installation, startInstallation } from '../installation/open-installation.ts';
import { sealPlainSecrets } from '../installation/seal-plain-secrets.ts';
import { type Demo, openDemo } from './demo.ts';
import { type DemoPortal, demoPortal } from './demo-portal.ts';
import type { Role } from './roles.ts';
import { withDatabase } from './with-database.ts';

interface Options {
  config: Config;
  /** Number of processes that serve requests. */
  processes: number;
  role: Role;
  log: Log;
  print(line: string): void;
}

/** Database that is ready for the service, with the demo if the database is embedded and has one. */
export interface Prepared {
  readonly config: Config;
  readonly log: Log;
  readonly isEmbedded: boolean;
  readonly database: Database;
  readonly sealer: Sealer;
  readonly demo: Demo | null;
  readonly portal: DemoPortal | null;
}

/** Database connections of one process at most (docs/operating.md). */
const connectionsOf = ({ databasePoolSize, recordLanes }: Config): number =>
  databasePoolSize + 3 * recordLanes + 10;

/** Connections of commands, and those that PostgreSQL reserves. */
const otherConnections = 20;

/** Settings of an embedded database that several processes use, besides a worker and a supervisor. */
const settingsFor = (config: Config, processes: number): string[] =>
  processes === 1 ? [] : [`max_connections=${connectionsOf(config) * (processes + 2) + otherConnections}`];

/** Opens the installation and prepares its database, runs a function with them, and closes them afterwards. */
export async function withPreparedDatabase(
  { config, processes, role, log, print }: Options,
  run: (prepared: Prepared) => Promise<void>,
): Promise<void> {
  const warn = (message: string) => log.warn(message);
  const installation = await startInstallation(config, {
    onChange: warn,
    keepsReserve: true,
    settings: settingsFor(config, processes),
  });
  try {
    const { sealer, isEmbedded } = installation;
    requireKey(sealer);
    const keyOfEmbedded = await prepareSchema(installation, warn);
    await withDatabase(installation, { config, log }, async (database) => {
      const newKey = keyOfEmbedded ?? (await checkSecretsKey(database.db, sealer));
      if (newKey !== null && config.secretsKeys.length > 0) print(describeKey(newKey));
      const demo = isEmbedded ? await openDemo(config.dataDir, database.db) : null;
      const portal = demoPortal({ config, role, isDemo: demo !== null, print });
      const own = { isEmbedded, database, sealer, log, demo, portal };
      await run({ ...own, config: portal?.config ?? config });
    });
  } finally {
    await installation.close();
  }
}

/**
 * Migrates an embedded database, and checks the schema. External databases are migrated by `attribution migrate`.
 * @returns the result of `sealPlainSecrets`
 */
async function prepareSchema(
  installation: Installation,
  warn: (message: string) => void,
): Promise<string | null> {
  let newKey: string | null = null;
  if (installation.isEmbedded) {
    await prepareDatabase(installation, { onWait: warn });
    newKey = await sealPlainSecrets(installation);
  }
  for (const message of await requireSchema(installation.connection)) warn(message);
  return newKey;
}
