import type { Socket } from 'node:net';
import { headerLines } from './answers/secure-answers.ts';
import { isDraining } from './bodies/drain-bodies.ts';
import { newRequestId } from './name-requests.ts';

const knownErrors: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};

/**
 * Responds to bytes that can't be parsed as HTTP. They never become a request, so the response is written
 * directly to the socket.
 */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isDraining(socket)) {
    socket.destroy();
    return;
  }
  const [status, message] = knownErrors[error.code ?? ''] ?? [
    '400 Bad Request',
    'The request is not valid HTTP/1.1.',
  ];
  const body = JSON.stringify({ code: 'InvalidInput', message });
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n${headerLines}` +
      `x-request-id: ${newRequestId()}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
