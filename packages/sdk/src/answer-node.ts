import { type Answer, type Receiver, readBody, tooLarge, wrongMethod } from './receiver.ts';
import { maxBodyBytes } from './verify-webhook.ts';

/** What is needed of node:http's IncomingMessage. */
export interface NodeRequest extends AsyncIterable<string | Uint8Array> {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What is needed of node:http's ServerResponse. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
}

/** @param earlierBody the body, where it was read from the request before */
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
    // The connection broke off: nobody is left to be answered.
    return;
  }
  sendAnswer(response, body === null ? tooLarge : await receiver.answer(body, request.headers));
}

export function sendAnswer(response: NodeResponse, { status, text }: Answer): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  // What was not read of the body must not be taken for the next request.
  if (status === 413) response.setHeader('connection', 'close');
  response.end(`${text}\n`);
}
