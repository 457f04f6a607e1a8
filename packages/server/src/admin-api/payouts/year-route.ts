import { Type } from 'typebox';
import { may, staffOf } from '../../accounts/require-staff.ts';
import { recordExport } from '../../audit/record-export.ts';
import type { Service } from '../../composition.ts';
import { openPayees } from '../../payees/open-payees.ts';
import { sendCsv } from '../../platform/http/answers/send-csv.ts';
import type { App } from '../../platform/http/app-type.ts';
import { asSeparateRequest } from '../../platform/http/as-separate-request.ts';
import { Refusal } from '../../platform/refusal.ts';
import { exportYear } from '../../settlement/payouts/year/export-year.ts';
import { readYearSpan } from '../../settlement/payouts/year/year-span.ts';
import { adminOperations } from '../admin-operations.ts';
import type { Exports } from '../running-exports.ts';
import { csvAnswer, exportFileName } from './csv-answer.ts';

export function yearRoute(app: App, { database, sealer }: Service, exports: Exports): void {
  const { db } = database;
  const { rawOperation } = adminOperations(app, 'Payouts');
  rawOperation(
    ['get', '/publishers/:publisherId/payouts/year.csv', 'exportPayoutYear'],
    {
      may: 'export',
      summary: 'Export what each creator was paid in a year as CSV',
      description:
        "Also requires the `payouts` permission. Covers all groups, with a line for each creator and currency. A payment counts in the year (UTC) in which its line was set to Paid, or else its payout was marked as paid. A payment that came back is deducted in the year in which its line was set to Returned, even if it was paid in an earlier year. Failed lines don't count.",
      query: {
        year: Type.String({
          pattern: '^(19[7-9][0-9]|20[0-9][0-9])$',
          description: 'Calendar year (UTC), such as 2026.',
        }),
      },
      answers: { 200: csvAnswer },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      const { year } = request.query;
      if (!may(staffOf(request), 'payouts'))
        throw new Refusal(
          'Forbidden',
          "Your role can't export what creators were paid. An owner can change your role on the Team screen.",
        );
      const span = await readYearSpan(db, publisherId, year);
      exports.begin(request, reply);
      await recordExport(db, request.actor, {
        publisherId,
        action: 'payout-year.export',
        target: `payout-year:${year}`,
        after: { isOver: span.isOver },
      });
      return sendCsv(reply, exportFileName(request, `paid-${publisherId}-${year}.csv`), (output) =>
        exportYear(
          db,
          {
            span,
            openPayees: openPayees(db, sealer, publisherId),
            separately: (work) => asSeparateRequest(database, publisherId, work),
          },
          output,
        ),
      );
    },
  );
}
