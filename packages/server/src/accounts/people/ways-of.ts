import type { Db } from '../../platform/database/database.ts';

/** How a person may sign in. */
export interface WaysOfPerson {
  password: boolean;
  passkeys: number;
  providers: string[];
  /** An application makes codes for them. */
  codes: boolean;
}

export async function waysOf(db: Db, userId: string): Promise<WaysOfPerson> {
  const accounts = await db
    .selectFrom('staff_account')
    .select('provider_id')
    .where('user_id', '=', userId)
    .execute();
  const passkeys = await db.selectFrom('staff_passkey').select('id').where('user_id', '=', userId).execute();
  const { two_factor_enabled } = await db
    .selectFrom('staff_user')
    .select('two_factor_enabled')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const ids = accounts.map(({ provider_id }) => provider_id);
  return {
    password: ids.includes('credential'),
    passkeys: passkeys.length,
    providers: ids.filter((id) => id !== 'credential'),
    codes: two_factor_enabled,
  };
}
