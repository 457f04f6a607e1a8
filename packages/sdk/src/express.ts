import { answerNode, type NodeRequest, type NodeResponse, sendAnswer } from './answer-node.ts';
import { createReceiver, type HandlerOptions, type HandleWebhook } from './receiver.ts';

export type { HandlerOptions, HandleWebhook } from './receiver.ts';

/** What is needed of Express's Request. */
export interface ExpressRequest extends NodeRequest {
  readonly body?: unknown;
  readonly readableDidRead: boolean;
}

/**
 * A handler for Express 4 and 5, with the answers of the one for node:http. It reads the body itself, so it
 * must come before `express.json()`, or after an `express.raw({ type: 'application/json' })` of its own.
 * @param secret the endpoint's secret; several while you change it
 * @throws TypeError when the secret cannot be right
 */
export function webhookHandler(
  secret: string | readonly string[],
  handle: HandleWebhook,
  options?: HandlerOptions,
): (request: ExpressRequest, response: NodeResponse) => Promise<void> {
  const receiver = createReceiver(secret, handle, options);
  return async (request, response) => {
    const { body } = request;
    if (typeof body === 'string' || body instanceof Uint8Array)
      return answerNode(receiver, request, response, body);
    // Express 4 gives an empty object to requests whose body nobody has read, so the body itself says nothing.
    if (!request.readableDidRead) return answerNode(receiver, request, response);
    sendAnswer(response, receiver.fail(new Error(parsedBefore)));
  };
}

const parsedBefore =
  'The body of a webhook was parsed before its handler saw it, and the signature is over its bytes: ' +
  'put the handler before express.json().';
