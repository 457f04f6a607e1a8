import { sql } from 'kysely';
import { readOwnHistory } from '../../members/read/list-own-memberships.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { isRowId, toAttributionId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type Explanation, explainRow } from '../../settlement/explain-shares.ts';
import { readOpenHolds } from '../../settlement/holds/list-holds.ts';
import { type RowAdjustment, readAdjustmentsOfRow } from '../../settlement/read-adjustments-of-row.ts';
import { type PurchaseRefund, readRefundsOfRow } from '../../settlement/refunds/read-refunds.ts';
import { readSourceNames, type SourceNames } from '../../settlement/source-names.ts';
import { type Earning, readEarnings } from './read-earnings.ts';

export interface ExplainedEarning {
  earning: Earning;
  /** True if the purchase credits other rows, too. They may belong to other creators. */
  isSplit: boolean;
  explanation: Explanation;
  names: SourceNames;
  refunds: PurchaseRefund[];
  adjustments: RowAdjustment[];
  /** Open hold on the row; null if there is none. */
  hold: { endsAt: Date | null } | null;
  /** End of the group's hold period for the purchase. */
  heldUntil: Date;
}

/**
 * Explains one of a creator's earnings with the rules that were in force when it was recorded.
 * @throws Refusal NotFound for an id that isn't one of the creator's earnings
 */
export async function explainEarning(
  db: Db,
  { publisherId, accountIds }: { publisherId: string; accountIds: readonly AccountId[] },
  earningId: string,
): Promise<ExplainedEarning> {
  const own = await readOwnHistory(db, publisherId, accountIds);
  const id = isRowId(earningId) && own.size > 0 ? toAttributionId(earningId.toLowerCase()) : null;
  const [earning] =
    id === null ? [] : await readEarnings(db, publisherId, own, sql`select ${id}::uuid as attribution_id`);
  const explanation = earning && (await explainRow(db, publisherId, earning.earningId));
  if (earning === undefined || !explanation)
    throw new Refusal('NotFound', 'None of your earnings at this publisher has this id.');
  const [{ isSplit, heldUntil }, names, refunds, adjustments, [hold]] = await Promise.all([
    readPurchase(db, publisherId, earning),
    readSourceNames(db, publisherId, [explanation]),
    readRefundsOfRow(db, publisherId, earning.earningId),
    readAdjustmentsOfRow(db, publisherId, earning.earningId),
    readOpenHolds(db, publisherId, [earning.earningId]),
  ]);
  return {
    earning,
    isSplit,
    explanation,
    names,
    refunds,
    adjustments,
    hold: hold === undefined ? null : { endsAt: hold.endsAt },
    heldUntil,
  };
}

async function readPurchase(
  db: Db,
  publisherId: string,
  { earningId }: Earning,
): Promise<Pick<ExplainedEarning, 'isSplit' | 'heldUntil'>> {
  const { rows } = await sql<{ is_split: boolean; held_until: Date }>`
    select exists (
             select 1
             from attribution other
             where other.publisher_id = ${publisherId} and other.transaction_id = a.transaction_id
               and other.split_index = case when a.split_index = 0 then 1 else 0 end
           ) as is_split,
           a.transaction_date + g.hold_days * interval '24 hours' as held_until
    from attribution a
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = a.group_id
    where a.publisher_id = ${publisherId} and a.attribution_id = ${earningId}::uuid`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the purchase has no row');
  return { isSplit: row.is_split, heldUntil: row.held_until };
}
