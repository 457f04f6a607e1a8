import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import type { Pages } from '../../platform/page.ts';
import { readPaidRows } from '../../settlement/claw-back/read-paid-rows.ts';
import { adminOperations } from '../admin-operations.ts';
import { groupQuery, inputMinor, minor, nullable, oneOf, pageOf, pageQuery, time } from '../schemas.ts';
import { listClawbacks } from './list-clawbacks.ts';

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
    status: Type.String({ description: 'Reason: Refund, Fraud or Chargeback.' }),
    refundId: Type.String({ description: 'Id of the clawback, for reinstating it.' }),
    isReinstated: Type.Boolean({ description: 'True if the amount was given back.' }),
    createdAt: time('Time of the clawback.'),
    payoutId: nullable(
      Type.String({
        description: 'Payout from which the clawback was deducted; null until a payout deducts the clawback.',
      }),
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
    shareMinor: minor('What is left of the amount paid for the row.'),
    status: Type.String(),
    verdict: oneOf(['can', 'not paid', 'in a payout', 'went back'], {
      description: '`can`, or the reason the row cannot be clawed back.',
    }),
    paidAt: nullable(time("Time the row's payout was marked as paid.")),
    payoutId: nullable(Type.String()),
  },
  { title: 'PaidRow' },
);

const transactionName = Type.String({ minLength: 1, maxLength: 255, pattern: storable });

/** Filters of the list of clawbacks. */
export const clawbackFilter = {
  ...groupQuery,
  waiting: Type.Optional(
    Type.Boolean({ description: 'True to list only clawbacks that no payout has deducted yet.' }),
  ),
};

export function clawbackRoutes(app: App, service: Service, { pages }: { pages: Pages }): void {
  listRoute(app, service, pages);
  rowsRoute(app, service);
  clawBackRoute(app, service);
}

function listRoute(app: App, { database: { db } }: Service, pages: Pages): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['get', '/publishers/:publisherId/clawbacks', 'listClawbacks'],
    {
      may: 'read',
      summary: 'List clawbacks, newest first',
      query: {
        ...clawbackFilter,
        ...pageQuery,
      },
      answer: pageOf(clawback, 'ClawbackPage'),
    },
    async (request) => {
      const { publisherId } = request.params;
      const {
        group: groupId = null,
        waiting: isWaiting = false,
        cursor = null,
        limit: size = 50,
      } = request.query;
      return await listClawbacks(db, pages, { publisherId, groupId, isWaiting }, { cursor, size });
    },
  );
}

function rowsRoute(app: App, { database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['get', '/publishers/:publisherId/clawbacks/rows', 'listRowsToClawBack'],
    {
      may: 'read',
      summary: 'List the rows of a purchase and whether each can be clawed back',
      query: { transaction: transactionName },
      answer: Type.Object(
        { transactionId: Type.String(), rows: Type.Array(paidRow) },
        { title: 'RowsToClawBack' },
      ),
    },
    ({ params, query }) => readPaidRows(db, params.publisherId, query.transaction),
  );
}

function clawBackRoute(app: App, { database: { db }, operations }: Service): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['post', '/publishers/:publisherId/clawbacks', 'clawBack'],
    {
      may: 'payouts',
      fresh: true,
      people: true,
      summary: 'Claw back paid rows of a purchase',
      description:
        "The amounts are deducted from the members' next payouts, once enough is due. This cannot be undone. The body " +
        'repeats the total of the rows; a different total is rejected. Each row is committed separately, and the response ' +
        'lists the outcome of each row.',
      body: Type.Object(
        {
          transactionId: transactionName,
          rows: Type.Optional(
            Type.Array(Type.String({ format: 'uuid' }), {
              minItems: 1,
              maxItems: 1_000,
              description: 'Ids of the rows to claw back. The default is all paid rows of the purchase.',
            }),
          ),
          amounts: Type.Optional(
            Type.Array(
              Type.Object(
                {
                  row: Type.String({ format: 'uuid', description: 'Id of a row to claw back.' }),
                  amountMinor: inputMinor('Part of the amount paid for the row, at least 1.'),
                },
                { ...closed, title: 'AmountToClawBack' },
              ),
              {
                minItems: 1,
                maxItems: 1_000,
                description:
                  'Amounts for rows that are clawed back only in part. The default is all that is left.',
              },
            ),
          ),
          status: reversal,
          reason: Type.Optional(Type.String({ maxLength: 2_000, pattern: storable })),
          totalMinor: inputMinor('Sum of the amounts to claw back.'),
        },
        { ...closed, title: 'PurchaseToClawBack' },
      ),
      answer: Type.Object(
        {
          rows: Type.Array(
            Type.Object(
              {
                rowId: Type.String(),
                isTakenBack: Type.Boolean(),
                amountMinor: minor('Amount clawed back.'),
                currency: Type.String(),
                message: nullable(Type.String({ description: 'Reason the row was not clawed back.' })),
              },
              { title: 'ClawbackOutcome' },
            ),
          ),
        },
        { title: 'ClawbackOutcomes' },
      ),
    },
    async (request) => {
      const { transactionId, rows = null, amounts = [], status, reason = null, totalMinor } = request.body;
      const outcomes = await operations.clawBackPurchase(db, request.actor, {
        publisherId: request.params.publisherId,
        transactionId,
        rows,
        amounts: amounts.map((each) => ({ rowId: each.row, amountMinor: BigInt(each.amountMinor) })),
        status,
        reason,
        totalMinor: BigInt(totalMinor),
      });
      return { rows: outcomes };
    },
  );
}
