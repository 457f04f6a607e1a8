import { sql } from 'kysely';
import type { CountedCommit } from '../../platform/database/in-transaction.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';

/**
 * Blanks the explanation of payouts that failed because the amounts of some creators had changed, if it names one of the
 * accounts. @returns the number of payouts
 */
export const erasePayoutChanges = (
  commit: CountedCommit,
  publisherId: string,
  accountIds: readonly AccountId[],
): Promise<number> =>
  commit(async (tx) => {
    const { numAffectedRows } = await sql`
      update pay_run_line
      set payout_change = null, failure_message = '(erased)'
      where publisher_id = ${publisherId} and payout_change is not null
        and exists (
          select 1 from unnest(${accountIds.map((id) => JSON.stringify(id))}::text[]) as sought (id)
          where strpos(payout_change::text, id) > 0)`.execute(tx);
    return Number(numAffectedRows ?? 0);
  });
