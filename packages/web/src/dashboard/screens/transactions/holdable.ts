import type { TransactionDetail } from '../../../client/types.gen.ts';

/** Returns the rows that a hold can keep out of payouts. */
export const holdable = (detail: TransactionDetail): TransactionDetail['rows'] =>
  detail.rows.filter(
    ({ row, state, payment, hold }) =>
      row.status === 'Normal' && state !== 'test' && !row.isPaid && !payment?.payout && hold === null,
  );
