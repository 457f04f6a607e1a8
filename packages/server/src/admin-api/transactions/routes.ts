import { Type } from 'typebox';
import { may, staffOf } from '../../accounts/require-staff.ts';
import { transactionId } from '../../attributions/transaction-schema.ts';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import { adminOperations } from '../admin-operations.ts';
import type { Exports } from '../running-exports.ts';
import { pageOf, pageQuery, publisherPath } from '../schemas.ts';
import { exportRoute } from './export-route.ts';
import { countForStaff, listForStaff } from './list-for-staff.ts';
import { filterQuery, toListing } from './list-query.ts';
import { refundRoute } from './refund-route.ts';
import { reinstateRoute } from './reinstate-route.ts';
import { reverseRoute } from './reverse-route.ts';
import { showTransaction } from './show-transaction.ts';
import { sumForStaff } from './sum-for-staff.ts';
import { toTransactionSums, transactionSums } from './sums-schema.ts';
import { toDetail } from './transaction-detail.ts';
import { findTransactionEvents } from './transaction-events.ts';
import {
  toTransactionRow,
  transactionDetail,
  transactionEvent,
  transactionRow,
} from './transaction-schemas.ts';

const transactionPath = Type.Object({ ...publisherPath.properties, transactionId });

export function transactionRoutes(
  app: App,
  service: Service,
  { pages, exports }: { pages: Pages; exports: Exports },
): void {
  listRoutes(app, service, pages);
  detailRoutes(app, service);
  reverseRoute(app, service);
  refundRoute(app, service);
  reinstateRoute(app, service);
  exportRoute(app, service, exports);
}

function listRoutes(app: App, { database: { lists } }: Service, pages: Pages): void {
  const { operation } = adminOperations(app, 'Transactions');
  operation(
    ['get', '/publishers/:publisherId/transactions', 'listTransactions'],
    {
      may: 'read',
      summary: 'List purchases',
      description: 'Returns one row for each creator that a purchase credits, newest first by default.',
      query: { ...filterQuery, ...pageQuery },
      answer: pageOf(transactionRow, 'TransactionPage'),
    },
    async (request) => {
      const { query, params } = request;
      const listing = toListing(params.publisherId, query, query.limit ?? 50);
      const isMasked = !may(staffOf(request), 'unmasked');
      const { rows, nextCursor } = await listForStaff(lists, pages, listing, query.cursor ?? null);
      return { rows: rows.map((row) => toTransactionRow(row, isMasked)), nextCursor };
    },
  );
  operation(
    ['get', '/publishers/:publisherId/transaction-count', 'countTransactions'],
    {
      may: 'read',
      summary: 'Count purchases',
      description: 'Counts the rows of a list by adding up counts that posting stores.',
      query: filterQuery,
      answer: Type.Object(
        {
          count: Type.Integer({ minimum: 0 }),
          isExact: Type.Boolean({ description: 'False if there are more rows.' }),
        },
        { title: 'TransactionTotal', description: 'Number of rows in a list.' },
      ),
    },
    ({ query, params: { publisherId } }) => countForStaff(lists, toListing(publisherId, query, 1)),
  );
  operation(
    ['get', '/publishers/:publisherId/transaction-sums', 'sumTransactions'],
    {
      may: 'read',
      summary: 'Add up purchases',
      description:
        'Adds up the rows of a list by currency. Of a list of more than 2,000 rows, only the first ones are added up.',
      query: filterQuery,
      answer: transactionSums,
    },
    async ({ query, params: { publisherId } }) =>
      toTransactionSums(await sumForStaff(lists, toListing(publisherId, query, 1))),
  );
}

function detailRoutes(app: App, { database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Transactions');
  operation(
    ['get', '/publishers/:publisherId/transactions/:transactionId', 'getTransaction'],
    {
      may: 'read',
      summary: 'Get a purchase with its details',
      description:
        'Returns each row with the shares that the rules offered when it was recorded, the rule that decided, the calculation, its payment, refunds and ledger entries.',
      path: transactionPath.properties,
      answer: transactionDetail,
    },
    async (request) => {
      const { publisherId, transactionId: purchaseId } = request.params;
      const isMasked = !may(staffOf(request), 'unmasked');
      return toDetail(await showTransaction(db, publisherId, purchaseId), isMasked);
    },
  );
  operation(
    ['get', '/publishers/:publisherId/transactions/:transactionId/events', 'listTransactionEvents'],
    {
      may: 'read',
      summary: 'List the webhook events about a purchase',
      description:
        'Lists the events about its recording and status changes that are still within their retention period.',
      path: transactionPath.properties,
      answer: Type.Object({ events: Type.Array(transactionEvent) }, { title: 'TransactionEvents' }),
    },
    async ({ params: { publisherId, transactionId: purchaseId } }) => {
      const events = await findTransactionEvents(db, publisherId, purchaseId);
      return {
        events: events.map(({ createdAt, ...event }) => ({ ...event, at: createdAt.toISOString() })),
      };
    },
  );
}
