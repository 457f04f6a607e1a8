import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { may, staffOf } from '../../accounts/require-staff.ts';
import { recordExport } from '../../audit/record-export.ts';
import type { Service } from '../../composition.ts';
import { attachmentOf } from '../../platform/http/answers/attachment.ts';
import { sendCsv } from '../../platform/http/answers/send-csv.ts';
import type { App } from '../../platform/http/app-type.ts';
import { asSeparateRequest } from '../../platform/http/as-separate-request.ts';
import { Refusal } from '../../platform/refusal.ts';
import { bundleMonth } from '../../settlement/payouts/month/bundle-month.ts';
import { readMonthSpan } from '../../settlement/payouts/month/month-span.ts';
import { readMonth } from '../../settlement/payouts/read/read-month.ts';
import { adminOperations } from '../admin-operations.ts';
import type { Exports } from '../running-exports.ts';
import { minor, time } from '../schemas.ts';
import { csvAnswer, exportFileName } from './csv-answer.ts';
import { monthQuery } from './month-query.ts';
import { payout, toPayout } from './payout-model.ts';
import { writeMonth } from './write-month.ts';

const monthSum = Type.Object(
  {
    groupId: Type.String(),
    currency: Type.String(),
    earnedMinor: minor("Shares of the month's purchases, by their UTC day, including shares reversed later."),
    earnedCount: Type.Integer(),
    reversedMinor: minor('Part of those shares that was later reversed.'),
    reversedCount: Type.Integer(),
    bountiesMinor: minor('Rewards for bounties completed in the month.'),
    bountiesCount: Type.Integer(),
    paidMinor: minor('Payouts marked as paid in the month.'),
    paidCount: Type.Integer(),
  },
  { title: 'MonthSum', description: 'Sums of a group in one currency.' },
);

export function monthRoutes(app: App, service: Service, exports: Exports): void {
  sumRoutes(app, service, exports);
  bundleRoute(app, service, exports);
}

function bundleRoute(app: App, { database }: Service, exports: Exports): void {
  const { db } = database;
  const { rawOperation } = adminOperations(app, 'Payouts');
  rawOperation(
    ['get', '/publishers/:publisherId/payouts/month.zip', 'exportMonthBundle'],
    {
      may: 'export',
      summary: "Export a month's statements, payouts, clawbacks, balances and ledger proof as one ZIP file",
      description:
        'Also requires the `payouts` permission. Covers all groups. The amounts are those that the ledger booked in the month (UTC), so the amounts of a past month never change. An export of the current month covers everything up to a second ago. README.txt in the ZIP file explains the other files and shows which sums agree.',
      query: { month: monthQuery.month },
      answers: {
        200: {
          description:
            'The ZIP file. If the export fails, the connection is closed early, so that clients detect the incomplete file.',
          content: { 'application/zip': { schema: Type.String({ format: 'binary' }) } },
        },
      },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      const { month } = request.query;
      if (!may(staffOf(request), 'payouts'))
        throw new Refusal(
          'Forbidden',
          "Your role can't export a month's payouts and balances. An owner can change your role on the Team screen.",
        );
      const span = await readMonthSpan(db, publisherId, month);
      exports.begin(request, reply);
      await recordExport(db, request.actor, {
        publisherId,
        action: 'payout-month.bundle',
        target: `payout-month:${month}`,
        after: { asOf: span.asOf.toISOString(), isClosed: span.isClosed },
      });
      const pieces = bundleMonth(db, span, (work) => asSeparateRequest(database, publisherId, work));
      const fileName = exportFileName(request, `month-end-${publisherId}-${month}.zip`);
      return reply
        .type('application/zip')
        .header('content-disposition', attachmentOf(fileName))
        .header('cache-control', 'no-store')
        .send(Readable.from(pieces, { objectMode: false }));
    },
  );
}

function sumRoutes(app: App, { database: { db } }: Service, exports: Exports): void {
  const { operation, rawOperation } = adminOperations(app, 'Payouts');
  operation(
    ['get', '/publishers/:publisherId/payouts/month', 'readPayoutMonth'],
    {
      may: 'read',
      summary: 'Get the sums of a month by group and currency, with its payouts',
      query: monthQuery,
      answer: Type.Object(
        {
          month: Type.String(),
          from: time('Start of the month.'),
          until: time('End of the month (exclusive).'),
          sums: Type.Array(monthSum),
          payouts: Type.Array(payout, {
            description:
              'Payouts that were marked as paid in the month, or were created in the month and are not paid yet, newest first.',
          }),
          areMore: Type.Boolean({ description: 'True if the list leaves out some payouts.' }),
        },
        { title: 'PayoutMonth' },
      ),
    },
    async (request) => {
      const { publisherId } = request.params;
      const { month, group: groupId = null } = request.query;
      const { from, until, sums, payouts, areMore } = await readMonth(db, { publisherId, groupId, month });
      return {
        month,
        from,
        until,
        sums,
        payouts: payouts.map(toPayout),
        areMore,
      };
    },
  );

  rawOperation(
    ['get', '/publishers/:publisherId/payouts/month.csv', 'exportPayoutMonth'],
    {
      may: 'export',
      summary: 'Export a month as CSV: a line for each sum and each paid payout',
      query: monthQuery,
      answers: { 200: csvAnswer },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      const { month, group: groupId = null } = request.query;
      exports.begin(request, reply);
      const found = await readMonth(db, { publisherId, groupId, month });
      await recordExport(db, request.actor, {
        publisherId,
        action: 'payout-month.export',
        target: `payout-month:${month}`,
        after: { groupId },
      });
      return sendCsv(reply, exportFileName(request, `payouts-${month}.csv`), (output) =>
        writeMonth(month, found, output),
      );
    },
  );
}
