import { CompiledQuery } from 'kysely';
import type pg from 'pg';
import type { Db } from '../database.ts';
import { isStatementLost } from '../database-errors.ts';

/** Runs statements that the database parses and plans once a connection. */
export interface NamedStatements {
  query<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]>;
}

/**
 * Planning takes several times as long as a small statement itself, so those that run hundreds of times a second
 * have names. Behind a pooler that loses names the process goes on without them.
 * @param prepared whether to use names at all
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
          usesNames = false; // nothing was executed
        }
      }
      return (await pool.query({ text, values })).rows;
    },
  };
}

/** Runs statements without names, for occasional work. */
export const plainStatements = (db: Db): NamedStatements => ({
  query: async <Row extends pg.QueryResultRow>(_name: string, text: string, values: unknown[]) =>
    (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows,
});
