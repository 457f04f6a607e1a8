import type { Writable } from 'node:stream';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { Db } from '../../../platform/database/database.ts';
import { formatMinorUnits } from '../../../platform/money.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { payoutItems } from './list-payout-items.ts';
import { getPayout, type PayoutBatch } from './read-payouts.ts';

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
  'payments',
  'rewards',
  'adjustments',
] as const;
/**
 * Columns that are never escaped, but always quoted, so that a spreadsheet can be told to import these
 * columns as text.
 */
const ids: ReadonlySet<number> = new Set([columns.indexOf('memberId'), columns.indexOf('playerId')]);
/** Characters that start a formula in spreadsheets, and characters that spreadsheets skip before a formula. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * Streams a batch as CSV, one line per member. Names that a spreadsheet would read as a formula are escaped;
 * ids are quoted and never changed. Amounts are in major units with the currency's decimal places. The amount
 * to pay is also included in minor units.
 * @param named as in `getPayout`
 * @throws Refusal when the batch does not exist or is still being created
 */
export async function exportPayout(
  db: Db,
  publisherId: string,
  named: string,
  output: Writable,
): Promise<void> {
  const batch = await getPayout(db, publisherId, named);
  if (batch.status === 'Preparing')
    throw new Refusal('Conflict', `Payout ${named} is still being created. Export it when it is done.`);
  await pipeline(
    Readable.from(lines(db, publisherId, batch)),
    stringify({
      header: true,
      columns: [...columns],
      record_delimiter: 'windows',
      quote_record_delimiter: true, // some readers end a line at a lone CR or LF
      cast: {
        string: (value, { index, header }) => ({ value, quoted: ids.has(index) && !header && value !== '' }),
      },
    }),
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
      formula.test(item.name) ? `'${item.name}` : item.name,
      currency,
      formatMinorUnits(item.amountMinor, currency),
      String(item.amountMinor),
      String(item.rowCount),
      formatMinorUnits(item.paymentsMinor, currency),
      formatMinorUnits(item.rewardsMinor, currency),
      formatMinorUnits(item.adjustmentsMinor, currency),
    ];
  }
}
