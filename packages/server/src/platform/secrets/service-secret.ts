import { randomBytes } from 'node:crypto';
import type { Db } from '../database/database.ts';
import type { Sealer } from './sealer.ts';

const secretBytes = 32;

/**
 * Returns a secret shared by all processes of an installation. The first process that needs it creates and seals it.
 */
export async function serviceSecret(db: Db, name: string, sealer: Sealer): Promise<Buffer> {
  const stored = db.selectFrom('service_secret').select('value').where('name', '=', name);
  // Read before inserting, so that a process can start while the database is read-only.
  const found = await stored.executeTakeFirst();
  if (found !== undefined) return openValue(found.value, name, sealer);
  await db
    .insertInto('service_secret')
    .values({ name, value: sealValue(randomBytes(secretBytes), name, sealer) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return openValue((await stored.executeTakeFirstOrThrow()).value, name, sealer);
}

/** Returns a function that reads a service secret once. If a read fails, the next call reads again. */
export function serviceSecretReader(db: Db, name: string, sealer: Sealer): () => Promise<Buffer> {
  let secret: Promise<Buffer> | null = null;
  return () => {
    secret ??= serviceSecret(db, name, sealer).catch((error: unknown) => {
      secret = null;
      throw error;
    });
    return secret;
  };
}

/**
 * Reseals every secret that isn't sealed with the sealer's first key.
 * @returns the number of secrets that were sealed, and the number that none of the keys can open
 */
export async function resealServiceSecrets(
  db: Db,
  sealer: Sealer,
): Promise<{ sealed: number; lost: number }> {
  let [sealed, lost] = [0, 0];
  for (const { name, value } of await db.selectFrom('service_secret').select(['name', 'value']).execute()) {
    const state = stateOfValue(value, sealer);
    if (state === 'unknown-key') lost += 1;
    if (state === 'unknown-key' || state === 'current') continue;
    const { numUpdatedRows } = await db
      .updateTable('service_secret')
      .set({ value: sealValue(openValue(value, name, sealer), name, sealer) })
      .where('name', '=', name)
      .where('value', '=', value) // another process may have sealed it first
      .executeTakeFirst();
    sealed += Number(numUpdatedRows);
  }
  return { sealed, lost };
}

export const stateOfValue = (value: Buffer, sealer: Sealer): ReturnType<Sealer['stateOf']> =>
  sealer.stateOf(value.toString('latin1'));

const sealValue = (secret: Buffer, name: string, sealer: Sealer): Buffer =>
  Buffer.from(sealer.seal(secret.toString('base64'), placeOf(name)));

/** Version 0.1.0 stored secrets as plain bytes. */
const openValue = (value: Buffer, name: string, sealer: Sealer): Buffer =>
  stateOfValue(value, sealer) === 'plain'
    ? value
    : Buffer.from(sealer.open(value.toString('latin1'), placeOf(name)), 'base64');

const placeOf = (name: string): readonly string[] => ['service_secret', name];
