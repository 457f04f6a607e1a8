import { sql } from 'kysely';
import type { Actor } from '../audit/actor.ts';
import { storedActorId, storedActorName } from '../audit/record-change.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { readMoment } from '../platform/database/moment.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';

/** Hint of an erased payout method. */
const erasedHint = '(erased)';

/**
 * Ends a creator's payout methods at a publisher, and deletes the names and accounts in them. The rows stay, because lines of
 * payouts refer to them. The caller has locked the creator's memberships. @returns the number of methods
 */
export async function eraseMethods(
  tx: Tx,
  actor: Actor,
  publisherId: string,
  accountIds: readonly AccountId[],
): Promise<number> {
  const now = await readMoment(tx);
  const { numAffectedRows } = await sql`
    update payee_method
    set sealed = null,
        hint = ${erasedHint},
        fingerprint = ${Buffer.alloc(32)},
        ended_at = coalesce(ended_at, ${now}::timestamptz),
        ended_reason = coalesce(ended_reason, ${erasedHint}),
        ended_by_kind = coalesce(ended_by_kind, ${actor.kind}),
        ended_by_id = coalesce(ended_by_id, ${storedActorId(actor.id)}),
        ended_by_name = coalesce(ended_by_name, ${storedActorName(actor.name)})
    where publisher_id = ${publisherId} and account_id = any(${[...accountIds]}::text[])
      and (sealed is not null or hint <> ${erasedHint})`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
