import { sql } from 'kysely';
import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import type { AccountId, PayeeMethodId } from '../platform/database/tables.generated.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import { methodPlace } from './destination.ts';

const rowsAtOnce = 200;

interface Counts {
  sealed: number;
  lost: number;
}

/**
 * Reseals payout methods with the sealer's first key if they were sealed with another. Works through the publishers in
 * batches, each with its own commit and audit entry, so a later run picks up where an interrupted run left off.
 * @returns the number of methods resealed, and the number that can't be opened with any key
 */
export async function resealMethods(db: Db, sealer: Sealer, actor: Actor): Promise<Counts> {
  const counts = { sealed: 0, lost: 0 };
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct publisher_id
    from payee_method
    where sealed not like ${`${sealer.currentPrefix}%`}
    order by publisher_id`.execute(db);
  for (const { publisher_id: publisherId } of rows) {
    let after: string | null = '00000000-0000-0000-0000-000000000000';
    while (after !== null) {
      const from: string = after;
      const set = await inTransaction(db, (tx) => resealSet(tx, sealer, actor, { publisherId, after: from }));
      // Count the methods after the commit, so that a retried transaction counts only once.
      counts.sealed += set.sealed;
      counts.lost += set.lost;
      after = set.last;
    }
  }
  return counts;
}

/** Reseals one batch of a publisher's methods. Returns the last one, to continue after; null when none are left. */
async function resealSet(
  tx: Tx,
  sealer: Sealer,
  actor: Actor,
  { publisherId, after }: { publisherId: string; after: string },
): Promise<Counts & { last: string | null }> {
  const { rows } = await sql<{ method_id: PayeeMethodId; account_id: AccountId; sealed: string }>`
    select method_id, account_id, sealed
    from payee_method
    where publisher_id = ${publisherId} and method_id > ${after}::uuid and sealed not like ${`${sealer.currentPrefix}%`}
    order by method_id
    limit ${rowsAtOnce}
    for update`.execute(tx);
  const openable = rows.filter(({ sealed }) => sealer.stateOf(sealed) !== 'unknown-key');
  if (openable.length > 0) {
    const resealed = openable.map(({ account_id: accountId, sealed }) => {
      const place = methodPlace({ publisherId, accountId });
      return sealer.seal(sealer.openUncached(sealed, place), place);
    });
    await sql`
      update payee_method p
      set sealed = fresh.sealed
      from unnest(${openable.map(({ method_id }) => method_id)}::uuid[], ${resealed}::text[]) as fresh (method_id, sealed)
      where p.publisher_id = ${publisherId} and p.method_id = fresh.method_id`.execute(tx);
    await recordChange(tx, actor, {
      publisherId,
      action: 'payee-method.reseal',
      target: `publisher:${publisherId}`,
      after: { methods: openable.length },
    });
  }
  const last = rows.length < rowsAtOnce ? null : (rows.at(-1)?.method_id ?? null);
  return { sealed: openable.length, lost: rows.length - openable.length, last };
}
