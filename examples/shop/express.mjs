// A shop's back end with Express:
//   ATTRIBUTION_URL=… ATTRIBUTION_KEY=svc_sk_… WEBHOOK_SECRET=whsec_… PORT=3000 node express.mjs
import { webhookHandler } from '@creator-attribution/client/webhooks/express';
import express from 'express';
import { onWebhook, recordOrder, refundOrder } from './attribution.mjs';

const app = express();
// Before express.json(), because the signature covers the bytes.
app.post('/api/webhooks', webhookHandler(process.env.WEBHOOK_SECRET ?? '', onWebhook));
app.use(express.json());
app.post('/api/orders', async ({ body }, response) => {
  response.json({ credited: await recordOrder(body) });
});
app.post('/api/refunds', async ({ body }, response) => {
  response.json({ refunded: await refundOrder(body) });
});

const server = app.listen(Number(process.env.PORT ?? 3000), () =>
  console.log(`listening on port ${server.address().port}`),
);
