import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { boundedCache } from '../../../platform/bounded-cache.ts';
import type { EventId } from '../../../platform/database/tables.generated.ts';
import { readStoredKind } from '../../event-kinds.ts';

/** Event as sent. The bytes are the same on every attempt. */
export interface Envelope {
  eventId: EventId;
  /** Whole milliseconds. */
  createdAt: Date;
  /** Stored kind: `eventType/eventAction`, or that of a test event. */
  kind: string;
  /** Payload as JSON, from event-text.ts. */
  event: string;
}

export interface SigningSecrets {
  /** Secret for the contract's header, which has only one signature. */
  contract: string;
  /** One secret, or two during a rotation: the new one, then the old one. */
  standard: readonly string[];
}

/** Returns the body of the request: the contract's envelope as compact JSON. */
export function toBody({ eventId, createdAt, kind, event }: Envelope): string {
  const [eventType, eventAction] = readStoredKind(kind).kind.split('/');
  const head = JSON.stringify({ eventId, createdAt: toCreatedAt(createdAt), eventType, eventAction });
  return `${head.slice(0, -1)},"event":${event}}`;
}

/**
 * Returns the signature headers. The contract's signature covers eventId, createdAt in ISO form and the
 * event's JSON. The Standard Webhooks signature covers the id, the time of sending and the body.
 * @param sentAt time of this attempt
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

export const timestampOf = (sentAt: Date): string => String(Math.floor(sentAt.getTime() / 1_000));

/** Formats a time as `YYYY-MM-DD HH:MM:SS.ffffff` in UTC, with millisecond precision (D38). */
export const toCreatedAt = (at: Date): string => `${at.toISOString().slice(0, -1).replace('T', ' ')}000`;

const prefix = 'whsec_';

// Cached, because an HMAC takes only 2 µs with a KeyObject, but 20 µs with a key given as bytes, mostly to import it.
const standardKeys = boundedCache<KeyObject>(10_000);

/**
 * Returns the key for Standard Webhooks: the bytes after the prefix. The contract's header uses the whole text as its
 * key.
 */
function standardKey(secret: string): KeyObject {
  const known = standardKeys.get(secret);
  if (known !== undefined) return known;
  const key = createSecretKey(Buffer.from(secret.slice(prefix.length), 'base64'));
  standardKeys.set(secret, key);
  return key;
}
