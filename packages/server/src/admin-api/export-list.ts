import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { recordExport } from '../audit/record-export.ts';
import { byteOrderMark, type Cell, csvLine } from '../platform/csv.ts';
import type { Database, Db } from '../platform/database/database.ts';
import { attachmentOf } from '../platform/http/answers/attachment.ts';
import { asSeparateRequest } from '../platform/http/as-separate-request.ts';
import type { Page } from '../platform/page.ts';
import { exportFileName } from './payouts/csv-answer.ts';
import type { Exports } from './running-exports.ts';

/** Number of rows read per statement, small enough to keep statements short and memory use low. */
const rowsPerPiece = 1_000;

/**
 * Query parameter for up to 200 chosen rows. Their ids are in the URL, which must stay below the 8 kB that proxies
 * accept.
 */
export const chosenIds = Type.Optional(
  Type.Array(Type.String({ format: 'uuid' }), {
    minItems: 1,
    maxItems: 200,
    description:
      'Ids of the rows to export, as a repeated parameter or separated by commas. The default is all rows.',
  }),
);

/** Column of an exported list: its name and a function that returns a row's cell. */
export type Column<Row> = readonly [name: string, cell: (row: Row) => Cell];

interface ListToExport<Row> {
  publisherId: string;
  /** Name of the file, without the publisher and the extension. */
  name: string;
  /** Action in the audit log, such as `member.export`. */
  action: string;
  columns: readonly Column<Row>[];
  /** Reads a page of the list. */
  readPage(db: Db, position: { cursor: string | null; size: number }): Promise<Page<Row>>;
  rowsPerPiece?: number;
}

interface ExportedBy {
  database: Database;
  exports: Exports;
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Sends a list as CSV, in pieces. Each piece is read only after the previous one has been sent, so memory holds one piece
 * and statements stay short. The first piece is read before the audit entry is written, so that an invalid filter is
 * rejected. If a later piece fails, the connection breaks, and the client detects the incomplete file.
 * @throws Refusal RateLimited if the caller has too many exports; errors of `readPage`
 */
export async function exportList<Row>(
  { database, exports, request, reply }: ExportedBy,
  list: ListToExport<Row>,
): Promise<FastifyReply> {
  const { publisherId, name, action } = list;
  exports.begin(request, reply);
  database.expectReports();
  const read = (cursor: string | null): Promise<Page<Row>> =>
    asSeparateRequest(database, publisherId, () =>
      list.readPage(database.reports, { cursor, size: list.rowsPerPiece ?? rowsPerPiece }),
    );
  const first = await read(null);
  await recordExport(database.db, request.actor, {
    publisherId,
    action,
    target: `publisher:${publisherId}`,
    after: { ...(request.query as object) },
  });
  const fileName = exportFileName(request, `${name}-${publisherId}.csv`);
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', attachmentOf(fileName))
    .header('cache-control', 'no-store')
    .send(Readable.from(pieces(list.columns, first, read), { objectMode: false }));
}

async function* pieces<Row>(
  columns: readonly Column<Row>[],
  first: Page<Row>,
  read: (cursor: string) => Promise<Page<Row>>,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(columns.map(([name]) => ({ text: name })));
  const lineOf = (row: Row): string => csvLine(columns.map(([, cell]) => cell(row)));
  for (let page = first; ; ) {
    if (page.rows.length > 0) yield page.rows.map(lineOf).join('');
    if (page.nextCursor === null) return;
    page = await read(page.nextCursor);
  }
}
