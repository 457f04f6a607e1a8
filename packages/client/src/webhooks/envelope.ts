import { WebhookVerificationError } from './verification-error.ts';
import { kindOf, type WebhookEvent } from './webhook-event.ts';

/** Event, with the text covered by the contract's signature. */
export interface ReadEnvelope {
  readonly webhook: WebhookEvent;
  readonly signedText: string;
}

/**
 * Parses an event from a request body.
 * @throws WebhookVerificationError InvalidBody if the body is not an event in JSON
 */
export function readEnvelope(body: Uint8Array): ReadEnvelope {
  const { eventId, createdAt, eventType, eventAction, event } = parseObject(body);
  if (typeof eventId !== 'string' || eventId === '') throw lacks('eventId');
  const time = typeof createdAt === 'string' ? parseCreatedAt(createdAt) : null;
  if (time === null) throw lacks('createdAt as YYYY-MM-DD HH:MM:SS.ffffff');
  if (typeof eventType !== 'string') throw lacks('eventType');
  if (typeof eventAction !== 'string') throw lacks('eventAction');
  if (!isObject(event)) throw lacks('event');
  const kind = kindOf(eventType, eventAction);
  return {
    // This is the only cast from received data to its type. The service's signature vouches for the fields.
    webhook: { kind, eventId, createdAt: time, eventType, eventAction, event } as unknown as WebhookEvent,
    signedText: signedText(eventId, time, serialize(event)),
  };
}

/**
 * Returns the text that the contract's signature covers. The text has no separators, and its time format
 * differs from the body's.
 */
export function signedText(eventId: string, createdAt: Date, eventJson: string): string {
  return `${eventId}${createdAt.toISOString()}${eventJson}`;
}

/** Formats a time as the service sends it: `YYYY-MM-DD HH:MM:SS.ffffff` in UTC. */
export function formatCreatedAt(createdAt: Date): string {
  return `${createdAt.toISOString().slice(0, -1).replace('T', ' ')}000`;
}

/**
 * Parses a time as UTC. `new Date(text)` would read text without a time zone as local time.
 * @returns null if the text has a different format or is not a real date
 */
function parseCreatedAt(text: string): Date | null {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/.test(text)) return null;
  const iso = `${text.slice(0, 23).replace(' ', 'T')}Z`;
  const time = new Date(iso);
  // Engines differ on February 30: some parse it as a day in March, others reject it.
  return Number.isNaN(time.getTime()) || time.toISOString() !== iso ? null : time;
}

function parseObject(body: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    // Without `fatal`, different bytes could decode to the same text.
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch (cause) {
    throw new WebhookVerificationError(
      'InvalidBody',
      "The body is not JSON in UTF-8. Pass the request body's unchanged bytes.",
      { cause },
    );
  }
  if (!isObject(value)) throw lacks('eventId');
  return value;
}

function serialize(event: object): string {
  try {
    return JSON.stringify(event);
  } catch (cause) {
    // Thousands of nested arrays can be parsed, but not serialized.
    throw new WebhookVerificationError('InvalidBody', 'The event is nested too deeply.', { cause });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function lacks(what: string): WebhookVerificationError {
  return new WebhookVerificationError(
    'InvalidBody',
    `The body is JSON but not an event: ${what} is missing. Does another sender use this URL?`,
  );
}
