import { randomBytes } from 'node:crypto';
import type { Db } from './database.ts';

/** A secret that all processes of an installation share; made by whichever asks first. */
export async function serviceSecret(db: Db, name: string): Promise<Buffer> {
  await db
    .insertInto('service_secret')
    .values({ name, value: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { value } = await db
    .selectFrom('service_secret')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return value;
}
