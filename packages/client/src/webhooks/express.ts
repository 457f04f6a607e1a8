import { answerNode, type NodeRequest, type NodeResponse, sendAnswer } from './answer-node.ts';
import { createReceiver, type HandlerOptions, type HandleWebhook } from './receiver.ts';

export type { HandlerOptions, HandleWebhook } from './receiver.ts';

/** Subset of Express's Request that the adapter uses. */
export interface ExpressRequest extends NodeRequest {
  readonly body?: unknown;
  readonly readableDidRead: boolean;
}

/**
 * Creates a handler for Express 4 and 5 with the same responses as the handler for node:http. The handler
 * reads the body itself, so register it before `express.json()`. The handler also accepts
 * a body that `express.raw({ type: 'application/json' })` has read.
 * @param secret the endpoint's secret, or several during a rotation
 * @throws TypeError if the secret is invalid
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
    // Express 4 sets `body` to an empty object for unread requests, so `body` alone doesn't show whether the body was
    // read.
    if (!request.readableDidRead) return answerNode(receiver, request, response);
    sendAnswer(response, receiver.fail(new Error(parsedBefore)));
  };
}

const parsedBefore =
  'The webhook body was parsed before it reached this handler, but the signature covers the raw bytes. ' +
  'Register the handler before express.json().';
