import { saveAttempt, type TakenNotice, takeNotices } from '../../notices/take-notices.ts';
import type { Db } from '../../platform/database/database.ts';
import type { MailBrand } from '../../platform/mail/mail-content.ts';
import { automaticHeaders } from '../../platform/mail/unsubscribe-headers.ts';
import { fewAtOnce } from '../../platform/work/few-at-once.ts';
import { mailBrand } from '../../publishers/brand/mail-brand.ts';
import type { Portal } from '../create-portal.ts';
import { writeNotice } from './write-notice.ts';

const sentAtOnce = 5;

/**
 * Sends some of a publisher's due emails to creators. An email whose process dies is sent again.
 * @returns the number of emails taken
 */
export async function sendNotices(portal: Portal, db: Db, publisherId: string): Promise<number> {
  const { url, clock } = portal;
  if (url === null) return 0;
  const taken = await takeNotices(db, publisherId, clock.now());
  const brand = await mailBrand(db, publisherId, portal.publicUrl);
  const failures: unknown[] = [];
  await fewAtOnce(taken, sentAtOnce, async (notice) => {
    const result = await send(portal, db, { notice, brand, url }).catch((error: unknown) => {
      failures.push(error); // a failure must not stop the other emails
      return 'NotSent' as const;
    });
    await saveAttempt(db, notice, result, clock.now());
  });
  if (failures.length > 0) throw failures[0];
  return taken.length;
}

async function send(
  portal: Portal,
  db: Db,
  { notice, brand, url }: { notice: TakenNotice; brand: MailBrand; url: string },
): Promise<'Sent' | 'NotSent' | 'Nothing'> {
  const mail = await writeNotice(portal, db, { notice, brand, portalUrl: url });
  if (mail === null) return 'Nothing';
  const isSent = await portal.sendMail({
    headers: automaticHeaders,
    ...mail,
    // An attempt whose response was lost is repeated with the same id, so that mail servers can drop the duplicate.
    messageId: `<${notice.noticeId}@${new URL(url).hostname}>`,
  });
  return isSent ? 'Sent' : 'NotSent';
}
