import {
  saveDecisionAttempt,
  type ToldDecision,
  takeDecisions,
} from '../../members/applications/decision-mails.ts';
import type { Db } from '../../platform/database/database.ts';
import { fewAtOnce } from '../../platform/work/few-at-once.ts';
import { mailBrand } from '../../publishers/brand/mail-brand.ts';
import type { Portal } from '../create-portal.ts';
import { decisionMail } from '../portal-mails.ts';
import { readEmailOf } from '../portal-of-member.ts';

const sentAtOnce = 5;

/**
 * Sends some of a publisher's due emails about decided applications. An email whose process dies is sent again.
 * @returns the number of emails taken
 */
export async function sendDecisions(portal: Portal, db: Db, publisherId: string): Promise<number> {
  const { url, clock } = portal;
  if (url === null) return 0;
  const taken = await takeDecisions(db, publisherId, clock.now());
  const brand = await mailBrand(db, publisherId, portal.publicUrl);
  await fewAtOnce(taken, sentAtOnce, async (decision: ToldDecision) => {
    const to = await readEmailOf(db, decision.accountId);
    // An account that was disconnected meanwhile has no address. No one waits for the email then.
    const isDone =
      to === null ||
      (await portal.sendMail({
        ...decisionMail({ to, brand, portalUrl: url, publisherId, ...decision }),
        // An attempt whose response was lost is repeated with the same id, so that mail servers can drop the duplicate.
        messageId: `<${decision.applicationId}@${new URL(url).hostname}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      }));
    await saveDecisionAttempt(db, { ...decision, publisherId }, isDone, clock.now());
  });
  return taken.length;
}
