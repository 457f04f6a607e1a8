import { CompiledQuery } from 'kysely';
import type pg from 'pg';
import type { Db } from '../database.ts';
import { isStatementLost } from '../database-errors.ts';

export interface NamedStatements {
  query<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]>;
}

/**
 * Creates a runner for prepared statements. Planning a small statement takes several times as long as running
 * it, so statements that run hundreds of times a second are named. If a pooler loses the names, the process
 * continues with unnamed statements.
 * @param prepared false to never use names
 */
export function namedStatements(pool: pg.Pool, prepared: boolean): NamedStatements {
  let usesNames = prepared;
  return {
    async query(name, text, values) {
      if (usesNames) {
        try {
          return (await pool.query({ name, text, values })).rows;
        } catch (error) {
          if (!isStatementLost(error)) throw error;
          usesNames = false; // the statement wasn't executed
        }
      }
      return (await pool.query({ text, values })).rows;
    },
  };
}

/** Creates a runner that uses unnamed statements, for occasional work. */
export const plainStatements = (db: Db): NamedStatements => ({
  query: async <Row extends pg.QueryResultRow>(_name: string, text: string, values: unknown[]) =>
    (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows,
});
