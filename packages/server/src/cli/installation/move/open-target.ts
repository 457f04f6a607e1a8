import pg from 'pg';
import { readConnection } from '../../../platform/database/connections/read-connection.ts';
import { readCopiedTables } from '../../../platform/database/copy/copied-tables.ts';
import { prepareCopying } from '../../../platform/database/copy/table-sums.ts';
import { beginMove, lockTarget, unfinishedSource } from '../../../platform/database/copy/unfinished-move.ts';
import { type DatabaseRoles, prepareDatabase } from '../../../platform/database/schema/prepare-database.ts';
import { OperatorError } from '../../../platform/operator-error.ts';
import { type MoveSource, readMigrationNames } from './open-source.ts';

export interface MoveTarget extends DatabaseRoles {
  /** Connection as the role that owns the tables. */
  client: pg.Client;
}

export interface TargetUrls {
  to: string;
  /** URL for the role that owns the tables; `to` when absent. */
  toOwner?: string;
}

/**
 * Connects to a move's target and prepares it: migrates an empty database, or continues an unfinished move from the
 * same source.
 * @throws OperatorError when the target is neither empty nor an unfinished move from the same source
 */
export async function openTarget(
  { to, toOwner }: TargetUrls,
  source: MoveSource,
  report: (line: string) => void,
): Promise<MoveTarget> {
  const roles = {
    connection: await readConnection(to),
    ownerConnection: await readConnection(toOwner ?? to),
  };
  const client = new pg.Client({
    ...roles.ownerConnection,
    application_name: 'attribution-move',
    keepAlive: true,
  });
  client.on('error', () => undefined); // the running statement fails with the same error
  await client.connect();
  try {
    await prepareCopying(client);
    await lockTarget(client);
    const begunFrom = await unfinishedSource(client);
    if (begunFrom === null) await begin({ ...roles, client }, source, report);
    else if (begunFrom === source.identity) report('Continuing an unfinished move.');
    else
      throw new OperatorError(
        'The target contains an unfinished move from another database. Finish that move, or recreate the target.',
      );
    await requireSameSchema(client, source);
    return { ...roles, client };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

async function begin(target: MoveTarget, source: MoveSource, report: (line: string) => void): Promise<void> {
  const { client } = target;
  await requireEmpty(client);
  await prepareDatabase(target, { onWait: report });
  await requireSameSchema(client, source);
  await beginMove(client, { source: source.identity, partitions: source.partitions });
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const filled: string[] = [];
  for (const { name, quoted } of await readCopiedTables(client)) {
    const { rows } = await client.query<{ some: boolean }>(`select exists (select 1 from ${quoted}) as some`);
    if (rows[0]?.some) filled.push(name);
  }
  if (filled.length > 0)
    throw new OperatorError(
      `The target is not empty: it contains rows in ${filled.join(', ')}. The target was not changed. Move to a new database.`,
    );
}

async function requireSameSchema(client: pg.Client, { migrations }: MoveSource): Promise<void> {
  const found = await readMigrationNames(client);
  if (found.join() === migrations.join()) return;
  const [different = ''] = [...found, ...migrations].filter(
    (name) => !(found.includes(name) && migrations.includes(name)),
  );
  throw new OperatorError(
    `The databases have different schemas: migration ${different.split(' ')[0]} differs. Move to a new database, using the version that migrated the old one.`,
  );
}
