import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/database/tables.generated.ts';
import type { Preview, PreviewRow } from './read-preview.ts';

/** Returns whether a row's creator would be in a payout without a method that it can be paid with. */
export type LacksMethod = (row: Pick<PreviewRow, 'memberId' | 'currency' | 'state'>) => boolean;

/**
 * Finds the creators who are due a payment but have no payout method for it at the preview's cutoff. Reads only the
 * current methods of these creators, with one statement. If payouts need a method, these creators aren't due.
 */
export async function readWithoutMethod(
  db: Db,
  publisherId: string,
  { asOf, needs, rows }: Pick<Preview, 'asOf' | 'needs' | 'rows'>,
): Promise<LacksMethod> {
  const due = new Set(rows.filter(({ state }) => state === 'due').map(({ memberId }) => memberId));
  if (needs.method || due.size === 0) return () => false;
  const { rows: methods } = await sql<{
    account_id: AccountId;
    has_bank: boolean;
    is_bank_usable: boolean | null;
    is_other_usable: boolean | null;
  }>`
    select p.account_id,
           bool_or(p.kind = 'sepa') as has_bank,
           bool_or(p.usable_from <= ${asOf}) filter (where p.kind = 'sepa') as is_bank_usable,
           bool_or(p.usable_from <= ${asOf}) filter (where p.kind <> 'sepa') as is_other_usable
    from payee_method p
    where p.publisher_id = ${publisherId} and p.account_id = any(${[...due]}::text[])
      and p.approved_at is not null and p.ended_at is null
    group by p.account_id`.execute(db);
  const byAccount = new Map(methods.map((each) => [each.account_id, each]));
  return ({ memberId, currency, state }) => {
    if (state !== 'due') return false;
    const method = byAccount.get(memberId);
    // As for a payout's line (method-of-line.ts): a bank account comes first, but only for euros.
    const isUsable =
      currency === 'EUR' && method?.has_bank === true ? method.is_bank_usable : method?.is_other_usable;
    return isUsable !== true;
  };
}
