import { verifyWebhook, WebhookVerificationError } from '@creator-attribution/client/webhooks';
import { onWebhook } from '../../../../attribution.mjs';

/** Receives webhooks. Next.js doesn't read the body first, so the signature can be verified. */
export async function POST(request) {
  try {
    const body = await request.text(); // not json(): the signature covers the bytes
    await onWebhook(await verifyWebhook(body, request.headers, process.env.WEBHOOK_SECRET ?? ''));
    return new Response('OK');
  } catch (error) {
    if (error instanceof WebhookVerificationError) return new Response(error.code, { status: 403 });
    throw error;
  }
}
