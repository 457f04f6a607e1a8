import type { TransactionListing } from '../../attributions/list/listing.ts';
import type { TransactionStatus } from '../../attributions/transaction-schema.ts';
import { readOwnHistory } from '../../members/read/list-own-memberships.ts';
import { foldCode } from '../../members/read/resolve-codes.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import type { Page, Pages } from '../../platform/page.ts';
import { earningKeys } from './earning-keys.ts';
import { type Earning, readEarnings } from './read-earnings.ts';

/** Statuses of a creator's earnings. Test purchases earn nothing and are not listed. */
export const earningStatuses = [
  'Normal',
  'Refund',
  'Fraud',
  'Chargeback',
] as const satisfies TransactionStatus[];

export interface EarningList {
  publisherId: string;
  accountIds: readonly AccountId[];
  /** Month of the purchases in UTC, such as `2026-06`; null for all. */
  month: string | null;
  code: string | null;
  status: (typeof earningStatuses)[number] | null;
  currency: string | null;
  cursor: string | null;
  size: number;
}

/**
 * Lists one page of a creator's earnings at a publisher by the time of the purchase, newest first. It contains those of
 * memberships that were merged into the creator's own.
 * @throws Refusal InvalidCursor
 */
export async function listEarnings(
  db: Db,
  pages: Pages,
  { publisherId, accountIds, month, code, status, currency, cursor, size }: EarningList,
): Promise<Page<Earning>> {
  const folded = code === null ? null : foldCode(code);
  const named = ['earnings', publisherId, [...accountIds].sort(), month, folded, status, currency];
  const after = pages.after(named, cursor);
  const own = await readOwnHistory(db, publisherId, accountIds);
  if (own.size === 0) return { rows: [], nextCursor: null };
  const listing: TransactionListing = {
    publisherId,
    groupIds: null,
    ...spanOfMonth(month),
    origins: [],
    statuses: status === null ? earningStatuses : [status],
    currency,
    member: null,
    exactCode: false,
    transactionIds: [],
    hasRefund: null,
    direction: 'desc',
    pageSize: size,
  };
  const keys = earningKeys({ listing, memberships: [...own.keys()], folded }, after);
  const rows = await readEarnings(db, publisherId, own, keys);
  return pages.cut(named, rows, size, ({ transactionDate, earningId }) => [
    String(transactionDate.getTime()),
    earningId,
  ]);
}

function spanOfMonth(month: string | null): Pick<TransactionListing, 'startDate' | 'endDate'> {
  if (month === null) return { startDate: null, endDate: null };
  const startDate = new Date(`${month}-01T00:00:00Z`);
  const next = new Date(startDate);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return { startDate, endDate: new Date(next.getTime() - 1) };
}
