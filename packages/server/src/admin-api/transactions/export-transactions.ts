import { order } from '../../attributions/list/listing.ts';
import { keyOf } from '../../attributions/list/page-by-cursor.ts';
import { readAttributions } from '../../attributions/read-attributions.ts';
import { byteOrderMark, type Cell, csvLine } from '../../platform/csv.ts';
import type { Database } from '../../platform/database/database.ts';
import { asSeparateRequest } from '../../platform/http/as-separate-request.ts';
import { formatMinorUnits } from '../../platform/money.ts';
import type { PageKey } from '../../platform/page.ts';
import { millionthsToPercent } from '../../platform/percent.ts';
import { type Credited, withCreators } from './credited.ts';
import { partsOf, type StaffListing } from './staff-listing.ts';

/** Number of rows read per statement, small enough to keep statements short and memory use low. */
const rowsPerPiece = 2_000;

/**
 * Yields the rows of a listing as CSV, in pieces. Reads each piece only after the previous one has been
 * consumed, so memory holds one piece and statements stay short. Throws on an error, so that the connection
 * breaks and the client detects the incomplete file.
 * @param isMasked true to leave out the buyer's id and name
 */
export async function* exportTransactions(
  { reports, forPublisher }: Pick<Database, 'reports' | 'forPublisher'>,
  listing: StaffListing,
  isMasked: boolean,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(columns(isMasked).map(([name]) => ({ text: name })));
  const separately = <Result>(work: () => Promise<Result>): Promise<Result> =>
    asSeparateRequest({ forPublisher }, listing.publisherId, work);
  const { keys } = await separately(() => partsOf(reports, { ...listing, pageSize: rowsPerPiece - 1 }));
  const cells = columns(isMasked).map(([, cell]) => cell);
  for (let after: PageKey | null = null; ; ) {
    const found = keys(after);
    if (found === null) return;
    const rows = await separately(async () =>
      withCreators(
        reports,
        listing.publisherId,
        await readAttributions(reports, listing.publisherId, found, order(listing.direction, 'a')),
      ),
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => csvLine(cells.map((cell) => cell(row)))).join('');
    if (rows.length < rowsPerPiece) return;
    after = keyOf(last.row);
  }
}

type Column = readonly [name: string, cell: (credited: Credited) => Cell];

const columns = (isMasked: boolean): readonly Column[] => [
  ['transactionId', ({ row }) => ({ id: row.transactionId })],
  ['attributionId', ({ row }) => ({ id: row.attributionId })],
  ['group', ({ row }) => ({ id: row.groupId })],
  ['transactionDate', ({ row }) => ({ figure: row.transactionDate.toISOString() })],
  ['status', ({ row }) => ({ figure: row.status })],
  ['origin', ({ row }) => ({ figure: row.origin })],
  ['code', ({ row }) => ({ id: row.code })],
  ['memberId', ({ creator }) => ({ id: creator.memberId })],
  ['creator', ({ creator }) => ({ text: creator.name })],
  ['description', ({ row }) => ({ text: row.description })],
  ['skuId', ({ row }) => ({ id: row.skuId })],
  ['currency', ({ row }) => ({ figure: row.currency })],
  ['subtotal', ({ row }) => ({ figure: formatMinorUnits(row.subtotalMinor, row.currency) })],
  ['subtotalMinor', ({ row }) => ({ figure: String(row.subtotalMinor) })],
  [
    'percent',
    ({ row }) => ({
      figure: row.shareMillionths === null ? null : String(millionthsToPercent(row.shareMillionths)),
    }),
  ],
  [
    'share',
    ({ row }) => ({
      figure: row.shareMinor === null ? null : formatMinorUnits(row.shareMinor, row.currency),
    }),
  ],
  ['shareMinor', ({ row }) => ({ figure: row.shareMinor === null ? null : String(row.shareMinor) })],
  ['refunded', ({ row }) => ({ figure: formatMinorUnits(row.refundedMinor, row.currency) })],
  ['refundedMinor', ({ row }) => ({ figure: String(row.refundedMinor) })],
  ['paid', ({ row }) => ({ figure: row.isPaid ? 'yes' : 'no' })],
  ...(isMasked
    ? []
    : ([
        ['playerId', ({ row }) => ({ id: row.playerId })],
        ['playerName', ({ row }) => ({ text: row.playerName })],
      ] satisfies Column[])),
];
