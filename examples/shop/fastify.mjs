// A shop's back end with Fastify:
//   ATTRIBUTION_URL=… ATTRIBUTION_KEY=svc_sk_… WEBHOOK_SECRET=whsec_… PORT=3000 node fastify.mjs
import { webhookPlugin } from '@creator-attribution/client/webhooks/fastify';
import fastify from 'fastify';
import { onWebhook, recordOrder, refundOrder } from './attribution.mjs';

const app = fastify();
await app.register(webhookPlugin('/api/webhooks', process.env.WEBHOOK_SECRET ?? '', onWebhook));
app.post('/api/orders', async ({ body }) => ({ credited: await recordOrder(body) }));
app.post('/api/refunds', async ({ body }) => ({ refunded: await refundOrder(body) }));

await app.listen({ port: Number(process.env.PORT ?? 3000) });
console.log(`listening on port ${app.server.address().port}`);
