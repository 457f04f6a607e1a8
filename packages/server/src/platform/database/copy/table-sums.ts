import type pg from 'pg';
import type { CopiedTable } from './copied-tables.ts';

/** Checksum of a table's content, short enough to compare: a difference in any row shows. */
export interface TableSum {
  rows: number;
  /** The sum of sixty bits of each row's SHA-256, in whatever order they lie. */
  sum: string;
}

/** Rows as text mean the same on both sides, and nothing that takes long is ended by a limit of the server's. */
const sessionWords = `
  set timezone = 'UTC';
  set datestyle = 'ISO, MDY';
  set intervalstyle = 'postgres';
  set extra_float_digits = 1;
  set bytea_output = 'hex';
  set statement_timeout = 0;
  set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  set client_connection_check_interval = '2s'`;

/** Before a connection copies or sums. */
export async function prepareCopying(client: pg.ClientBase): Promise<void> {
  await client.query(sessionWords);
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
