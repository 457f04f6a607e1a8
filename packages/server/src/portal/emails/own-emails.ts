import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';

/** Further address of a person. */
export interface FurtherEmail {
  email: string;
  addedAt: Date;
}

/** Maximum number of further addresses of a person. Each gets the emails about changed payout methods. */
export const maxFurtherEmails = 5;

/** Returns a person's further addresses, in the order in which they were added. */
export async function readFurtherEmails(db: Db | Tx, userId: string): Promise<FurtherEmail[]> {
  const rows = await db
    .selectFrom('portal_email')
    .select(['email', 'added_at'])
    .where('user_id', '=', userId)
    .orderBy('added_at')
    .orderBy('email')
    .limit(maxFurtherEmails)
    .execute();
  return rows.map(({ email, added_at }) => ({ email, addedAt: added_at }));
}

/** Returns the person with an address; null if there is none. */
export async function findUserByEmail(tx: Tx, email: string): Promise<string | null> {
  const further = await tx
    .selectFrom('portal_email')
    .select('user_id')
    .where('email', '=', email)
    .executeTakeFirst();
  if (further !== undefined) return further.user_id;
  const first = await tx
    .selectFrom('portal_user')
    .select('user_id')
    .where('email', '=', email)
    .executeTakeFirst();
  return first?.user_id ?? null;
}

/** Locks an address until the transaction ends, so that it doesn't become the address of two people at the same time. */
export async function lockEmail(tx: Tx, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('creator email ' || ${email}::text, 0))`.execute(
    tx,
  );
}
