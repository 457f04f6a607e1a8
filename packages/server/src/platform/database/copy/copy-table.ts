import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { CopiedTable } from './copied-tables.ts';

/**
 * Copies a table's rows from one database to another as a stream, so that only the stream's buffers use memory.
 * @param onBytes called for each chunk with its size
 * @returns the number of rows copied
 */
export async function copyTable(
  { from, to }: { from: pg.Client; to: pg.Client },
  { quoted, columns }: CopiedTable,
  onBytes: (bytes: number) => void,
): Promise<number> {
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onBytes(chunk.length);
      done(null, chunk);
    },
  });
  const writing = to.query(copyFrom(`copy ${quoted} (${columns}) from stdin`));
  await pipeline(from.query(copyTo(`copy (select ${columns} from ${quoted}) to stdout`)), counted, writing);
  return writing.rowCount;
}
