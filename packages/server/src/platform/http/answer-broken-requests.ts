import type { Socket } from 'node:net';
import { headerLines } from './answers/secure-answers.ts';
import { isDraining } from './bodies/drain-bodies.ts';
import { newRequestId } from './name-requests.ts';

const known: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};

/** Answers bytes that cannot be parsed as HTTP: they never become a request, so the answer is written to the socket. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isDraining(socket)) {
    socket.destroy();
    return;
  }
  const [status, message] = known[error.code ?? ''] ?? [
    '400 Bad Request',
    'This is not HTTP/1.1 that can be read.',
  ];
  const body = JSON.stringify({ code: 'InvalidInput', message });
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n${headerLines}` +
      `x-request-id: ${newRequestId()}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
