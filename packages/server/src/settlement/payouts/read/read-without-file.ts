import { type RawBuilder, sql } from 'kysely';
import { joinMember } from '../../../members/standing.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { PayoutBatchId } from '../../../platform/database/tables.generated.ts';
import type { PayoutBatch } from './read-payouts.ts';

/** Largest amount of a SEPA payment: 999,999,999.99 EUR. */
const maxSepaMinor = 99_999_999_999n;

/**
 * Builds the condition that no payment file contains the payout item `i`, because it has no payout method, or is too large for
 * a bank.
 */
export const isInNoFile = (publisherId: string): RawBuilder<boolean> => sql<boolean>`
  (i.method_id is null or i.amount_minor > ${String(maxSepaMinor)}::numeric and exists (
    select 1
    from payee_method large
    where large.publisher_id = ${publisherId} and large.method_id = i.method_id and large.kind = 'sepa'))`;

/** Lines of a payout that no payment file contains and that have no result. */
export interface WithoutFile {
  payout: PayoutBatch;
  lineCount: number;
  sumMinor: bigint;
  /** Names of the creators with the largest of these lines, at most `maxNames`. */
  names: string[];
}

/** Maximum number of names for each payout. */
const maxNames = 3;

/**
 * Adds up the lines of payouts that no payment file contains, so that they aren't marked as paid by mistake. Lines with a
 * result are left out, because a person has decided about them. Reads all lines of the payouts once.
 * @returns one entry for each payout with such lines, in the given order
 */
export async function readWithoutFile(
  db: Db,
  publisherId: string,
  payouts: readonly PayoutBatch[],
): Promise<WithoutFile[]> {
  const condition = sql`
    i.publisher_id = ${publisherId} and ${isInNoFile(publisherId)} and not exists (
      select 1
      from payout_result s
      where s.publisher_id = ${publisherId} and s.item_id = i.item_id)`;
  const batchIds = payouts.map(({ batchId }) => batchId);
  const { rows } = await sql<{ batch_id: PayoutBatchId; n: bigint; sum: string; names: string[] }>`
    select found.batch_id, found.n, found.sum, array(
      select a.name
      from (
        select i.publisher_id, i.membership_id, i.amount_minor
        from payout_item i
        where i.batch_id = found.batch_id and ${condition}
        order by -i.amount_minor, i.membership_id
        limit ${maxNames}
      ) i
      ${joinMember('i')}
      join creator_account a on a.account_id = m.account_id
      order by -i.amount_minor, i.membership_id
    ) as names
    from (
      select i.batch_id, count(*) as n, sum(i.amount_minor)::text as sum
      from payout_item i
      where i.batch_id = any(${batchIds}::uuid[]) and ${condition}
      group by i.batch_id
    ) found`.execute(db);
  const found = new Map(rows.map((row) => [row.batch_id, row]));
  return payouts.flatMap((payout) => {
    const row = found.get(payout.batchId);
    return row === undefined
      ? []
      : { payout, lineCount: Number(row.n), sumMinor: BigInt(row.sum), names: row.names };
  });
}
