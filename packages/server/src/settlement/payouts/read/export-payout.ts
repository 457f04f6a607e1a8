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
/** Never changed, whatever they look like; in quotes always, by which a spreadsheet can be told to keep them as text. */
const ids: ReadonlySet<number> = new Set([columns.indexOf('memberId'), columns.indexOf('playerId')]);
/** What spreadsheets begin a formula with, and what they pass over to find it. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * Writes a batch as CSV, one line a member, streamed. Names that a spreadsheet would take for a formula are escaped,
 * ids are in quotes and never changed; amounts are in major units with the currency's digits, and the one to pay once
 * more in minor units.
 * @param named as in getPayout
 * @throws Refusal when there is no such batch, or it is still being made
 */
export async function exportPayout(
  db: Db,
  publisherId: string,
  named: string,
  output: Writable,
): Promise<void> {
  const batch = await getPayout(db, publisherId, named);
  if (batch.status === 'Preparing')
    throw new Refusal('Conflict', `The payout ${named} is still being made; export it when it is done.`);
  await pipeline(
    Readable.from(lines(db, publisherId, batch)),
    stringify({
      header: true,
      columns: [...columns],
      record_delimiter: 'windows',
      quote_record_delimiter: true, // one half of it ends a line for some readers, too
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
