import { Type } from 'typebox';
import { recordChange } from '../../audit/record-change.ts';
import type { Service } from '../../composition.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import { sendCsv } from '../../platform/http/answers/send-csv.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Exports } from '../running-exports.ts';
import { adminErrors, groupQuery, minor, publisherPath, time } from '../schemas.ts';
import { csvAnswer, fileNameAt } from './csv-answer.ts';
import { payout, payoutTags, toPayout } from './payout-model.ts';
import { type MonthSum, readMonth } from './read-month.ts';
import { writeMonth } from './write-month.ts';

const monthSum = Type.Object(
  {
    groupId: Type.String(),
    currency: Type.String(),
    earnedMinor: minor('Shares of purchases of the month, by their UTC day, those that went back included.'),
    earnedCount: Type.Integer(),
    reversedMinor: minor('Of those, what went back since.'),
    reversedCount: Type.Integer(),
    bountiesMinor: minor('Rewards of bounties completed in the month.'),
    bountiesCount: Type.Integer(),
    paidMinor: minor('Payouts marked as paid in the month.'),
    paidCount: Type.Integer(),
  },
  { title: 'MonthSum', description: 'Of one group in one currency.' },
);

const toSum = (sum: MonthSum) => ({
  ...sum,
  earnedMinor: String(sum.earnedMinor),
  reversedMinor: String(sum.reversedMinor),
  bountiesMinor: String(sum.bountiesMinor),
  paidMinor: String(sum.paidMinor),
});

const monthQuery = Type.Object({
  ...groupQuery,
  month: Type.String({
    pattern: '^(19[7-9][0-9]|20[0-9][0-9])-(0[1-9]|1[0-2])$',
    description: 'A month of UTC: 2026-10.',
  }),
});

/** What a month earned, took back and paid; and the same as a file. */
export function monthRoutes(app: App, { database: { db } }: Service, exports: Exports): void {
  app.get(
    '/publishers/:publisherId/payouts/month',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'readPayoutMonth',
        summary: 'A month, by group and currency, with its payouts',
        tags: payoutTags,
        params: publisherPath,
        querystring: monthQuery,
        response: {
          200: Type.Object(
            {
              month: Type.String(),
              from: time('Included.'),
              until: time('Not included.'),
              sums: Type.Array(monthSum),
              payouts: Type.Array(payout, {
                description: 'Marked as paid in the month, or made in it and not yet, the newest first.',
              }),
              areMore: Type.Boolean({ description: 'There are more payouts than are named.' }),
            },
            { title: 'PayoutMonth' },
          ),
          ...adminErrors,
        },
      },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      const { month, group: groupId = null } = request.query;
      const { from, until, sums, payouts, areMore } = await readMonth(db, { publisherId, groupId, month });
      return sendJson(reply, {
        month,
        from: from.toISOString(),
        until: until.toISOString(),
        sums: sums.map(toSum),
        payouts: payouts.map(toPayout),
        areMore,
      });
    },
  );

  app.get(
    '/publishers/:publisherId/payouts/month.csv',
    {
      config: { staff: 'export' },
      schema: {
        operationId: 'exportPayoutMonth',
        summary: 'A month as CSV: a line for each sum, and one for each payout that was paid',
        tags: payoutTags,
        params: publisherPath,
        querystring: monthQuery,
        response: { 200: csvAnswer, ...adminErrors },
      },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      const { month, group: groupId = null } = request.query;
      exports.begin(request, reply);
      const read = await readMonth(db, { publisherId, groupId, month });
      await inTransaction(db, (tx) =>
        recordChange(tx, request.actor, {
          publisherId,
          action: 'payout-month.export',
          target: `payout-month:${month}`,
          after: { groupId },
        }),
      );
      return sendCsv(reply, fileNameAt(request, `payouts-${month}.csv`), (output) =>
        writeMonth(month, read, output),
      );
    },
  );
}
