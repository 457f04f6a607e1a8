import { formatCreatedAt, signedText } from './envelope.ts';
import { contractSignature, readSecrets, secretKeys, standardSignature } from './signatures.ts';

/** Event to sign. If eventId or createdAt is absent, it is generated. */
export interface EventToSign {
  readonly eventId?: string;
  readonly createdAt?: Date;
  readonly eventType: string;
  readonly eventAction: string;
  readonly event: object;
}

/** Request in the form that the service sends. */
export interface SignedRequest {
  readonly body: string;
  readonly headers: Readonly<
    Record<
      'content-type' | 'x-webhook-signature-256' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature',
      string
    >
  >;
}

/**
 * Returns the request that the service would send for an event, for tests of a receiver.
 * @param options.now send time, in milliseconds since 1970; pass the same time to the receiver
 */
export async function signWebhook(
  { eventId = crypto.randomUUID(), createdAt, eventType, eventAction, event }: EventToSign,
  secret: string,
  { now = Date.now }: { readonly now?: () => number } = {},
): Promise<SignedRequest> {
  readSecrets(secret);
  const sentAtMs = now();
  const happenedAt = createdAt ?? new Date(sentAtMs);
  const body = JSON.stringify({
    eventId,
    createdAt: formatCreatedAt(happenedAt),
    eventType,
    eventAction,
    event,
  });
  const keys = await secretKeys(secret);
  const timestamp = String(Math.floor(sentAtMs / 1_000));
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-webhook-signature-256': await contractSignature(
        keys,
        signedText(eventId, happenedAt, JSON.stringify(event)),
      ),
      'webhook-id': eventId,
      'webhook-timestamp': timestamp,
      'webhook-signature': await standardSignature(keys, eventId, timestamp, new TextEncoder().encode(body)),
    },
  };
}
