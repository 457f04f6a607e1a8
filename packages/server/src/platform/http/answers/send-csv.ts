import { PassThrough, type Writable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { attachmentOf } from './attachment.ts';

/** Byte order mark, which lets spreadsheets recognize UTF-8. */
const byteOrderMark = '\ufeff';

/**
 * Sends a CSV file as a stream.
 * @param write writes the file, but doesn't end the stream
 */
export const sendCsv = (
  reply: FastifyReply,
  fileName: string,
  write: (output: Writable) => Promise<void>,
): FastifyReply =>
  sendFile(reply, { fileName, type: 'text/csv; charset=utf-8' }, (output) => {
    output.write(byteOrderMark);
    return write(output);
  });

/**
 * Sends a file as a stream. If writing fails partway, the connection is cut, so that a client can't mistake a partial file for
 * a complete one.
 * @param write writes the file, but doesn't end the stream
 */
export function sendFile(
  reply: FastifyReply,
  { fileName, type }: { fileName: string; type: string },
  write: (output: Writable) => Promise<void>,
): FastifyReply {
  const output = new PassThrough();
  write(output).then(
    () => output.end(),
    (error) => output.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return reply
    .type(type)
    .header('content-disposition', attachmentOf(fileName))
    .header('cache-control', 'no-store')
    .send(output);
}
