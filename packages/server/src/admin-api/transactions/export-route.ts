import { Readable } from 'node:stream';
import { type TSchema, Type } from 'typebox';
import { may, staffOf } from '../../accounts/require-staff.ts';
import { recordExport } from '../../audit/record-export.ts';
import type { Service } from '../../composition.ts';
import { attachmentOf } from '../../platform/http/answers/attachment.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toAttributionId } from '../../platform/ids.ts';
import { adminOperations } from '../admin-operations.ts';
import type { Exports } from '../running-exports.ts';
import { exportTransactions } from './export-transactions.ts';
import { filterQuery, toListing } from './list-query.ts';
import { groupsOf } from './staff-listing.ts';

const csv = (description: string): { description: string; content: Record<string, { schema: TSchema }> } => ({
  description,
  content: { 'text/csv': { schema: Type.String() } },
});

/**
 * Maximum number of chosen rows. Their ids are in the URL, which must stay below the 8 kB that proxies
 * accept.
 */
const maxChosen = 200;
const chosenRows = Type.Optional(
  Type.Array(Type.String({ format: 'uuid' }), {
    minItems: 1,
    maxItems: maxChosen,
    description:
      'Attribution ids of the rows to export, as a repeated parameter or separated by commas. The default is all rows.',
  }),
);

/** Registers the route that exports purchases. It streams a list of any length and writes an audit entry. */
export function exportRoute(app: App, { database }: Service, exports: Exports): void {
  const { rawOperation } = adminOperations(app, 'Transactions');
  rawOperation(
    ['get', '/publishers/:publisherId/transactions.csv', 'exportTransactions'],
    {
      may: 'export',
      summary: 'Export purchases as CSV',
      description:
        'Streams the rows of a list. A person can run two exports at once. If the export fails, the connection is closed early, so that clients detect the incomplete file.',
      query: { ...filterQuery, ids: chosenRows },
      answers: { 200: csv('UTF-8 with a byte order mark.') },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      const { ids = [], ...filters } = request.query;
      const listing = { ...toListing(publisherId, filters, 1), rowIds: ids.map(toAttributionId) };
      await groupsOf(database.db, listing);
      exports.begin(request, reply);
      const { actor, query } = request;
      await recordExport(database.db, actor, {
        publisherId,
        action: 'transaction.export',
        target: `publisher:${publisherId}`,
        after: { ...query },
      });
      const isMasked = !may(staffOf(request), 'unmasked');
      database.expectReports();
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', attachmentOf(`transactions-${publisherId}.csv`))
        .header('cache-control', 'no-store')
        .send(Readable.from(exportTransactions(database, listing, isMasked), { objectMode: false }));
    },
  );
}
