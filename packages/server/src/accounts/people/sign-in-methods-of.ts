import type { Db } from '../../platform/database/database.ts';

export interface SignInMethods {
  password: boolean;
  passkeys: number;
  providers: string[];
  /** True if the person has an authenticator app. */
  codes: boolean;
}

export async function signInMethodsOf(db: Db, userId: string): Promise<SignInMethods> {
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
