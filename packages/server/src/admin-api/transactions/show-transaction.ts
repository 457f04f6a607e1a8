import { getTransaction } from '../../attributions/get-transaction.ts';
import type { Db } from '../../platform/database/database.ts';
import { timeOfRowId } from '../../platform/ids.ts';
import { type Explanation, explainShares } from '../../settlement/explain-shares.ts';
import { type PurchaseRefund, readRefunds } from '../../settlement/refunds/read-refunds.ts';
import { readSourceNames, type SourceNames } from '../../settlement/source-names.ts';
import { type Credited, withCreators } from './credited.ts';
import { type RowMoney, readMoney } from './read-money.ts';

export interface ShownRow {
  credited: Credited;
  explanation: Explanation;
  money: RowMoney;
}

export interface ShownTransaction {
  transactionId: string;
  recordedAt: Date;
  rows: ShownRow[];
  names: SourceNames;
  /** Everything that was taken back, oldest first. */
  refunds: PurchaseRefund[];
}

/**
 * Reads a purchase with all of its rows and explains the share of each.
 * @throws Refusal NotFound for an unknown purchase
 */
export async function showTransaction(
  db: Db,
  publisherId: string,
  transactionId: string,
): Promise<ShownTransaction> {
  const rows = await getTransaction(db, publisherId, transactionId);
  const [credited, explanations, refunds, money] = await Promise.all([
    withCreators(db, publisherId, rows),
    explainShares(db, publisherId, transactionId),
    readRefunds(db, publisherId, transactionId),
    readMoney(
      db,
      publisherId,
      rows.map(({ attributionId }) => attributionId),
    ),
  ]);
  const explanationOf = new Map(explanations.map((each) => [each.attributionId, each]));
  const shown = credited.map((each) => {
    const { attributionId } = each.row;
    const explanation = explanationOf.get(attributionId);
    const moneyOfRow = money.get(attributionId);
    if (explanation === undefined || moneyOfRow === undefined)
      throw new Error(`row ${attributionId} has no explanation`);
    return { credited: each, explanation, money: moneyOfRow };
  });
  const [first] = rows;
  if (first === undefined) throw new Error('the purchase has no row');
  return {
    transactionId,
    recordedAt: timeOfRowId(first.attributionId),
    rows: shown,
    refunds,
    names: await readSourceNames(db, publisherId, explanations),
  };
}
