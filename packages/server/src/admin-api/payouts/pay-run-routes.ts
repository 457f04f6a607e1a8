import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { timestamp } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import type { Pages } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import { waitBriefly } from '../../platform/work/wait-briefly.ts';
import { requirePublisher } from '../../publishers/require-publisher.ts';
import { listPayRuns } from '../../settlement/payouts/runs/read-pay-runs.ts';
import { maxRunLines, startPayRun } from '../../settlement/payouts/runs/start-pay-run.ts';
import { workPayRun } from '../../settlement/payouts/runs/work-pay-run.ts';
import { adminOperations } from '../admin-operations.ts';
import { inputMinor, pageOf, pageQuery } from '../schemas.ts';
import { payRun, payRunPath, payRunWithLines, readRunWithLines } from './pay-run-model.ts';
import { exactly } from './payout-change-schema.ts';
import { currencyText } from './payout-model.ts';

export function payRunRoutes(app: App, service: Service, { pages }: { pages: Pages }): void {
  readRoutes(app, service, pages);
  startRoute(app, service);
}

function readRoutes(app: App, { database: { db } }: Service, pages: Pages): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['get', '/publishers/:publisherId/pay-runs', 'listPayRuns'],
    {
      may: 'read',
      summary: 'List pay runs, newest first',
      query: pageQuery,
      answer: pageOf(payRun, 'PayRunPage'),
    },
    async (request) => {
      const { publisherId } = request.params;
      const { cursor = null, limit: size = 50 } = request.query;
      await requirePublisher(db, publisherId);
      return listPayRuns(db, pages, publisherId, { cursor, size });
    },
  );
  operation(
    ['get', '/publishers/:publisherId/pay-runs/:payRunId', 'getPayRun'],
    {
      may: 'read',
      summary: 'Get a pay run with its payouts',
      path: payRunPath.properties,
      answer: payRunWithLines,
    },
    ({ params: { publisherId, payRunId }, actor }) => readRunWithLines(db, actor, publisherId, payRunId),
  );
}

function startRoute(app: App, { database: { db, background } }: Service): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['post', '/publishers/:publisherId/pay-runs', 'startPayRun'],
    {
      may: 'payouts',
      summary: 'Create the payouts that a preview of several groups showed',
      description:
        "With the preview's `asOf`, each payout pays the amounts in the preview, or less where they fell since then, as a single payout does. " +
        'The confirmed totals are those of the preview; no payout pays more. With `exactly`, a payout whose amounts fell is not created. ' +
        "Payouts that can't be created do not affect the others; `failure` gives the reason. " +
        'A second request with the same `asOf` continues the same run: it retries payouts that failed and adds new ones, ' +
        'and never creates a payout twice. Only one run per publisher can be in progress at a time.',
      body: Type.Object(
        {
          asOf: timestamp('`asOf` from the preview.'),
          exactly,
          payouts: Type.Array(
            Type.Object(
              {
                groupId: Type.String({ minLength: 1, maxLength: 255 }),
                currency: currencyText,
                totalMinor: inputMinor(
                  '`totalMinor` of the amounts due in the preview. If it differs from the preview, the payout is not created. The payout never pays more.',
                ),
              },
              { ...closed, title: 'PayRunPayout' },
            ),
            { minItems: 1, maxItems: maxRunLines },
          ),
        },
        { ...closed, title: 'PayRunToStart' },
      ),
      answer: payRunWithLines,
      otherAnswers: { 202: payRunWithLines },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      const { asOf, payouts, exactly: isExact = false } = request.body;
      await requirePublisher(db, publisherId);
      const lines = payouts.map(({ totalMinor, ...payout }, index) => {
        const total = BigInt(totalMinor);
        if (total <= 0n)
          throw new Refusal('InvalidInput', 'The total of a payout must be more than zero.', {
            path: ['payouts', index, 'totalMinor'],
          });
        return { ...payout, totalMinor: total };
      });
      const { actor } = request;
      const { payRunId, leaseId } = await startPayRun(background, actor, {
        publisherId,
        asOf: readTimestamp(asOf),
        lines,
        isExact,
      });
      if (leaseId !== null) {
        const onError = (error: unknown): void =>
          request.log.error({ err: error }, 'creating a payout of a pay run failed');
        const lease = { publisherId, payRunId, leaseId };
        await waitBriefly(workPayRun(background, lease, { actor, onError }), onError);
      }
      const found = await readRunWithLines(db, actor, publisherId, payRunId);
      reply.code(found.run.isDone ? 200 : 202);
      return found;
    },
  );
}
