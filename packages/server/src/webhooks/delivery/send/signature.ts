import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { boundedCache } from '../../../platform/bounded-cache.ts';
import type { EventId } from '../../../platform/database/tables.generated.ts';

/** An event as it leaves the service: the same bytes on every attempt. */
export interface Envelope {
  eventId: EventId;
  /** Whole milliseconds. */
  createdAt: Date;
  /** `eventType/eventAction` */
  kind: string;
  /** The payload as JSON, from event-text.ts. */
  event: string;
}

/** The secrets that sign for an endpoint at a moment. */
export interface SigningSecrets {
  /** The contract's header has room for one. */
  contract: string;
  /** One, or during a rotation two, the new one first. */
  standard: readonly string[];
}

/** @returns the request's body: the contract's envelope, as compact JSON */
export function toBody({ eventId, createdAt, kind, event }: Envelope): string {
  const [eventType, eventAction] = kind.split('/');
  const head = JSON.stringify({ eventId, createdAt: toCreatedAt(createdAt), eventType, eventAction });
  return `${head.slice(0, -1)},"event":${event}}`;
}

/**
 * The headers that prove a request is ours: the contract's (over eventId, createdAt in ISO form and the
 * event's JSON) and those of the Standard Webhooks specification (over id, time of sending and body).
 * @param sentAt the time of this attempt
 */
export function signatureHeaders(
  envelope: Envelope,
  body: string,
  secrets: SigningSecrets,
  sentAt: Date,
): Record<string, string> {
  const { eventId, createdAt, event } = envelope;
  const timestamp = timestampOf(sentAt);
  const contract = createHmac('sha256', secrets.contract)
    .update(eventId + createdAt.toISOString() + event)
    .digest('hex');
  const standard = secrets.standard.map((secret) => {
    const digest = createHmac('sha256', standardKey(secret)).update(`${eventId}.${timestamp}.${body}`);
    return `v1,${digest.digest('base64')}`;
  });
  return {
    'x-webhook-signature-256': `sha256=${contract}`,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  };
}

/** What stands in `webhook-timestamp`. */
export const timestampOf = (sentAt: Date): string => String(Math.floor(sentAt.getTime() / 1_000));

/** `YYYY-MM-DD HH:MM:SS.ffffff` in UTC; there are no finer digits than milliseconds (D38). */
export const toCreatedAt = (at: Date): string => `${at.toISOString().slice(0, -1).replace('T', ' ')}000`;

const prefix = 'whsec_';

// Made once: an HMAC with a key of bytes takes 20 µs, mostly for looking at the key, and one with a KeyObject 2 µs.
const standardKeys = boundedCache<KeyObject>(10_000);

/** Standard Webhooks signs with the bytes behind the prefix; the contract's header with the secret as it is written. */
function standardKey(secret: string): KeyObject {
  const known = standardKeys.get(secret);
  if (known !== undefined) return known;
  const key = createSecretKey(Buffer.from(secret.slice(prefix.length), 'base64'));
  standardKeys.set(secret, key);
  return key;
}
