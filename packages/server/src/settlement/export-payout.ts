import type { Writable } from 'node:stream';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { Db } from '../platform/database/database.ts';
import { formatMinorUnits } from '../platform/money.ts';
import { getPayout, type PayoutBatch, payoutItems } from './read-payouts.ts';

const columns = [
  'batch',
  'status',
  'memberId',
  'playerId',
  'name',
  'currency',
  'amount',
  'amountMinor',
  'rows',
];

/**
 * Writes a batch as CSV, one line a member, streamed. Text that a spreadsheet would take for a formula is
 * escaped; amounts are in major units with the currency's digits, and once more in minor units.
 * @throws OperatorError when there is no such batch
 */
export async function exportPayout(
  db: Db,
  publisherId: string,
  batchId: string,
  output: Writable,
): Promise<void> {
  const batch = await getPayout(db, publisherId, batchId);
  await pipeline(
    Readable.from(lines(db, publisherId, batch)),
    stringify({ header: true, columns, escape_formulas: true, record_delimiter: 'windows' }),
    output,
    { end: false },
  );
}

async function* lines(db: Db, publisherId: string, { batchId, status, currency }: PayoutBatch) {
  for await (const item of payoutItems(db, publisherId, batchId)) {
    yield [
      batchId,
      status,
      item.memberId,
      item.playerId ?? '',
      item.name,
      currency,
      formatMinorUnits(item.amountMinor, currency),
      String(item.amountMinor),
      String(item.rowCount),
    ];
  }
}
