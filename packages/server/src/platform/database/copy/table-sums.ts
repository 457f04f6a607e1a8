import type pg from 'pg';
import type { CopiedTable } from './copied-tables.ts';

export interface TableSum {
  rows: number;
  /** Sum of 60 bits of each row's SHA-256 hash. The sum doesn't depend on the order of the rows. */
  sum: string;
}

/**
 * Settings that make both servers represent a row as the same text, and that prevent server limits from
 * ending a long statement.
 */
const sessionSettings = `
  set timezone = 'UTC';
  set datestyle = 'ISO, MDY';
  set intervalstyle = 'postgres';
  set extra_float_digits = 1;
  set bytea_output = 'hex';
  set statement_timeout = 0;
  set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  set client_connection_check_interval = '2s'`;

export async function prepareCopying(client: pg.ClientBase): Promise<void> {
  await client.query(sessionSettings);
}

export async function sumTable(client: pg.ClientBase, { quoted, columns }: CopiedTable): Promise<TableSum> {
  const { rows } = await client.query<{ rows: string; sum: string }>(
    `select count(*)::text as rows,
            coalesce(sum(('x' || left(encode(sha256(convert_to(r::text, 'UTF8')), 'hex'), 15))::bit(60)::bigint), 0)::text as sum
     from (select ${columns} from ${quoted}) r`,
  );
  const [found] = rows;
  return { rows: Number(found?.rows ?? 0), sum: found?.sum ?? '' };
}

export const isSameSum = (one: TableSum, other: TableSum): boolean =>
  one.rows === other.rows && one.sum === other.sum;
