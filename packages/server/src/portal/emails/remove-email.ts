import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { checkConfirmation, createConfirmation, useUpConfirmation } from '../confirmations.ts';
import { endOtherSessions } from '../sessions.ts';
import type { EmailOwner } from './add-email.ts';
import { readFurtherEmails } from './own-emails.ts';

/**
 * Creates the code that confirms the removal of a further address.
 * @throws Refusal Conflict for the person's first address; NotFound for another person's
 */
export async function requestEmailRemoval(db: Db, owner: EmailOwner, email: string): Promise<string> {
  if (email === owner.ownEmail)
    throw new Refusal('Conflict', 'The address that your codes are sent to can’t be removed.');
  const further = await readFurtherEmails(db, owner.userId);
  if (!further.some((each) => each.email === email)) throw notYours();
  return createConfirmation(db, { ...owner, change: { removedEmail: email } });
}

/**
 * Removes a further address, deletes its sign-in codes, ends the person's other sessions, which someone with that mailbox may
 * have started, and uses up the code, in one commit.
 * @throws Refusal InvalidInput for the code; NotFound if it is not one of the person's further addresses
 */
export async function removeEmail(
  db: Db,
  owner: EmailOwner,
  { email, code }: { email: string; code: string },
): Promise<void> {
  const checked = await checkConfirmation(db, { ...owner, code, change: { removedEmail: email } });
  await inTransaction(db, async (tx) => {
    await useUpConfirmation(tx, checked, owner.now);
    const { numDeletedRows } = await tx
      .deleteFrom('portal_email')
      .where('user_id', '=', owner.userId)
      .where('email', '=', email)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw notYours();
    await tx.deleteFrom('portal_code').where('email', '=', email).execute();
    await endOtherSessions(tx, owner);
  });
}

const notYours = (): Refusal =>
  new Refusal('NotFound', 'This is not one of your further addresses. Reload the page to see them.');
