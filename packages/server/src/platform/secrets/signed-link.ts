import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Returns the token of a link. It is derived from the service's secret, so that it is never stored, and every attempt to send an
 * email writes the same link.
 * @param purpose keeps a token of one kind of link from being used as another
 */
export function signLink(secret: Buffer, purpose: string, parts: readonly string[]): string {
  const text = Buffer.from(JSON.stringify(parts)).toString('base64url');
  return `${text}.${signatureOf(secret, purpose, text)}`;
}

/** Returns the parts of a token; null for one that the service didn't create for this purpose. */
export function readSignedLink(secret: Buffer, purpose: string, token: string): string[] | null {
  const [text = '', signature = ''] = token.split('.');
  const expected = Buffer.from(signatureOf(secret, purpose, text));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as string[];
}

const signatureOf = (secret: Buffer, purpose: string, text: string): string =>
  createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('base64url');
