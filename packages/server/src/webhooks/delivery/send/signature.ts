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
  // Only `event` needs escapes, and it is JSON already: the database allows only letters in kinds.
  return `{"eventId":"${eventId}","createdAt":"${toCreatedAt(createdAt)}",${kindInBody(kind)},"event":${event}}`;
}

const kindsInBodies = new Map<string, string>();
const maxKinds = 1_000;

function kindInBody(stored: string): string {
  const known = kindsInBodies.get(stored);
  if (known !== undefined) return known;
  const [eventType, eventAction] = readStoredKind(stored).kind.split('/');
  const text = JSON.stringify({ eventType, eventAction }).slice(1, -1);
  if (kindsInBodies.size < maxKinds) kindsInBodies.set(stored, text);
  return text;
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
  const contract = hmac(contractKey(secrets.contract), eventId + createdAt.toISOString() + event, 'hex');
  const signed = `${eventId}.${timestamp}.${body}`;
  const standard = secrets.standard.map((secret) => `v1,${hmac(standardKey(secret), signed, 'base64')}`);
  return {
    'x-webhook-signature-256': `sha256=${contract}`,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  };
}

export const timestampOf = (sentAt: Date): string => String(Math.floor(sentAt.getTime() / 1_000));

/** Formats a time as `YYYY-MM-DD HH:MM:SS.ffffff` in UTC, with millisecond precision (D38). */
export function toCreatedAt(at: Date): string {
  const iso = at.toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, -1)}000`;
}

const prefix = 'whsec_';
const maxKeys = 10_000;

// Cached, because an HMAC takes only 2 µs with a KeyObject, but 20 µs with a key given as bytes, mostly to import it.
const contractKeys = boundedCache<KeyObject>(maxKeys);
const standardKeys = boundedCache<KeyObject>(maxKeys);

/** Returns the key for the contract's header: the whole text of the secret. */
const contractKey = (secret: string): KeyObject =>
  cachedKey(contractKeys, secret, () => Buffer.from(secret, 'utf8'));

/** Returns the key for Standard Webhooks: the bytes after the prefix. */
const standardKey = (secret: string): KeyObject =>
  cachedKey(standardKeys, secret, () => Buffer.from(secret.slice(prefix.length), 'base64'));

function cachedKey(
  keys: ReturnType<typeof boundedCache<KeyObject>>,
  secret: string,
  read: () => Buffer,
): KeyObject {
  const known = keys.get(secret);
  if (known !== undefined) return known;
  const key = createSecretKey(read());
  keys.set(secret, key);
  return key;
}

const hmac = (key: KeyObject, message: string, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', key).update(message).digest(encoding);
