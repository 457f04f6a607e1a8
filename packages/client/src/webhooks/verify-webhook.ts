import { readEnvelope } from './envelope.ts';
import {
  contractSignature,
  equalInConstantTime,
  readSecrets,
  type SecretKeys,
  secretKeys,
  standardSignature,
} from './signatures.ts';
import { WebhookVerificationError } from './verification-error.ts';
import type { WebhookEvent } from './webhook-event.ts';

/** Headers in the form that fetch or node:http provides. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /**
   * True to also accept requests that have only the `x-webhook-signature-256` header. Its signature covers neither the
   * time of the request nor the event's type, so a leaked request can be replayed forever, even as another type. Use
   * this option only for a sender or proxy without the `webhook-…` headers, which the service always sends.
   */
  readonly allowReplayableRequests?: boolean;
  /** Maximum difference between `webhook-timestamp` and now, in seconds, in either direction. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Current time in milliseconds since 1970, for tests. */
  readonly now?: () => number;
}

/**
 * Maximum body size. No event comes close to 1 MiB, and an unauthenticated client must not make a receiver buffer and
 * hash more.
 */
export const maxBodyBytes = 1024 * 1024;

/** Maximum number of signatures. The service sends one signature, or two during a rotation. */
const maxSignatures = 16;

/**
 * Verifies that a request is from the service, unaltered and recent. Its Standard Webhooks signature covers
 * the whole body, including type and action, and the time when the request was sent.
 * @param rawBody the unparsed body of the request
 * @param secret the endpoint's secret as the service showed it, or several during a rotation
 * @returns the event
 * @throws WebhookVerificationError if the request must not be processed; respond with 403
 * @throws TypeError if the secret or an option is invalid
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const secrets = readSecrets(secret);
  const body = bytesOf(rawBody);
  const sent = readHeaders(headers);
  const timestamp = checkTimestamp(sent.timestamp, options);
  const keys = await Promise.all(secrets.map(secretKeys));
  const standard =
    sent.id !== null &&
    timestamp !== null &&
    (await isSigned(sent.signatures, keys, { id: sent.id, timestamp, body }));
  if (!standard && (!options.allowReplayableRequests || sent.contract === null))
    throw rejection(sent, options);
  const { webhook, signedText } = readEnvelope(body);
  if (!standard && !(await isSignedByContract(sent.contract, keys, signedText)))
    throw rejection(sent, options);
  if (sent.id !== null && sent.id !== webhook.eventId)
    throw new WebhookVerificationError('IdMismatch', 'webhook-id does not match the eventId in the body.');
  return webhook;
}

interface SentHeaders {
  readonly contract: string | null;
  readonly id: string | null;
  readonly timestamp: string | null;
  readonly signatures: readonly string[];
}

function readHeaders(headers: WebhookHeaders): SentHeaders {
  const contract = headerOf(headers, 'x-webhook-signature-256');
  const list = headerOf(headers, 'webhook-signature');
  if (contract === null && list === null)
    throw new WebhookVerificationError(
      'MissingSignature',
      'The webhook-signature and x-webhook-signature-256 headers are missing. Does a proxy drop headers?',
    );
  const signatures = list === null ? [] : list.split(' ', maxSignatures + 1);
  if (signatures.length > maxSignatures)
    throw new WebhookVerificationError(
      'TooManySignatures',
      `webhook-signature has more than ${maxSignatures} signatures.`,
    );
  return {
    contract,
    id: headerOf(headers, 'webhook-id'),
    timestamp: headerOf(headers, 'webhook-timestamp'),
    signatures,
  };
}

/**
 * Returns a header's value. As in HTTP, repeated headers are joined with commas, which makes our headers
 * invalid.
 */
function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? null;
  const values = Object.entries(headers)
    .filter(([key, value]) => value !== undefined && key.toLowerCase() === name)
    .flatMap(([, value]) => value);
  return values.length === 0 ? null : values.join(', ');
}

/** Checks the age of a request. @returns the header as it was sent; null if the header is missing */
function checkTimestamp(
  timestamp: string | null,
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions,
): string | null {
  if (!(toleranceSeconds >= 0)) throw new TypeError('toleranceSeconds must be a number of seconds.');
  if (timestamp === null) return null;
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('InvalidTimestamp', 'webhook-timestamp is not a number of seconds.');
  const awaySeconds = Math.floor(now() / 1_000) - Number(timestamp);
  // The condition is written so that all requests are rejected if the clock returns NaN.
  if (!(Math.abs(awaySeconds) <= toleranceSeconds))
    throw new WebhookVerificationError(
      'StaleTimestamp',
      `webhook-timestamp is ${Math.abs(awaySeconds)} s in the ${awaySeconds > 0 ? 'past' : 'future'}, ` +
        `but the limit is ${toleranceSeconds} s. Is this a replayed request, or is this machine's clock wrong?`,
    );
  return timestamp;
}

async function isSigned(
  signatures: readonly string[],
  keys: readonly SecretKeys[],
  { id, timestamp, body }: { id: string; timestamp: string; body: Uint8Array },
): Promise<boolean> {
  const expected = await Promise.all(keys.map((each) => standardSignature(each, id, timestamp, body)));
  return anyEqual(expected, signatures);
}

async function isSignedByContract(
  sent: string | null,
  keys: readonly SecretKeys[],
  signedText: string,
): Promise<boolean> {
  const expected = await Promise.all(keys.map((each) => contractSignature(each, signedText)));
  return anyEqual(expected, sent === null ? [] : [sent]);
}

/** Compares all pairs, so that the time taken does not reveal which pair matched. */
function anyEqual(expected: readonly string[], sent: readonly string[]): boolean {
  return expected.flatMap((one) => sent.filter((other) => equalInConstantTime(one, other))).length > 0;
}

function bytesOf(rawBody: string | Uint8Array): Uint8Array {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array))
    throw new WebhookVerificationError(
      'InvalidBody',
      'The body is neither text nor bytes. Pass the raw body, not the parsed body: the signature covers the raw bytes.',
    );
  // UTF-8 needs at least one byte per code unit, so a string that is too long need not be encoded first.
  const bytes =
    typeof rawBody !== 'string' || rawBody.length > maxBodyBytes ? rawBody : encoder.encode(rawBody);
  if (typeof bytes === 'string' || bytes.length > maxBodyBytes)
    throw new WebhookVerificationError(
      'BodyTooLarge',
      `The body is larger than ${maxBodyBytes} bytes, so it is not an event from the service.`,
    );
  return bytes;
}

const encoder = new TextEncoder();

function rejection(sent: SentHeaders, { allowReplayableRequests }: VerifyOptions): WebhookVerificationError {
  const incomplete = sent.signatures.length === 0 || sent.id === null || sent.timestamp === null;
  if (incomplete && !(allowReplayableRequests && sent.contract !== null))
    return new WebhookVerificationError(
      'MissingTimestamp',
      'webhook-id, webhook-timestamp or webhook-signature is missing, so the age of the request ' +
        'is unknown. Does a proxy drop headers?',
    );
  return new WebhookVerificationError(
    'InvalidSignature',
    "No signature is valid. Check that this is the endpoint's secret, and that the body is passed unchanged, byte for byte.",
  );
}
