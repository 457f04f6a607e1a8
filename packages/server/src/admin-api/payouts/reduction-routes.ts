import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import { listReductions } from '../../settlement/payouts/create/reductions.ts';
import { getPayout } from '../../settlement/payouts/read/read-payouts.ts';
import { adminOperations } from '../admin-operations.ts';
import { pageOf, pageQuery } from '../schemas.ts';
import { payoutPath } from './payout-model.ts';
import { reduction, toReduction } from './reduction-schema.ts';

export function reductionRoutes(app: App, { database: { db } }: Service, { pages }: { pages: Pages }): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['get', '/publishers/:publisherId/payouts/:payoutId/reductions', 'listPayoutReductions'],
    {
      may: 'read',
      summary: 'List the members who are paid less than the preview showed',
      description:
        'Largest reduction first. Empty for a payout that pays what its preview showed, or that had no preview.',
      path: payoutPath.properties,
      query: pageQuery,
      answer: pageOf(reduction, 'PayoutReductionPage'),
    },
    async (request) => {
      const { publisherId, payoutId } = request.params;
      const { cursor = null, limit: size = 50 } = request.query;
      const { batchId } = await getPayout(db, publisherId, payoutId);
      const page = await listReductions(db, pages, { publisherId, batchId }, { cursor, size });
      return { ...page, rows: page.rows.map(toReduction) };
    },
  );
}
