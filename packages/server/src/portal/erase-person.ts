import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { removeLostAlerts } from './stream-alert/remove-lost-alerts.ts';

/** Returns the addresses that accounts were connected to or invited with. */
export async function readAddresses(
  tx: Pick<Tx, 'selectFrom'>,
  accountIds: readonly AccountId[],
): Promise<string[]> {
  const users = await tx
    .selectFrom('portal_user_account as c')
    .innerJoin('portal_user as u', 'u.user_id', 'c.user_id')
    .select('u.email')
    .where('c.account_id', 'in', [...accountIds])
    .execute();
  const further = await tx
    .selectFrom('portal_user_account as c')
    .innerJoin('portal_email as e', 'e.user_id', 'c.user_id')
    .select('e.email')
    .where('c.account_id', 'in', [...accountIds])
    .execute();
  const invitations = await tx
    .selectFrom('portal_invitation')
    .select('email')
    .where('account_id', 'in', [...accountIds])
    .execute();
  return [...new Set([...users, ...further, ...invitations].map(({ email }) => email))];
}

/**
 * Disconnects accounts from the portal, and withdraws their invitations. A person who has no other account loses the
 * sign-in, the sessions and the address too.
 * @returns the number of rows deleted
 */
export async function erasePerson(tx: Tx, accountIds: readonly AccountId[]): Promise<number> {
  const ids = [...accountIds];
  const invitations = await tx
    .deleteFrom('portal_invitation')
    .where('account_id', 'in', ids)
    .returning('email')
    .execute();
  const connected = await tx
    .deleteFrom('portal_user_account')
    .where('account_id', 'in', ids)
    .returning('user_id')
    .execute();
  const emails = [...new Set(invitations.map(({ email }) => email))];
  const { rows: invited } = await sql<{ user_id: string; email: string }>`
    select user_id, email from portal_user where email = any(${emails}::text[])
    union all
    select user_id, email from portal_email where email = any(${emails}::text[])`.execute(tx);
  let deleted = invitations.length + connected.length;
  for (const userId of new Set([...connected, ...invited].map(({ user_id }) => user_id)))
    deleted += (await removeLostAlerts(tx, userId)) + (await erasePersonWithoutAccounts(tx, userId));
  for (const email of emails) {
    if (invited.some((user) => user.email === email)) continue;
    const codes = await tx.deleteFrom('portal_code').where('email', '=', email).executeTakeFirst();
    deleted += Number(codes.numDeletedRows);
  }
  return deleted;
}

/** Deletes a person who has no accounts, with the sessions, the sign-in methods and the request of an erasure. @returns the number of rows deleted */
export async function erasePersonWithoutAccounts(tx: Tx, userId: string): Promise<number> {
  const user = await tx
    .selectFrom('portal_user')
    .select('email')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  const other = await tx
    .selectFrom('portal_user_account')
    .select('account_id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  if (user === undefined || other !== undefined) return 0;
  const further = await tx
    .deleteFrom('portal_email')
    .where('user_id', '=', userId)
    .returning('email')
    .execute();
  const emails = [user.email, ...further.map(({ email }) => email)];
  const codes = await tx.deleteFrom('portal_code').where('email', 'in', emails).executeTakeFirst();
  const sessions = await tx.deleteFrom('portal_session').where('user_id', '=', userId).executeTakeFirst();
  const accounts = await tx
    .deleteFrom('portal_provider_account')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const passkeys = await tx.deleteFrom('portal_passkey').where('user_id', '=', userId).executeTakeFirst();
  await tx.deleteFrom('portal_user').where('user_id', '=', userId).execute();
  const deleted = [codes, sessions, accounts, passkeys].map((each) => Number(each.numDeletedRows));
  return deleted.reduce((sum, each) => sum + each, further.length + 1);
}
