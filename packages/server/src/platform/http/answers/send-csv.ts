import { PassThrough, type Writable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { attachmentOf } from './attachment.ts';

/** Byte order mark, which lets spreadsheets recognize UTF-8. */
const byteOrderMark = '\ufeff';

/**
 * Sends a CSV file as a stream. If writing fails partway, the connection is cut, so that a client can't
 * mistake a partial file for a complete one.
 * @param write writes the file, but doesn't end the stream
 */
export function sendCsv(
  reply: FastifyReply,
  fileName: string,
  write: (output: Writable) => Promise<void>,
): FastifyReply {
  const output = new PassThrough();
  output.write(byteOrderMark);
  write(output).then(
    () => output.end(),
    (error) => output.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', attachmentOf(fileName))
    .header('cache-control', 'no-store')
    .send(output);
}
