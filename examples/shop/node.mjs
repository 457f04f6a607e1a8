// A shop's back end with plain Node 20 or newer:
//   ATTRIBUTION_URL=… ATTRIBUTION_KEY=svc_sk_… WEBHOOK_SECRET=whsec_… PORT=3000 node node.mjs
import { createServer } from 'node:http';
import { webhookHandler } from '@creator-attribution/client/webhooks/node';
import { onWebhook, recordOrder, refundOrder } from './attribution.mjs';

/** Handlers of the shop's own requests, which its checkout sends. */
const handlers = {
  '/api/orders': async (order) => ({ credited: await recordOrder(order) }),
  '/api/refunds': async (refund) => ({ refunded: await refundOrder(refund) }),
};
const receiveWebhook = webhookHandler(process.env.WEBHOOK_SECRET ?? '', onWebhook);
const maxBodyBytes = 100_000;

const server = createServer(async (request, response) => {
  if (request.url === '/api/webhooks') return receiveWebhook(request, response);
  const answer = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const handle = request.method === 'POST' ? handlers[request.url] : undefined;
  if (handle === undefined) return answer(404, { message: 'Not found' });
  let input;
  try {
    input = JSON.parse(await readBody(request));
  } catch {
    return answer(400, { message: 'The body must be JSON' });
  }
  try {
    answer(200, await handle(input));
  } catch (error) {
    console.error(error);
    answer(500, { message: 'Try again later' });
  }
});
server.listen(Number(process.env.PORT ?? 3000), () =>
  console.log(`listening on port ${server.address().port}`),
);

async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
