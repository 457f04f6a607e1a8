import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import type { Pages } from '../../platform/page.ts';
import {
  adminErrors,
  groupQuery,
  minor,
  nullable,
  pageOf,
  pageQuery,
  publisherPath,
  time,
} from '../schemas.ts';
import { clawBackPurchase } from './claw-back-purchase.ts';
import { payoutTags } from './payout-model.ts';
import { listClawbacks, readPaidRows } from './read-clawbacks.ts';

const reversal = Type.Union([Type.Literal('Refund'), Type.Literal('Fraud'), Type.Literal('Chargeback')]);

const clawback = Type.Object(
  {
    rowId: Type.String(),
    transactionId: Type.String(),
    groupId: Type.String(),
    memberId: Type.String(),
    name: Type.String(),
    currency: Type.String(),
    amountMinor: minor('Amount clawed back.'),
    status: Type.String({ description: 'Current status of the row: Refund, Fraud or Chargeback.' }),
    createdAt: time('Time of the clawback.'),
    payoutId: nullable(
      Type.String({ description: 'Payout from which it was deducted; null while it is waiting for one.' }),
    ),
  },
  { title: 'Clawback' },
);

const paidRow = Type.Object(
  {
    rowId: Type.String(),
    memberId: Type.String(),
    name: Type.String(),
    groupId: Type.String(),
    currency: Type.String(),
    shareMinor: minor("The member's share."),
    status: Type.String(),
    verdict: Type.Union(
      ['can', 'not paid', 'in a payout', 'went back'].map((each) => Type.Literal(each)),
      { description: '`can`, or the reason the row cannot be clawed back.' },
    ),
    paidAt: nullable(time('Time at which its payout was marked as paid.')),
    payoutId: nullable(Type.String()),
  },
  { title: 'PaidRow' },
);

const transactionName = Type.String({ minLength: 1, maxLength: 255, pattern: storable });

/** Registers the routes that list clawbacks and claw back purchases. */
export function clawbackRoutes(app: App, service: Service, { pages }: { pages: Pages }): void {
  listRoute(app, service, pages);
  rowsRoute(app, service);
  clawBackRoute(app, service);
}

function listRoute(app: App, { database: { db } }: Service, pages: Pages): void {
  app.get(
    '/publishers/:publisherId/clawbacks',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'listClawbacks',
        summary: 'List clawbacks, newest first',
        tags: payoutTags,
        params: publisherPath,
        querystring: Type.Object({
          ...groupQuery,
          ...pageQuery,
          waiting: Type.Optional(
            Type.Boolean({ description: 'Only clawbacks that no payout has deducted yet.' }),
          ),
        }),
        response: { 200: pageOf(clawback, 'ClawbackPage'), ...adminErrors },
      },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      const {
        group: groupId = null,
        waiting: isWaiting = false,
        cursor = null,
        limit: size = 50,
      } = request.query;
      const { rows, nextCursor } = await listClawbacks(
        db,
        pages,
        { publisherId, groupId, isWaiting },
        { cursor, size },
      );
      return sendJson(reply, {
        rows: rows.map((row) => ({
          ...row,
          amountMinor: String(row.amountMinor),
          createdAt: row.createdAt.toISOString(),
        })),
        nextCursor,
      });
    },
  );
}

function rowsRoute(app: App, { database: { db } }: Service): void {
  app.get(
    '/publishers/:publisherId/clawbacks/rows',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'listRowsToClawBack',
        summary: 'List the rows of a purchase and whether each can be clawed back',
        tags: payoutTags,
        params: publisherPath,
        querystring: Type.Object({ transaction: transactionName }),
        response: {
          200: Type.Object(
            { transactionId: Type.String(), rows: Type.Array(paidRow) },
            { title: 'RowsToClawBack' },
          ),
          ...adminErrors,
        },
      },
    },
    async (request, reply) => {
      const { transactionId, rows } = await readPaidRows(
        db,
        request.params.publisherId,
        request.query.transaction,
      );
      return sendJson(reply, {
        transactionId,
        rows: rows.map((row) => ({
          ...row,
          shareMinor: String(row.shareMinor),
          paidAt: row.paidAt?.toISOString() ?? null,
        })),
      });
    },
  );
}

function clawBackRoute(app: App, { database: { db }, operations }: Service): void {
  app.post(
    '/publishers/:publisherId/clawbacks',
    {
      config: { staff: 'payouts', fresh: true, people: true },
      schema: {
        operationId: 'clawBack',
        summary: 'Claw back paid rows of a purchase',
        description:
          "The members' next payouts are reduced by the amounts, or wait until more is due. This cannot be undone. The body " +
          'repeats the total of the rows; a different total is rejected. Each row is its own commit, and the answer has the ' +
          'outcome of each.',
        tags: payoutTags,
        params: publisherPath,
        body: Type.Object(
          {
            transactionId: transactionName,
            rows: Type.Optional(
              Type.Array(Type.String({ format: 'uuid' }), {
                minItems: 1,
                maxItems: 1_000,
                description: 'Ids of rows of the purchase. The default is all paid rows.',
              }),
            ),
            status: reversal,
            reason: Type.Optional(Type.String({ maxLength: 2_000, pattern: storable })),
            totalMinor: minor('Sum of the rows to claw back.'),
          },
          { ...closed, title: 'PurchaseToClawBack' },
        ),
        response: {
          200: Type.Object(
            {
              rows: Type.Array(
                Type.Object(
                  {
                    rowId: Type.String(),
                    isTakenBack: Type.Boolean(),
                    amountMinor: minor("The member's share."),
                    currency: Type.String(),
                    message: nullable(Type.String({ description: 'Reason the row was not clawed back.' })),
                  },
                  { title: 'ClawbackOutcome' },
                ),
              ),
            },
            { title: 'ClawbackOutcomes' },
          ),
          ...adminErrors,
        },
      },
    },
    async (request, reply) => {
      const { transactionId, rows = null, status, reason = null, totalMinor } = request.body;
      const outcomes = await clawBackPurchase({ db, clawBack: operations.clawBack }, request.actor, {
        publisherId: request.params.publisherId,
        transactionId,
        rows,
        status,
        reason,
        totalMinor: BigInt(totalMinor),
      });
      return sendJson(reply, {
        rows: outcomes.map((each) => ({ ...each, amountMinor: String(each.amountMinor) })),
      });
    },
  );
}
