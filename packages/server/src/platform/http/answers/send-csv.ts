import { PassThrough, type Writable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** By which a spreadsheet knows that a file is UTF-8. */
const byteOrderMark = '\ufeff';

/**
 * Answers with a CSV file that is written while it is read. When writing fails half-way the connection is cut, so that
 * nobody takes the beginning for the whole.
 * @param write writes the file, without ending it
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
    .header('content-disposition', `attachment; filename="${fileName.replaceAll(/[^\w.-]+/g, '-')}"`)
    .header('cache-control', 'no-store')
    .send(output);
}
