import { Refusal } from '../../platform/refusal.ts';
import { readSignedLink, signLink } from '../../platform/secrets/signed-link.ts';

/** Notice that a link belongs to. */
export interface NoticeKey {
  publisherId: string;
  noticeId: string;
}

const purpose = 'take back';

/** Returns the token of a link that takes a change back. */
export const takeBackToken = (secret: Buffer, { publisherId, noticeId }: NoticeKey): string =>
  signLink(secret, purpose, [publisherId, noticeId]);

/** @throws Refusal NotFound for a token that the service didn't create */
export function readTakeBackToken(secret: Buffer, token: string): NoticeKey {
  const [publisherId, noticeId] = readSignedLink(secret, purpose, token) ?? [];
  if (publisherId === undefined || noticeId === undefined) throw noSuchLink();
  return { publisherId, noticeId };
}

export const noSuchLink = (): Refusal =>
  new Refusal(
    'NotFound',
    'This link is incomplete, or the change can no longer be undone. Open the complete link in the email, or ask the publisher for help.',
  );
