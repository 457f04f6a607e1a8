import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { recordExport } from '../../audit/record-export.ts';
import type { Service } from '../../composition.ts';
import { openPayees } from '../../payees/open-payees.ts';
import { attachmentOf } from '../../platform/http/answers/attachment.ts';
import { sendCsv } from '../../platform/http/answers/send-csv.ts';
import type { App } from '../../platform/http/app-type.ts';
import { Refusal } from '../../platform/refusal.ts';
import { workbook } from '../../platform/xlsx.ts';
import { exportPayout, payoutSheet } from '../../settlement/payouts/read/export-payout.ts';
import { getPayout, type PayoutStatus } from '../../settlement/payouts/read/read-payouts.ts';
import { adminOperations } from '../admin-operations.ts';
import type { Exports } from '../running-exports.ts';
import { csvAnswer, exportFileName } from './csv-answer.ts';
import { payoutPath } from './payout-model.ts';

const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export function exportRoute(app: App, service: Service, exports: Exports): void {
  csvRoute(app, service, exports);
  payeesRoute(app, service, exports);
  sheetRoute(app, service, exports);
}

function csvRoute(app: App, { database: { db, background } }: Service, exports: Exports): void {
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
      requireComplete(batchId, status);
      exports.begin(request, reply);
      await recordExport(db, request.actor, {
        publisherId,
        action: 'payout.export',
        target: `payout:${batchId}`,
        after: { status },
      });
      return sendCsv(reply, exportFileName(request, `payout-${currency}-${batchId}.csv`), (output) =>
        exportPayout(background, { publisherId, named: batchId }, output),
      );
    },
  );
}

function payeesRoute(app: App, { database: { db, background }, sealer }: Service, exports: Exports): void {
  const { rawOperation } = adminOperations(app, 'Payouts');
  rawOperation(
    ['get', '/publishers/:publisherId/payouts/:payoutId/items-with-payees.csv', 'exportPayoutWithPayees'],
    {
      may: 'payees',
      fresh: true,
      people: true,
      summary: 'Export a payout as CSV, with the addresses and accounts of its payees',
      description: 'The columns are those of `items.csv`, where `payTo` is only a hint.',
      path: payoutPath.properties,
      query: {},
      answers: { 200: csvAnswer },
    },
    async (request, reply) => {
      const { publisherId, payoutId } = request.params;
      const { batchId, status, currency } = await getPayout(db, publisherId, payoutId);
      requireComplete(batchId, status);
      exports.begin(request, reply);
      await recordExport(db, request.actor, {
        publisherId,
        action: 'payout.export-file',
        target: `payout:${batchId}`,
        after: { status, file: 'items-with-payees.csv' },
      });
      const open = openPayees(background, sealer, publisherId);
      return sendCsv(reply, exportFileName(request, `payout-${currency}-${batchId}-payees.csv`), (output) =>
        exportPayout(background, { publisherId, named: batchId, openPayees: open }, output),
      );
    },
  );
}

function sheetRoute(app: App, { database: { db, background } }: Service, exports: Exports): void {
  const { rawOperation } = adminOperations(app, 'Payouts');
  rawOperation(
    ['get', '/publishers/:publisherId/payouts/:payoutId/items.xlsx', 'exportPayoutSheet'],
    {
      may: 'export',
      summary: 'Export a payout as a workbook, one row for each member',
      description:
        'The columns are those of `items.csv`. Names and ids are text cells, which spreadsheets neither run nor convert.',
      path: payoutPath.properties,
      query: {},
      answers: {
        200: {
          description: 'The workbook (Office Open XML).',
          content: { [sheetType]: { schema: Type.String({ format: 'binary' }) } },
        },
      },
    },
    async (request, reply) => {
      const { publisherId, payoutId } = request.params;
      const { batchId, status, currency, createdAt } = await getPayout(db, publisherId, payoutId);
      requireComplete(batchId, status);
      exports.begin(request, reply);
      await recordExport(db, request.actor, {
        publisherId,
        action: 'payout.export',
        target: `payout:${batchId}`,
        after: { status },
      });
      const pieces = workbook(payoutSheet(background, publisherId, batchId), createdAt);
      const fileName = exportFileName(request, `payout-${currency}-${batchId}.xlsx`);
      return reply
        .type(sheetType)
        .header('content-disposition', attachmentOf(fileName))
        .header('cache-control', 'no-store')
        .send(Readable.from(pieces, { objectMode: false }));
    },
  );
}

function requireComplete(batchId: string, status: PayoutStatus): void {
  if (status === 'Preparing')
    throw new Refusal('Conflict', `Payout ${batchId} is still being created. Export it once it is complete.`);
}
