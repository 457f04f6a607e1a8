import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { checkConfirmation, createConfirmation, useUpConfirmation } from '../confirmations.ts';
import { findUserByEmail, lockEmail, maxFurtherEmails, readFurtherEmails } from './own-emails.ts';

/** Person who changes their addresses. */
export interface EmailOwner {
  userId: string;
  sessionId: string;
  /** First address, which codes are sent to. */
  ownEmail: string;
  /** Secret that hashes codes. */
  secret: Buffer;
  now: Date;
}

/**
 * Creates the two codes that confirm a further address: one for the person's own address, and one for the new address. Doesn't
 * tell whether another person has the address.
 * @throws Refusal Conflict if the person has the address already, or has too many
 */
export async function requestEmail(
  db: Db,
  owner: EmailOwner,
  email: string,
): Promise<{ code: string; newCode: string }> {
  const further = await readFurtherEmails(db, owner.userId);
  if (email === owner.ownEmail || further.some((each) => each.email === email))
    throw new Refusal('Conflict', 'This is already one of your addresses.');
  if (further.length >= maxFurtherEmails) throw tooMany();
  return {
    code: await createConfirmation(db, { ...owner, change: { addedEmail: email, proves: 'own' } }),
    newCode: await createConfirmation(db, { ...owner, change: { addedEmail: email, proves: 'new' } }),
  };
}

/**
 * Adds a further address and uses up both codes, in one commit.
 * @throws Refusal InvalidInput for a code; Conflict if another person has the address, or the person has too many
 */
export async function addEmail(
  db: Db,
  owner: EmailOwner,
  { email, code, newCode }: { email: string; code: string; newCode: string },
): Promise<void> {
  const { userId, now } = owner;
  const own = await checkConfirmation(db, { ...owner, code, change: { addedEmail: email, proves: 'own' } });
  const proof = await checkConfirmation(db, {
    ...owner,
    code: newCode,
    field: 'newCode',
    change: { addedEmail: email, proves: 'new' },
  });
  await inTransaction(db, async (tx) => {
    // Locks the person, so that concurrent additions are counted one after another.
    await tx
      .selectFrom('portal_user')
      .select('user_id')
      .where('user_id', '=', userId)
      .forNoKeyUpdate()
      .execute();
    await lockEmail(tx, email);
    await useUpConfirmation(tx, own, now);
    await useUpConfirmation(tx, proof, now);
    if ((await findUserByEmail(tx, email)) !== null)
      throw new Refusal(
        'Conflict',
        'This address already belongs to a sign-in. Sign in with it, or use another address.',
      );
    if ((await readFurtherEmails(tx, userId)).length >= maxFurtherEmails) throw tooMany();
    await tx.insertInto('portal_email').values({ email, user_id: userId, added_at: now }).execute();
  });
}

const tooMany = (): Refusal =>
  new Refusal(
    'Conflict',
    `You already have ${maxFurtherEmails} further addresses, which is the maximum. Remove one first.`,
  );
