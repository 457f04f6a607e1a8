import { answerNode, type NodeRequest, type NodeResponse } from './answer-node.ts';
import { createReceiver, type HandlerOptions, type HandleWebhook } from './receiver.ts';

export type { NodeRequest, NodeResponse } from './answer-node.ts';
export type { HandlerOptions, HandleWebhook } from './receiver.ts';

/**
 * A listener for node:http that verifies a request, hands its event on and answers: 200, 403 for a request
 * that is not from the service, 400 for a body that is no event, 405 for another method than POST, 413 for
 * more than 1 MiB, 500 when the handler throws.
 * @param secret the endpoint's secret; several while you change it
 * @throws TypeError when the secret cannot be right
 */
export function webhookHandler(
  secret: string | readonly string[],
  handle: HandleWebhook,
  options?: HandlerOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  const receiver = createReceiver(secret, handle, options);
  return (request, response) => answerNode(receiver, request, response);
}
