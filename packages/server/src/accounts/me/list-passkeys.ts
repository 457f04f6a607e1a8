import type { Db } from '../../platform/database/database.ts';

export interface ListedPasskey {
  passkeyId: string;
  name: string | null;
  createdAt: Date;
}

/** Returns a person's passkeys in order of registration. */
export const listPasskeys = (db: Db, userId: string): Promise<ListedPasskey[]> =>
  db
    .selectFrom('staff_passkey')
    .select(['id as passkeyId', 'name', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
