import pg from 'pg';
import { readConnection } from '../../../platform/database/connections/read-connection.ts';
import { readCopiedTables } from '../../../platform/database/copy/copied-tables.ts';
import { prepareCopying } from '../../../platform/database/copy/table-sums.ts';
import { beginMove, lockTarget, unfinishedSource } from '../../../platform/database/copy/unfinished-move.ts';
import { type DatabaseRoles, prepareDatabase } from '../../../platform/database/schema/prepare-database.ts';
import { OperatorError } from '../../../platform/operator-error.ts';
import { type MoveSource, readMigrationNames } from './open-source.ts';

export interface MoveTarget extends DatabaseRoles {
  /** As the role that owns the tables. */
  client: pg.Client;
}

export interface TargetUrls {
  to: string;
  /** Of the role that owns the tables; the same when absent. */
  toOwner?: string;
}

/**
 * Reaches the database that is moved to, and makes it ready: an empty one is migrated, and one that a move of the same
 * database left unfinished is as it was left.
 * @throws OperatorError when it is neither
 */
export async function openTarget(
  { to, toOwner }: TargetUrls,
  source: MoveSource,
  tell: (line: string) => void,
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
  client.on('error', () => undefined); // the statement under way fails too, and says so
  await client.connect();
  try {
    await prepareCopying(client);
    await lockTarget(client);
    const begunFrom = await unfinishedSource(client);
    if (begunFrom === null) await begin({ ...roles, client }, source, tell);
    else if (begunFrom === source.identity) tell('Going on with a move that was not finished.');
    else
      throw new OperatorError(
        'A move from another database was begun there. Finish that one, or make the database anew.',
      );
    await requireSameSchema(client, source);
    return { ...roles, client };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

async function begin(target: MoveTarget, source: MoveSource, tell: (line: string) => void): Promise<void> {
  const { client } = target;
  await requireEmpty(client);
  await prepareDatabase(target, { onWait: tell });
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
      `It is not empty: there are rows in ${filled.join(', ')}. Nothing was changed. Move to a database that was just created.`,
    );
}

async function requireSameSchema(client: pg.Client, { migrations }: MoveSource): Promise<void> {
  const found = await readMigrationNames(client);
  if (found.join() === migrations.join()) return;
  const [different = ''] = [...found, ...migrations].filter(
    (name) => !(found.includes(name) && migrations.includes(name)),
  );
  throw new OperatorError(
    `The two databases have different schemas (${different.split(' ')[0]} is not the same in both). Move with the version that made both, to a database that was just created.`,
  );
}
