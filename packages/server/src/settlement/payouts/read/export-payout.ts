import type { Writable } from 'node:stream';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Cell, csvLine } from '../../../platform/csv.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { PayeeMethodId } from '../../../platform/database/tables.generated.ts';
import { formatMinorUnits } from '../../../platform/money.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { SheetCell } from '../../../platform/xlsx.ts';
import { pagesOfItems } from './list-payout-items.ts';
import { getPayout, type PayoutBatch } from './read-payouts.ts';

/** Columns of a file with one payout. A file with several payouts also has a group column after `batch`. */
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
  'reference',
  'method',
  'payeeName',
  'payeeCountry',
  'payTo',
] as const;
type Column = (typeof columns)[number] | 'group';
const columnsOfSeveral: readonly Column[] = ['batch', 'group', ...columns.slice(1)];
const ids: ReadonlySet<Column> = new Set(['group', 'memberId', 'playerId']);

/** Payee of a line, as the file shows it. */
export interface ShownPayee {
  name: string;
  country: string;
  payTo: string;
}

/** Opens payout methods for a person who may see them. */
export type OpenPayees = (
  methodIds: readonly PayeeMethodId[],
) => Promise<ReadonlyMap<PayeeMethodId, ShownPayee>>;

/**
 * Streams a batch as CSV, one line per member. Text that a spreadsheet would take for a formula is escaped; ids are
 * quoted and left unchanged. Amounts are in major units with the currency's decimal places, and the amount to pay is
 * also given in minor units.
 * @param named see `getPayout`
 * @param openPayees absent to show only the hints of payout methods
 * @throws Refusal when the batch doesn't exist or is still being created
 */
export async function exportPayout(
  db: Db,
  { publisherId, named, openPayees }: { publisherId: string; named: string; openPayees?: OpenPayees },
  output: Writable,
): Promise<void> {
  const batch = await readExportable(db, publisherId, named);
  await write(columns, lines(db, publisherId, batch, openPayees), output);
}

/** Reads a payout, and rejects one that is still being created. */
async function readExportable(db: Db, publisherId: string, named: string): Promise<PayoutBatch> {
  const batch = await getPayout(db, publisherId, named);
  if (batch.status === 'Preparing')
    throw new Refusal('Conflict', `Payout ${named} is still being created. Export it when it is done.`);
  return batch;
}

/** Columns of an exported payout that are amounts or numbers. */
const figures: ReadonlySet<Column> = new Set<Column>([
  'amount',
  'amountMinor',
  'rows',
  'payments',
  'rewards',
  'adjustments',
]);

/**
 * Yields a payout's lines as rows of a workbook, after a header row. Names and ids are text, exactly as they are.
 * @throws Refusal in the same cases as `exportPayout`
 */
export async function* payoutSheet(
  db: Db,
  publisherId: string,
  named: string,
): AsyncGenerator<readonly SheetCell[]> {
  const batch = await readExportable(db, publisherId, named);
  yield columns.map((text) => ({ text }));
  for await (const row of lines(db, publisherId, batch))
    yield row.map((value, index) =>
      figures.has(columns[index] ?? 'name') ? { figure: value } : { text: value },
    );
}

/**
 * Streams several batches as one CSV file with a group column, in the given order.
 * @throws Refusal in the same cases as `requireExportable`
 */
export async function exportPayouts(
  db: Db,
  publisherId: string,
  batches: readonly PayoutBatch[],
  output: Writable,
): Promise<void> {
  requireExportable(batches);
  await write(columnsOfSeveral, linesOfSeveral(db, publisherId, batches), output);
}

/** Rejects payouts that must not be paid, because a canceled payout is easily overlooked in a file with many. */
export function requireExportable(batches: readonly PayoutBatch[]): void {
  for (const { batchId, status } of batches)
    if (status !== 'Created' && status !== 'Paid')
      throw new Refusal(
        'Conflict',
        status === 'Preparing'
          ? `Payout ${batchId} is still being created. Export it when it is done.`
          : `Payout ${batchId} was canceled. Leave it out of the file.`,
      );
}

const write = (names: readonly Column[], rows: AsyncGenerator<string[]>, output: Writable): Promise<void> =>
  pipeline(Readable.from(csvLines(names, rows)), output, { end: false });

async function* csvLines(names: readonly Column[], rows: AsyncGenerator<string[]>) {
  yield csvLine(names.map((text) => ({ text })));
  for await (const row of rows) yield csvLine(row.map((value, index) => cellOf(names[index], value)));
}

/** Ids are quoted and unchanged, so that spreadsheets can be set to read them as text. */
function cellOf(column: Column | undefined, value: string): Cell {
  if (column !== undefined && ids.has(column)) return { exactId: value };
  return column !== undefined && figures.has(column) ? { figure: value } : { text: value };
}

async function* linesOfSeveral(db: Db, publisherId: string, batches: readonly PayoutBatch[]) {
  for (const batch of batches)
    for await (const [batchId = '', ...rest] of lines(db, publisherId, batch))
      yield [batchId, batch.groupId, ...rest];
}

async function* lines(
  db: Db,
  publisherId: string,
  { batchId, status, currency }: PayoutBatch,
  openPayees?: OpenPayees,
) {
  for await (const items of pagesOfItems(db, publisherId, batchId)) {
    const ids = items.flatMap(({ method }) => (method === null ? [] : [method.methodId]));
    const payees = await openPayees?.(ids);
    for (const item of items) {
      const payee = item.method === null ? undefined : payees?.get(item.method.methodId);
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
        formatMinorUnits(item.paymentsMinor, currency),
        formatMinorUnits(item.rewardsMinor, currency),
        formatMinorUnits(item.adjustmentsMinor, currency),
        item.reference,
        item.method?.kind ?? '',
        payee?.name ?? '',
        payee?.country ?? '',
        payee?.payTo ?? item.method?.hint ?? '',
      ] as string[];
    }
  }
}
