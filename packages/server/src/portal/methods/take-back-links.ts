import { createHmac, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../platform/refusal.ts';

/** Notice that a link belongs to. */
export interface NoticeKey {
  publisherId: string;
  noticeId: string;
}

/**
 * Returns the token of a link that takes a change back. It is derived from the service's secret, so that it is never stored, and
 * every attempt to send the email writes the same link.
 */
export function takeBackToken(secret: Buffer, { publisherId, noticeId }: NoticeKey): string {
  const text = Buffer.from(JSON.stringify([publisherId, noticeId])).toString('base64url');
  return `${text}.${signatureOf(secret, text)}`;
}

/** @throws Refusal NotFound for a token that the service didn't create */
export function readTakeBackToken(secret: Buffer, token: string): NoticeKey {
  const [text = '', signature = ''] = token.split('.');
  const [expected, given] = [Buffer.from(signatureOf(secret, text)), Buffer.from(signature)];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw noSuchLink();
  const [publisherId = '', noticeId = ''] = JSON.parse(
    Buffer.from(text, 'base64url').toString('utf8'),
  ) as string[];
  return { publisherId, noticeId };
}

const signatureOf = (secret: Buffer, text: string): string =>
  createHmac('sha256', secret).update(`take back\n${text}`).digest('base64url');

export const noSuchLink = (): Refusal =>
  new Refusal(
    'NotFound',
    'This link is incomplete, or the change can no longer be taken back. Open the complete link in the email, or ask the publisher for help.',
  );
