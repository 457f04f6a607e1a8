import { type Answer, type Receiver, readBody, tooLarge, wrongMethod } from './receiver.ts';
import { maxBodyBytes } from './verify-webhook.ts';

/** Subset of node:http's IncomingMessage that the adapters use. */
export interface NodeRequest extends AsyncIterable<string | Uint8Array> {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Subset of node:http's ServerResponse that the adapters use. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
}

/**
 * Verifies a request, calls the handler and sends the response.
 * @param earlierBody the body, if it was already read from the request
 */
export async function answerNode(
  receiver: Receiver,
  request: NodeRequest,
  response: NodeResponse,
  earlierBody?: string | Uint8Array,
): Promise<void> {
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST');
    return sendAnswer(response, wrongMethod);
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return sendAnswer(response, tooLarge);
  let body: string | Uint8Array | null;
  try {
    body = earlierBody ?? (await readBody(request));
  } catch {
    return; // The connection was closed, so no response can be sent.
  }
  sendAnswer(response, body === null ? tooLarge : await receiver.answer(body, request.headers));
}

export function sendAnswer(response: NodeResponse, { status, text }: Answer): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  // Otherwise, the unread rest of the body would be parsed as the next request.
  if (status === 413) response.setHeader('connection', 'close');
  response.end(`${text}\n`);
}
