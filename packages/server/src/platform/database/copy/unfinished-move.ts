import pg from 'pg';
import { OperatorError } from '../../operator-error.ts';
import { unfinishedMove } from '../schema/schema-records.ts';
import { type CopiedTable, type Partition, readPartitions, readRecreatables } from './copied-tables.ts';
import { copyTable } from './copy-table.ts';

/*
 * The target database stores the progress of a move in tables that exist only until the move is finished. The service
 * and its commands refuse to run on a database that contains these tables.
 */

/** Arbitrary key of an advisory lock in the target, which ensures that only one move fills the target at a time. */
const lockNumber = 7_301_986_146;
const patience = '30s';

/** @throws OperatorError if another process is moving data to the same database */
export async function lockTarget(client: pg.ClientBase): Promise<void> {
  await client.query(`set lock_timeout = '${patience}'`);
  try {
    await client.query('select pg_advisory_lock($1)', [lockNumber]);
  } catch (error) {
    if ((error as pg.DatabaseError).code !== '55P03') throw error;
    throw new OperatorError(
      'Another process is already moving to this database. Wait until it has finished.',
    );
  }
  await client.query('set lock_timeout = 0');
}

/** Returns the source of the unfinished move to this database, or null if there is none. */
export async function unfinishedSource(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    unfinishedMove,
  ]);
  if (rows[0]?.there !== true) return null;
  const found = await client.query<{ source: string }>('select source from unfinished_move');
  return found.rows[0]?.source ?? '';
}

/**
 * Prepares a migrated, empty database for loading, in one commit. Creates the source's partitions, drops the indexes
 * and keys that would slow down loading, and creates the tables that store the progress.
 */
export async function beginMove(
  client: pg.ClientBase,
  { source, partitions }: { source: string; partitions: readonly Partition[] },
): Promise<void> {
  const recreatables = await readRecreatables(client);
  await inCommit(client, async () => {
    await client.query(`
      create table unfinished_move (source text not null, begun_at timestamptz not null default now());
      create table unfinished_move_table (name text primary key, row_count bigint not null);
      create table unfinished_move_statement (number integer primary key, statement text not null)`);
    await client.query('insert into unfinished_move (source) values ($1)', [source]);
    await client.query(
      'insert into unfinished_move_statement (number, statement) select n, s from unnest($1::text[]) with ordinality as u (s, n)',
      [recreatables.map(({ create }) => create)],
    );
    for (const { drop } of recreatables.toReversed()) await client.query(drop);
    await replacePartitions(client, partitions);
  });
}

/**
 * Replaces the partitions that the migrations created, because they cover different days than the source's
 * partitions.
 */
async function replacePartitions(client: pg.ClientBase, partitions: readonly Partition[]): Promise<void> {
  for (const { name } of await readPartitions(client)) await client.query(`drop table ${name}`);
  for (const { parent, name, bounds } of partitions)
    await client.query(`create table ${name} partition of ${parent} ${bounds}`);
}

/** Returns the number of rows in each table that has been copied so far. */
export async function readDone(client: pg.ClientBase): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; row_count: string }>(
    'select name, row_count from unfinished_move_table',
  );
  return new Map(rows.map(({ name, row_count }) => [name, Number(row_count)]));
}

/** Copies a whole table in one commit. @returns the number of rows */
export async function moveTable(
  clients: { from: pg.Client; to: pg.Client },
  table: CopiedTable,
  onBytes: (bytes: number) => void,
): Promise<number> {
  return await inCommit(clients.to, async () => {
    const rows = await copyTable(clients, table, onBytes);
    await clients.to.query('insert into unfinished_move_table (name, row_count) values ($1, $2)', [
      table.name,
      rows,
    ]);
    return rows;
  });
}

/**
 * Recreates the next index or foreign key in its own commit. @returns its statement, or null if nothing is
 * left to recreate
 */
export async function recreateNext(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ number: number; statement: string }>(
    'select number, statement from unfinished_move_statement order by number limit 1',
  );
  const [next] = rows;
  if (next === undefined) return null;
  await inCommit(client, async () => {
    await client.query(next.statement);
    await client.query('delete from unfinished_move_statement where number = $1', [next.number]);
  });
  return next.statement;
}

export async function endMove(client: pg.ClientBase): Promise<void> {
  await client.query('drop table unfinished_move, unfinished_move_table, unfinished_move_statement');
}

async function inCommit<Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // After an error in the middle of a COPY, the connection is unusable. Closing it discards the transaction.
    if (error instanceof pg.DatabaseError) await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
