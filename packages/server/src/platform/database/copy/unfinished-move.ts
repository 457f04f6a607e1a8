import pg from 'pg';
import { OperatorError } from '../../operator-error.ts';
import { unfinishedMove } from '../schema/schema-records.ts';
import { type CopiedTable, type Partition, readAsides, readPartitions } from './copied-tables.ts';
import { copyTable } from './copy-table.ts';

/*
 * How far a move is stands in the database that is moved to, in tables that are there only until it is done: the service
 * and its commands refuse to run on a database that has them.
 */

/** A lock of the target's, so that one move at a time fills it; any number, the same in every process. */
const lockNumber = 7_301_986_146;
const patience = '30s';

/** @throws OperatorError when another process moves to the same database */
export async function lockTarget(client: pg.ClientBase): Promise<void> {
  await client.query(`set lock_timeout = '${patience}'`);
  try {
    await client.query('select pg_advisory_lock($1)', [lockNumber]);
  } catch (error) {
    if ((error as pg.DatabaseError).code !== '55P03') throw error;
    throw new OperatorError('Another process is moving to the same database. Wait until it is done.');
  }
  await client.query('set lock_timeout = 0');
}

/** @returns which database it is moved from; null when none is */
export async function unfinishedSource(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    unfinishedMove,
  ]);
  if (rows[0]?.there !== true) return null;
  const found = await client.query<{ source: string }>('select source from unfinished_move');
  return found.rows[0]?.source ?? '';
}

/**
 * Makes a migrated, empty database ready to be filled, in one commit: with the partitions of the source, without what
 * slows loading down, and with the books of what is done.
 */
export async function beginMove(
  client: pg.ClientBase,
  { source, partitions }: { source: string; partitions: readonly Partition[] },
): Promise<void> {
  const asides = await readAsides(client);
  await inCommit(client, async () => {
    await client.query(`
      create table unfinished_move (source text not null, begun_at timestamptz not null default now());
      create table unfinished_move_table (name text primary key, row_count bigint not null);
      create table unfinished_move_statement (number integer primary key, statement text not null)`);
    await client.query('insert into unfinished_move (source) values ($1)', [source]);
    await client.query(
      'insert into unfinished_move_statement (number, statement) select n, s from unnest($1::text[]) with ordinality as u (s, n)',
      [asides.map(({ make }) => make)],
    );
    for (const { drop } of asides.toReversed()) await client.query(drop);
    await adoptPartitions(client, partitions);
  });
}

/** Replaces the partitions that an empty database got when it was migrated: they are for other days. */
async function adoptPartitions(client: pg.ClientBase, partitions: readonly Partition[]): Promise<void> {
  for (const { name } of await readPartitions(client)) await client.query(`drop table ${name}`);
  for (const { parent, name, bounds } of partitions)
    await client.query(`create table ${name} partition of ${parent} ${bounds}`);
}

/** The tables that are done, and how many rows they had. */
export async function readDone(client: pg.ClientBase): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; row_count: string }>(
    'select name, row_count from unfinished_move_table',
  );
  return new Map(rows.map(({ name, row_count }) => [name, Number(row_count)]));
}

/** A whole table in one commit, or nothing of it. @returns how many rows it has */
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

/** Makes the next of what was taken away, a commit each. @returns what was made; null when all is there again */
export async function makeNext(client: pg.ClientBase): Promise<string | null> {
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

/** From here on it is a database like any other. */
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
    // Where rows were on their way the connection is of no use any more, and is closed with all that it did.
    if (error instanceof pg.DatabaseError) await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
