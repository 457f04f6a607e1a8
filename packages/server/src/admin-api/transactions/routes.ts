import { Type } from 'typebox';
import { may, staffOf } from '../../accounts/require-staff.ts';
import { transactionId } from '../../attributions/transaction-schema.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import type { AdminService } from '../admin-service.ts';
import type { Exports } from '../running-exports.ts';
import { adminErrors, pageOf, pageQuery, publisherPath } from '../schemas.ts';
import { exportRoute } from './export-route.ts';
import { countForStaff, listForStaff } from './list-for-staff.ts';
import { filterQuery, toListing } from './list-query.ts';
import { reverseRoute } from './reverse-route.ts';
import { showTransaction } from './show-transaction.ts';
import { toDetail } from './transaction-detail.ts';
import { findTransactionEvents } from './transaction-events.ts';
import {
  toTransactionRow,
  transactionDetail,
  transactionEvent,
  transactionRow,
} from './transaction-schemas.ts';

const path = '/publishers/:publisherId/transactions';
const tags = ['Transactions'];
const transactionPath = Type.Object({ ...publisherPath.properties, transactionId });

/** Registers the routes that list, count, show, reverse and export purchases. */
export function transactionRoutes(
  app: App,
  service: AdminService,
  { pages, exports }: { pages: Pages; exports: Exports },
): void {
  listRoutes(app, service, pages);
  detailRoutes(app, service);
  reverseRoute(app, service);
  exportRoute(app, service, exports);
}

function listRoutes(app: App, { database: { lists } }: AdminService, pages: Pages): void {
  app.get(
    path,
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'listTransactions',
        summary: 'List purchases',
        description: 'Returns one row for each creator that a purchase credits, newest first by default.',
        tags,
        params: publisherPath,
        querystring: Type.Object({ ...filterQuery, ...pageQuery }),
        response: { 200: pageOf(transactionRow, 'TransactionPage'), ...adminErrors },
      },
    },
    async (request, reply) => {
      const { query, params } = request;
      const listing = toListing(params.publisherId, query, query.limit ?? 50);
      const isMasked = !may(staffOf(request), 'unmasked');
      const { rows, nextCursor } = await listForStaff(lists, pages, listing, query.cursor ?? null);
      return sendJson(reply, { rows: rows.map((row) => toTransactionRow(row, isMasked)), nextCursor });
    },
  );
  app.get(
    `/publishers/:publisherId/transaction-count`,
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'countTransactions',
        summary: 'Count purchases',
        description: 'Counts the rows of a list, from counts that posting stores.',
        tags,
        params: publisherPath,
        querystring: Type.Object(filterQuery),
        response: {
          200: Type.Object(
            {
              count: Type.Integer({ minimum: 0 }),
              isExact: Type.Boolean({ description: 'False when there are more.' }),
            },
            { title: 'TransactionTotal', description: 'Number of rows of a list.' },
          ),
          ...adminErrors,
        },
      },
    },
    async ({ query, params: { publisherId } }, reply) =>
      sendJson(reply, await countForStaff(lists, toListing(publisherId, query, 1))),
  );
}

function detailRoutes(app: App, { database: { db } }: AdminService): void {
  app.get(
    `${path}/:transactionId`,
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'getTransaction',
        summary: 'Get a purchase with its details',
        description:
          'Returns each row with the shares that the rules offered when it was recorded, the rule that decided, the calculation, its payment, refunds and ledger entries.',
        tags,
        params: transactionPath,
        response: { 200: transactionDetail, ...adminErrors },
      },
    },
    async (request, reply) => {
      const { publisherId, transactionId: purchaseId } = request.params;
      const isMasked = !may(staffOf(request), 'unmasked');
      return sendJson(reply, toDetail(await showTransaction(db, publisherId, purchaseId), isMasked));
    },
  );
  app.get(
    `${path}/:transactionId/events`,
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'listTransactionEvents',
        summary: 'List the webhook events about a purchase',
        description:
          'Lists the events of its recording and its changes of status that are within their retention.',
        tags,
        params: transactionPath,
        response: {
          200: Type.Object({ events: Type.Array(transactionEvent) }, { title: 'TransactionEvents' }),
          ...adminErrors,
        },
      },
    },
    async ({ params: { publisherId, transactionId: purchaseId } }, reply) => {
      const events = await findTransactionEvents(db, publisherId, purchaseId);
      return sendJson(reply, {
        events: events.map(({ createdAt, ...event }) => ({ ...event, at: createdAt.toISOString() })),
      });
    },
  );
}
