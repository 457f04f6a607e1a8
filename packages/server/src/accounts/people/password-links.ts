import { type Actor, actorOf, type RequestSource } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { dropUnverifiedSignIns } from './drop-unverified-sign-ins.ts';
import { emailAddress } from './email-address.ts';
import { hashLinkToken, newLinkToken } from './links.ts';
import { listPublishersOf } from './list-publishers-of.ts';
import { type PasswordHash, setPassword } from './set-password.ts';

export const passwordLinkHours = 1;

export interface PasswordLink {
  email: string;
  token: string;
  expiresAt: Date;
}

/**
 * Creates a link for a staff member to choose a new password. It replaces earlier links.
 * @param actor null for an unauthenticated client that reports a forgotten password; the audit log does not
 * record a link created this way
 * @throws Refusal NotFound if no staff member of any publisher has the address
 */
export const createPasswordLink = (
  db: Db,
  actor: Actor | null,
  address: string,
  now: Date,
): Promise<PasswordLink> =>
  inTransaction(db, async (tx) => {
    const email = emailAddress(address);
    const user = await tx.selectFrom('staff_user').select('id').where('email', '=', email).executeTakeFirst();
    const publishers = user === undefined ? [] : await listPublishersOf(tx, user.id);
    if (user === undefined || publishers.length === 0)
      throw new Refusal('NotFound', `No staff member of any publisher has the address ${email}.`);
    await tx.deleteFrom('staff_password_link').where('user_id', '=', user.id).execute();
    const token = newLinkToken();
    const expiresAt = new Date(now.getTime() + passwordLinkHours * 3_600_000);
    await tx
      .insertInto('staff_password_link')
      .values({
        link_hash: hashLinkToken(token),
        user_id: user.id,
        created_at: now,
        expires_at: expiresAt,
      })
      .execute();
    if (actor !== null)
      for (const { publisherId } of publishers)
        await recordChange(tx, actor, {
          publisherId,
          action: 'staff.reset-password',
          target: `staff:${user.id}`,
        });
    return { email, token, expiresAt };
  });

/**
 * Checks a link without using it up. Runs before a password is hashed, because hashing is expensive.
 * @throws Refusal NotFound as in usePasswordLink
 */
export async function findPasswordLink(db: Db, token: string, now: Date): Promise<void> {
  const link = await db
    .selectFrom('staff_password_link')
    .select('user_id')
    .where('link_hash', '=', hashLinkToken(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (link === undefined) throw noLink();
}

const noLink = (): Refusal =>
  new Refusal('NotFound', 'This link was already used or has expired. Request a new one.');

/**
 * Uses up a link to set a new password, and ends all of the person's sessions.
 * @returns the person's email address
 * @throws Refusal NotFound for an unknown, used or expired link
 */
export const usePasswordLink = (
  db: Db,
  {
    token,
    password,
    now,
    source,
  }: { token: string; password: PasswordHash; now: Date; source: RequestSource },
): Promise<string> =>
  inTransaction(db, async (tx) => {
    const link = await tx
      .updateTable('staff_password_link')
      .set({ used_at: now })
      .where('link_hash', '=', hashLinkToken(token))
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('user_id')
      .executeTakeFirst();
    if (link === undefined) throw noLink();
    const { email, name } = await tx
      .selectFrom('staff_user')
      .select(['email', 'name'])
      .where('id', '=', link.user_id)
      .executeTakeFirstOrThrow();
    await dropUnverifiedSignIns(tx, link.user_id, source);
    await setPassword(tx, link.user_id, password, now);
    await tx.deleteFrom('staff_session').where('user_id', '=', link.user_id).execute();
    for (const { publisherId } of await listPublishersOf(tx, link.user_id))
      await recordChange(tx, actorOf({ kind: 'staff', staffId: link.user_id, name, publisherId }, source), {
        publisherId,
        action: 'staff.change-password',
        target: `staff:${link.user_id}`,
      });
    return email;
  });
