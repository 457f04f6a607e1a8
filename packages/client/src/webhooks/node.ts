import { answerNode, type NodeRequest, type NodeResponse } from './answer-node.ts';
import { createReceiver, type HandlerOptions, type HandleWebhook } from './receiver.ts';

export type { NodeRequest, NodeResponse } from './answer-node.ts';
export type { HandlerOptions, HandleWebhook } from './receiver.ts';

/**
 * Creates a listener for node:http that verifies a request, passes its event to the handler and responds: 200, 403 for a
 * request that is not from the service, 400 for a body that is not an event, 405 for a method other than POST, 413 for more
 * than 1 MiB, and 500 if the handler throws.
 * @param secret the endpoint's secret, or several during a rotation
 * @throws TypeError if the secret is invalid
 */
export function webhookHandler(
  secret: string | readonly string[],
  handle: HandleWebhook,
  options?: HandlerOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  const receiver = createReceiver(secret, handle, options);
  return (request, response) => answerNode(receiver, request, response);
}
