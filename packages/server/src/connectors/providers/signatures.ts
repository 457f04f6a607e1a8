import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type SignatureProblem, toleranceMs } from '../provider.ts';

export const hmacSha256 = (secret: string, ...parts: (string | Buffer)[]): Buffer => {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
};

/** Returns the SHA-1 of the body followed by the secret. */
export const sha1Suffix = (secret: string, body: Buffer): Buffer =>
  createHash('sha1').update(body).update(secret).digest();

/**
 * Compares each sent signature with each expected one, without revealing by the time that it takes how much of them matches.
 * @param sent as text
 * @param encoding of the sent signatures
 */
export function matchesAny(
  sent: readonly string[],
  expected: readonly Buffer[],
  encoding: 'hex' | 'base64',
): boolean {
  let found = false;
  for (const text of sent) {
    const bytes = Buffer.from(text, encoding);
    for (const digest of expected)
      if (bytes.length === digest.length && timingSafeEqual(bytes, digest)) found = true;
  }
  return found;
}

/** @param seconds as sent */
export function problemOfTime(seconds: string, now: Date): SignatureProblem | null {
  if (!/^\d{9,11}$/.test(seconds)) return 'NoSignature';
  const ageMs = now.getTime() - Number(seconds) * 1_000;
  if (ageMs > toleranceMs) return 'TooOld';
  return ageMs < -toleranceMs ? 'FromTheFuture' : null;
}

/** Maximum number of signatures in a header. A provider sends two while a secret changes. */
const maxSignatures = 10;

/** Reads a header such as `t=1,v1=a,v1=b`. */
export function readPairs(header: string, separator: ',' | ';'): { name: string; value: string }[] {
  return header
    .split(separator)
    .slice(0, maxSignatures)
    .map((pair) => {
      const end = pair.indexOf('=');
      return { name: pair.slice(0, end).trim(), value: pair.slice(end + 1).trim() };
    });
}

/**
 * Verifies a header that contains a time and one or more hex signatures of the time and the body.
 * @param names of the time and of the signatures in the header
 */
export function verifyTimed(
  header: string | undefined,
  { body, secrets, now }: { body: Buffer; secrets: readonly string[]; now: Date },
  { time, signature, separator, joint }: TimedForm,
): SignatureProblem | null {
  if (secrets.length === 0) return 'NoSecret';
  if (header === undefined) return 'NoSignature';
  const pairs = readPairs(header, separator);
  const seconds = pairs.find(({ name }) => name === time)?.value ?? '';
  const signatures = pairs.filter(({ name }) => name === signature).map(({ value }) => value);
  if (signatures.length === 0) return 'NoSignature';
  const late = problemOfTime(seconds, now);
  if (late !== null) return late;
  const expected = secrets.map((secret) => hmacSha256(secret, `${seconds}${joint}`, body));
  return matchesAny(signatures, expected, 'hex') ? null : 'WrongSignature';
}

export interface TimedForm {
  time: string;
  signature: string;
  separator: ',' | ';';
  /** Text between the time and the body. */
  joint: string;
}

export const secondsOf = (now: Date): string => String(Math.floor(now.getTime() / 1_000));
