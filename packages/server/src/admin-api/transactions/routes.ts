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
import { findToldEvents } from './told-events.ts';
import { toDetail } from './transaction-detail.ts';
import { toldEvent, toTransactionRow, transactionDetail, transactionRow } from './transaction-schemas.ts';

const path = '/publishers/:publisherId/transactions';
const tags = ['Transactions'];
const transactionPath = Type.Object({ ...publisherPath.properties, transactionId });

/** Purchases: lists, one with all that is known of it, and reversing it. */
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
        description:
          'A row for each creator that a purchase credits; the newest first unless sorted otherwise.',
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
        description: 'How many rows a list has, from counts that posting keeps.',
        tags,
        params: publisherPath,
        querystring: Type.Object(filterQuery),
        response: {
          200: Type.Object(
            {
              count: Type.Integer({ minimum: 0 }),
              isExact: Type.Boolean({ description: 'False: there are more.' }),
            },
            { title: 'TransactionTotal', description: 'How many rows a list has.' },
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
        summary: 'One purchase with all that is known of it',
        description:
          'Each row with what every rule said when it was recorded, which one decided, the arithmetic, its payment, refunds and entries of the ledger.',
        tags,
        params: transactionPath,
        response: { 200: transactionDetail, ...adminErrors },
      },
    },
    async (request, reply) => {
      const { publisherId, transactionId: named } = request.params;
      const isMasked = !may(staffOf(request), 'unmasked');
      return sendJson(reply, toDetail(await showTransaction(db, publisherId, named), isMasked));
    },
  );
  app.get(
    `${path}/:transactionId/events`,
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'listTransactionEvents',
        summary: 'The webhook events that told of a purchase',
        description: 'Recording and changes of status, as long as events are kept.',
        tags,
        params: transactionPath,
        response: {
          200: Type.Object({ events: Type.Array(toldEvent) }, { title: 'ToldEvents' }),
          ...adminErrors,
        },
      },
    },
    async ({ params: { publisherId, transactionId: named } }, reply) => {
      const events = await findToldEvents(db, publisherId, named);
      return sendJson(reply, {
        events: events.map(({ createdAt, ...event }) => ({ ...event, at: createdAt.toISOString() })),
      });
    },
  );
}
