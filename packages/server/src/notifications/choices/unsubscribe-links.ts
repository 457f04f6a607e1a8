import { createHmac, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../platform/refusal.ts';
import { type NotificationKind, notificationKinds } from '../subjects.ts';

/** Target of a link: a publisher's notifications of one kind to one person. */
export interface Subscription {
  publisherId: string;
  userId: string;
  kind: NotificationKind;
}

/**
 * Returns the token of a link that turns off notifications without signing in. It never expires, because emails may be
 * read years later, and it can't be used for anything else.
 */
export function unsubscribeToken(secret: Buffer, { publisherId, userId, kind }: Subscription): string {
  const text = Buffer.from(JSON.stringify([publisherId, userId, kind])).toString('base64url');
  return `${text}.${signatureOf(secret, text)}`;
}

/** @throws Refusal NotFound for a token that the service didn't create */
export function readUnsubscribeToken(secret: Buffer, token: string): Subscription {
  const [text = '', signature = ''] = token.split('.');
  const expected = Buffer.from(signatureOf(secret, text));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw noSuchLink();
  const [publisherId, userId, name] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as string[];
  const kind = notificationKinds.find((each) => each === name);
  if (publisherId === undefined || userId === undefined || kind === undefined) throw noSuchLink();
  return { publisherId, userId, kind };
}

const signatureOf = (secret: Buffer, text: string): string =>
  createHmac('sha256', secret).update(`unsubscribe\n${text}`).digest('base64url');

const noSuchLink = (): Refusal =>
  new Refusal(
    'NotFound',
    'This link is incomplete or was changed. Open the link in the email again, or sign in and choose Notifications in your menu.',
  );
