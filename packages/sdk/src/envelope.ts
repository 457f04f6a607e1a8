import { WebhookVerificationError } from './verification-error.ts';
import { kindOf, type WebhookEvent } from './webhook-event.ts';

/** An event, and what the contract's signature is made over. */
export interface ReadEnvelope {
  readonly webhook: WebhookEvent;
  readonly signedText: string;
}

/**
 * Reads a request's body.
 * @throws WebhookVerificationError InvalidBody when it is not an event's JSON
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
    // The one place where what was sent meets its type: the service answers for the fields, by its signature.
    webhook: { kind, eventId, createdAt: time, eventType, eventAction, event } as unknown as WebhookEvent,
    signedText: signedText(eventId, time, serialise(event)),
  };
}

/** What the contract's signature is made over: no separators, and the time in another shape than it is sent in. */
export function signedText(eventId: string, createdAt: Date, eventJson: string): string {
  return `${eventId}${createdAt.toISOString()}${eventJson}`;
}

/** `YYYY-MM-DD HH:MM:SS.ffffff` in UTC, as the service sends it. */
export function formatCreatedAt(createdAt: Date): string {
  return `${createdAt.toISOString().slice(0, -1).replace('T', ' ')}000`;
}

/**
 * Read as UTC, which `new Date(text)` would not do: without a zone it reads local time.
 * @returns null when the text has another shape, or is no real date
 */
function parseCreatedAt(text: string): Date | null {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/.test(text)) return null;
  const iso = `${text.slice(0, 23).replace(' ', 'T')}Z`;
  const time = new Date(iso);
  // The 30th of February is read as a day in March by some, and as none by others.
  return Number.isNaN(time.getTime()) || time.toISOString() !== iso ? null : time;
}

function parseObject(body: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    // Without `fatal`, different bytes could be read as the same text.
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch (cause) {
    throw new WebhookVerificationError(
      'InvalidBody',
      'The body is not JSON in UTF-8. Pass the bytes of the request as they came.',
      { cause },
    );
  }
  if (!isObject(value)) throw lacks('eventId');
  return value;
}

function serialise(event: object): string {
  try {
    return JSON.stringify(event);
  } catch (cause) {
    // Thousands of arrays in each other can be parsed, but not written again.
    throw new WebhookVerificationError('InvalidBody', 'The event is nested too deep.', { cause });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function lacks(what: string): WebhookVerificationError {
  return new WebhookVerificationError(
    'InvalidBody',
    `The body is JSON but not an event: it lacks ${what}. Does another sender use this address?`,
  );
}
