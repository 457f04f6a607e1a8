import { Type } from 'typebox';
import { recordExport } from '../../audit/record-export.ts';
import type { Service } from '../../composition.ts';
import { sendCsv } from '../../platform/http/answers/send-csv.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed } from '../../platform/inputs.ts';
import { exportPayouts, requireExportable } from '../../settlement/payouts/read/export-payout.ts';
import { type PayoutBatch, readPayouts } from '../../settlement/payouts/read/read-payouts.ts';
import { getPayRun, readRunLines } from '../../settlement/payouts/runs/read-pay-runs.ts';
import { maxRunLines } from '../../settlement/payouts/runs/start-pay-run.ts';
import { adminOperations } from '../admin-operations.ts';
import type { Exports } from '../running-exports.ts';
import { inputMinor, nullable } from '../schemas.ts';
import { chosenPayouts, readChosen } from './chosen-payouts.ts';
import { csvAnswer, exportFileName } from './csv-answer.ts';
import { payRunPath } from './pay-run-model.ts';
import { currencyText, payout, toPayout } from './payout-model.ts';

const payoutId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[0-9A-Za-z-]+$' });

export function manyPayoutsRoutes(app: App, service: Service, exports: Exports): void {
  payRoute(app, service);
  exportRoutes(app, service, exports);
}

function payRoute(app: App, { database: { db }, operations }: Service): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['post', '/publishers/:publisherId/payouts/pay', 'markPayoutsPaid'],
    {
      may: 'payouts',
      fresh: true,
      people: true,
      summary: 'Mark several payouts as paid',
      description:
        'The body repeats the total of the payouts in each currency; if a total is different, nothing is marked as paid. ' +
        'Otherwise, each payout is marked separately, by the same rules as a single payout: `failure` gives the reason for each ' +
        'payout that was not marked. Repeating the request has no further effect.',
      body: Type.Object(
        {
          payoutIds: Type.Array(payoutId, { minItems: 1, maxItems: maxRunLines }),
          totals: Type.Array(
            Type.Object(
              {
                currency: currencyText,
                totalMinor: inputMinor('Sum of the totals of the payouts in this currency.'),
              },
              { ...closed, title: 'ConfirmedTotal' },
            ),
            { maxItems: 200 },
          ),
        },
        { ...closed, title: 'PayoutsToPay' },
      ),
      answer: Type.Object(
        {
          payouts: Type.Array(
            Type.Object(
              {
                payout,
                failure: nullable(
                  Type.Object(
                    { code: Type.String(), message: Type.String() },
                    { title: 'NotMarkedPaid', description: 'Reason the payout was not marked as paid.' },
                  ),
                ),
              },
              { title: 'MarkedPayout' },
            ),
          ),
        },
        { title: 'MarkedPayouts' },
      ),
    },
    async (request) => {
      const { publisherId } = request.params;
      const { payoutIds, totals } = request.body;
      const outcomes = await operations.markPayoutsPaid(db, request.actor, {
        publisherId,
        payoutIds,
        totals: totals.map(({ currency, totalMinor }) => ({ currency, totalMinor: BigInt(totalMinor) })),
      });
      const ids = outcomes.map(({ payout: { batchId } }) => batchId);
      const now = new Map((await readPayouts(db, publisherId, ids)).map((each) => [each.batchId, each]));
      return {
        payouts: outcomes.map(({ payout: before, refused }) => ({
          payout: toPayout(now.get(before.batchId) ?? before),
          failure: refused && { code: refused.code, message: refused.message },
        })),
      };
    },
  );
}

function exportRoutes(app: App, { database: { db, background } }: Service, exports: Exports): void {
  const { rawOperation } = adminOperations(app, 'Payouts');
  const send = async (
    request: Parameters<Exports['begin']>[0],
    reply: Parameters<Exports['begin']>[1],
    { publisherId, payouts, name }: { publisherId: string; payouts: PayoutBatch[]; name: string },
  ) => {
    requireExportable(payouts);
    exports.begin(request, reply);
    await recordExport(
      db,
      request.actor,
      ...payouts.map(({ batchId, status }) => ({
        publisherId,
        action: 'payout.export',
        target: `payout:${batchId}`,
        after: { status },
      })),
    );
    return sendCsv(reply, exportFileName(request, `${name}.csv`), (output) =>
      exportPayouts(background, publisherId, payouts, output),
    );
  };
  rawOperation(
    ['get', '/publishers/:publisherId/payouts/items.csv', 'exportPayouts'],
    {
      may: 'export',
      summary: 'Export several payouts as one CSV file, one line for each member and payout',
      description:
        'Like the file for a single payout, with an additional `group` column. Payouts that are being created or were canceled are rejected.',
      query: { payouts: chosenPayouts },
      answers: { 200: csvAnswer },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      const payouts = await readPayouts(db, publisherId, readChosen(request.query.payouts));
      return send(request, reply, { publisherId, payouts, name: `payouts-${payouts.length}` });
    },
  );
  rawOperation(
    ['get', '/publishers/:publisherId/pay-runs/:payRunId/items.csv', 'exportPayRun'],
    {
      may: 'export',
      summary: 'Export all payouts of a pay run as one CSV file',
      description:
        "Contains the run's paid and unpaid payouts, by currency and group. Canceled payouts are left out.",
      path: payRunPath.properties,
      query: {},
      answers: { 200: csvAnswer },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      const { payRunId } = await getPayRun(db, publisherId, request.params.payRunId);
      const lines = await readRunLines(db, publisherId, payRunId);
      const payouts = lines
        .flatMap(({ payout: each }) => each ?? [])
        .filter(({ status }) => status !== 'Cancelling' && status !== 'Cancelled')
        .sort((one, other) => (one.currency < other.currency ? -1 : one.currency > other.currency ? 1 : 0));
      return send(request, reply, { publisherId, payouts, name: `pay-run-${payRunId}` });
    },
  );
}
