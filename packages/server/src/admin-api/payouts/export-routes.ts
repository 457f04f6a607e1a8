import { recordExport } from '../../audit/record-export.ts';
import type { Service } from '../../composition.ts';
import { sendCsv } from '../../platform/http/answers/send-csv.ts';
import type { App } from '../../platform/http/app-type.ts';
import { Refusal } from '../../platform/refusal.ts';
import { exportPayout } from '../../settlement/payouts/read/export-payout.ts';
import { getPayout } from '../../settlement/payouts/read/read-payouts.ts';
import { adminOperations } from '../admin-operations.ts';
import type { Exports } from '../running-exports.ts';
import { csvAnswer, exportFileName } from './csv-answer.ts';
import { payoutPath } from './payout-model.ts';

export function exportRoute(app: App, { database: { db, background } }: Service, exports: Exports): void {
  const { rawOperation } = adminOperations(app, 'Payouts');
  rawOperation(
    ['get', '/publishers/:publisherId/payouts/:payoutId/items.csv', 'exportPayout'],
    {
      may: 'export',
      summary: 'Export a payout as CSV, one line for each member',
      description:
        'Names that a spreadsheet would run as a formula are escaped; ids are quoted and never changed.',
      path: payoutPath.properties,
      query: {},
      answers: { 200: csvAnswer },
    },
    async (request, reply) => {
      const { publisherId, payoutId } = request.params;
      const { batchId, status, currency } = await getPayout(db, publisherId, payoutId);
      if (status === 'Preparing')
        throw new Refusal(
          'Conflict',
          `Payout ${batchId} is still being created. Export it once it is complete.`,
        );
      exports.begin(request, reply);
      await recordExport(db, request.actor, {
        publisherId,
        action: 'payout.export',
        target: `payout:${batchId}`,
        after: { status },
      });
      return sendCsv(reply, exportFileName(request, `payout-${currency}-${batchId}.csv`), (output) =>
        exportPayout(background, publisherId, batchId, output),
      );
    },
  );
}
