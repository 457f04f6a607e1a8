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
    amountMinor: minor('What was taken back.'),
    status: Type.String({ description: 'What the row is now: Refund, Fraud, Chargeback.' }),
    createdAt: time(''),
    payoutId: nullable(
      Type.String({ description: 'The payout that was lessened by it; null while it waits.' }),
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
      { description: 'Whether its money can be taken back, or why not.' },
    ),
    paidAt: nullable(time('')),
    payoutId: nullable(Type.String()),
  },
  { title: 'PaidRow' },
);

const named = Type.String({ minLength: 1, maxLength: 255, pattern: storable });

/** What was taken back after it was paid, and taking back. */
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
        summary: 'What was taken back of paid rows, the last first',
        tags: payoutTags,
        params: publisherPath,
        querystring: Type.Object({
          ...groupQuery,
          ...pageQuery,
          waiting: Type.Optional(
            Type.Boolean({ description: 'Those alone that no payout was lessened by yet.' }),
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
        summary: 'What of a purchase can be taken back',
        tags: payoutTags,
        params: publisherPath,
        querystring: Type.Object({ transaction: named }),
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
        summary: 'Take back the money of paid rows of a purchase',
        description:
          "The members' next payouts are that much smaller, or wait. Cannot be taken back. The body repeats the total of the " +
          'rows; another one is refused. Each row is a commit of its own: the answer says what became of each.',
        tags: payoutTags,
        params: publisherPath,
        body: Type.Object(
          {
            transactionId: named,
            rows: Type.Optional(
              Type.Array(Type.String({ format: 'uuid' }), {
                minItems: 1,
                maxItems: 1_000,
                description: 'Of its rows; all that are paid without it.',
              }),
            ),
            status: reversal,
            reason: Type.Optional(Type.String({ maxLength: 2_000, pattern: storable })),
            totalMinor: minor('What is taken back of all of them.'),
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
                    amountMinor: minor(''),
                    currency: Type.String(),
                    message: nullable(Type.String({ description: 'Why it was not.' })),
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
