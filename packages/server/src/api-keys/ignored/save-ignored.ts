import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import type { KeyId } from '../../platform/database/tables.generated.ts';

export interface IgnoredName {
  keyId: KeyId;
  operation: string;
  name: string;
  times: number;
}

const maxStored = 50;

/**
 * Adds counts to the stored counts of a publisher's keys. If a key then has too many names, deletes the oldest ones.
 */
export const saveIgnored = (
  db: Db,
  publisherId: string,
  names: readonly IgnoredName[],
  now: Date,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    if (names.length === 0) return;
    // Use a fixed order, so that processes saving the same names can't deadlock.
    const sorted = [...names].sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
    await tx
      .insertInto('ignored_input')
      .values(
        sorted.map(({ keyId, operation, name, times }) => ({
          publisher_id: publisherId,
          key_id: keyId,
          operation,
          name,
          times: BigInt(times),
          last_at: now,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['publisher_id', 'key_id', 'operation', 'name']).doUpdateSet({
          times: sql`ignored_input.times + excluded.times`,
          last_at: sql`greatest(ignored_input.last_at, excluded.last_at)`,
        }),
      )
      .execute();
    for (const keyId of new Set(sorted.map((each) => each.keyId)))
      await sql`
        delete from ignored_input
        where publisher_id = ${publisherId} and key_id = ${keyId}
          and (operation, name) in (
            select operation, name
            from ignored_input
            where publisher_id = ${publisherId} and key_id = ${keyId}
            order by last_at desc, operation, name
            offset ${maxStored}
          )`.execute(tx);
  });

const sortKey = ({ keyId, operation, name }: IgnoredName): string => `${keyId} ${operation} ${name}`;
