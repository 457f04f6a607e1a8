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

/** A fetch `Headers`, or an object as node:http gives it. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /**
   * Take requests with the header `x-webhook-signature-256` alone, too. It says neither when the request was made
   * nor of which type its event is: whoever once saw such a request can send it again, for ever, and as another
   * type. Only for a sender or a proxy that has no `webhook-…` headers; the service sends them always.
   */
  readonly allowReplayableRequests?: boolean;
  /** How far `webhook-timestamp` may be from now, in seconds, either way; 300 when absent. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number;
}

/**
 * No event comes near 1 MiB, and a receiver must not be made to keep and hash whatever anybody sends to an
 * address that is open to everybody.
 */
export const maxBodyBytes = 1024 * 1024;

/** The service sends one or, while a secret is changed, two. */
const maxSignatures = 16;

/**
 * Whether a request is from the service, unaltered and new: its Standard Webhooks signature covers the whole body,
 * type and action included, and the time it was sent.
 * @param rawBody the request's body as it came, not parsed
 * @param secret the endpoint's secret as the service showed it; several while the receiver changes it
 * @returns the event
 * @throws WebhookVerificationError when the request must not be processed; answer 403
 * @throws TypeError when the secret or an option cannot be right, whatever the request
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
  if (!standard && (!options.allowReplayableRequests || sent.contract === null)) throw refusal(sent, options);
  const { webhook, signedText } = readEnvelope(body);
  if (!standard && !(await isSignedByContract(sent.contract, keys, signedText))) throw refusal(sent, options);
  if (sent.id !== null && sent.id !== webhook.eventId)
    throw new WebhookVerificationError('IdMismatch', 'webhook-id is not the eventId of the body.');
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
      'Neither webhook-signature nor x-webhook-signature-256 is there. Does a proxy drop headers?',
    );
  const signatures = list === null ? [] : list.split(' ', maxSignatures + 1);
  if (signatures.length > maxSignatures)
    throw new WebhookVerificationError(
      'TooManySignatures',
      `webhook-signature holds more than ${maxSignatures} signatures.`,
    );
  return {
    contract,
    id: headerOf(headers, 'webhook-id'),
    timestamp: headerOf(headers, 'webhook-timestamp'),
    signatures,
  };
}

/** A header that came several times is one value with commas, as in HTTP; none of ours has a right one then. */
function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? null;
  const values = Object.entries(headers)
    .filter(([key, value]) => value !== undefined && key.toLowerCase() === name)
    .flatMap(([, value]) => value);
  return values.length === 0 ? null : values.join(', ');
}

/** @returns the header as it was sent, or null when there is none */
function checkTimestamp(
  timestamp: string | null,
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions,
): string | null {
  if (!(toleranceSeconds >= 0)) throw new TypeError('toleranceSeconds is not a number of seconds.');
  if (timestamp === null) return null;
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('InvalidTimestamp', 'webhook-timestamp is not a number of seconds.');
  const awaySeconds = Math.floor(now() / 1_000) - Number(timestamp);
  // Written so that a clock that is not a number refuses everything.
  if (!(Math.abs(awaySeconds) <= toleranceSeconds))
    throw new WebhookVerificationError(
      'StaleTimestamp',
      `webhook-timestamp is ${Math.abs(awaySeconds)} s in the ${awaySeconds > 0 ? 'past' : 'future'}, ` +
        `more than ${toleranceSeconds} s. Is this an old request sent again, or is this machine's clock wrong?`,
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

/** Compares all with all, so that the time taken does not say which one was right. */
function anyEqual(expected: readonly string[], sent: readonly string[]): boolean {
  return expected.flatMap((one) => sent.filter((other) => equalInConstantTime(one, other))).length > 0;
}

function bytesOf(rawBody: string | Uint8Array): Uint8Array {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array))
    throw new WebhookVerificationError(
      'InvalidBody',
      'The body is neither text nor bytes. Pass the raw body, not the parsed one: the signature is over its bytes.',
    );
  // UTF-8 takes at least one byte a code unit, so text that is too long need not be encoded first.
  const bytes =
    typeof rawBody !== 'string' || rawBody.length > maxBodyBytes ? rawBody : encoder.encode(rawBody);
  if (typeof bytes === 'string' || bytes.length > maxBodyBytes)
    throw new WebhookVerificationError(
      'BodyTooLarge',
      `The body is larger than ${maxBodyBytes} bytes, which no event of the service is.`,
    );
  return bytes;
}

const encoder = new TextEncoder();

/** Why none of the signatures counts. */
function refusal(sent: SentHeaders, { allowReplayableRequests }: VerifyOptions): WebhookVerificationError {
  const incomplete = sent.signatures.length === 0 || sent.id === null || sent.timestamp === null;
  if (incomplete && !(allowReplayableRequests && sent.contract !== null))
    return new WebhookVerificationError(
      'MissingTimestamp',
      'webhook-id, webhook-timestamp and webhook-signature are not all there, and without them nothing says when ' +
        'the request was made. Does a proxy drop headers?',
    );
  return new WebhookVerificationError(
    'InvalidSignature',
    "No signature is right. Is the secret this endpoint's, and is the body passed as it came, byte for byte?",
  );
}
