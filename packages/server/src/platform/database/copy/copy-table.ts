import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { CopiedTable } from './copied-tables.ts';

/**
 * Copies a table's rows from one database to another, as they come: no more of them than the buffers between are in
 * memory at once.
 * @param onBytes told after each piece how many it had
 * @returns how many rows were copied
 */
export async function copyTable(
  { from, to }: { from: pg.Client; to: pg.Client },
  { quoted, columns }: CopiedTable,
  onBytes: (bytes: number) => void,
): Promise<number> {
  const counted = new Transform({
    transform(piece: Buffer, _encoding, done) {
      onBytes(piece.length);
      done(null, piece);
    },
  });
  const writing = to.query(copyFrom(`copy ${quoted} (${columns}) from stdin`));
  await pipeline(from.query(copyTo(`copy (select ${columns} from ${quoted}) to stdout`)), counted, writing);
  return writing.rowCount;
}
