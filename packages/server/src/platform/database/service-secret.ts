import { randomBytes } from 'node:crypto';
import type { Db } from './database.ts';

/** A secret that all processes of an installation share; made by whichever asks first. */
export async function serviceSecret(db: Db, name: string): Promise<Buffer> {
  const made = db.selectFrom('service_secret').select('value').where('name', '=', name);
  // Looked for first: a process may start while the database can only be read.
  const found = await made.executeTakeFirst();
  if (found !== undefined) return found.value;
  await db
    .insertInto('service_secret')
    .values({ name, value: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await made.executeTakeFirstOrThrow()).value;
}
