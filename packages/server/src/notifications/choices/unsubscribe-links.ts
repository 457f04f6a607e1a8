import { Refusal } from '../../platform/refusal.ts';
import { readSignedLink, signLink } from '../../platform/secrets/signed-link.ts';
import { type NotificationKind, notificationKinds } from '../subjects.ts';

/** Target of a link: a publisher's notifications of one kind to one person. */
export interface Subscription {
  publisherId: string;
  userId: string;
  kind: NotificationKind;
}

const purpose = 'unsubscribe';

/**
 * Returns the token of a link that turns off notifications without signing in. It never expires, because emails may be
 * read years later, and it can't be used for anything else.
 */
export const unsubscribeToken = (secret: Buffer, { publisherId, userId, kind }: Subscription): string =>
  signLink(secret, purpose, [publisherId, userId, kind]);

/** @throws Refusal NotFound for a token that the service didn't create */
export function readUnsubscribeToken(secret: Buffer, token: string): Subscription {
  const [publisherId, userId, name] = readSignedLink(secret, purpose, token) ?? [];
  const kind = notificationKinds.find((each) => each === name);
  if (publisherId === undefined || userId === undefined || kind === undefined) throw noSuchLink();
  return { publisherId, userId, kind };
}

const noSuchLink = (): Refusal =>
  new Refusal(
    'NotFound',
    'This link is incomplete or was changed. Open the link in the email again, or sign in and choose Notifications in your menu.',
  );
