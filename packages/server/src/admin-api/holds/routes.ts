import { Type } from 'typebox';
import { transactionId } from '../../attributions/transaction-schema.ts';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toAccountId } from '../../platform/ids.ts';
import { closed } from '../../platform/inputs.ts';
import type { Pages } from '../../platform/page.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import { holdCreator } from '../../settlement/holds/hold-creator.ts';
import { holdPurchase } from '../../settlement/holds/hold-purchase.ts';
import { listHolds } from '../../settlement/holds/list-holds.ts';
import { releaseHold } from '../../settlement/holds/release-hold.ts';
import { adminOperations } from '../admin-operations.ts';
import { memberPath } from '../members/member-schemas.ts';
import type { Exports } from '../running-exports.ts';
import { pageOf, pageQuery } from '../schemas.ts';
import { exportRoute } from './export-route.ts';
import { endsAtInput, hold, holdFilter, reasonInput } from './hold-schemas.ts';

export function holdRoutes(app: App, service: Service, shared: { pages: Pages; exports: Exports }): void {
  listRoute(app, service, shared.pages);
  exportRoute(app, service, shared);
  placeRoutes(app, service);
  releaseRoute(app, service);
}

function listRoute(app: App, { database: { db } }: Service, pages: Pages): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['get', '/publishers/:publisherId/holds', 'listHolds'],
    {
      may: 'read',
      summary: 'List open holds, newest first',
      description: 'Holds that were released or have ended are not listed.',
      query: {
        ...holdFilter,
        ...pageQuery,
      },
      answer: pageOf(hold, 'HoldPage'),
    },
    ({ params: { publisherId }, query }) => {
      const { group: groupId = null, member, cursor = null, limit: size = 50 } = query;
      const memberId = member === undefined ? null : toAccountId(member);
      return listHolds(db, pages, { publisherId, groupId, memberId }, { cursor, size });
    },
  );
}

function placeRoutes(app: App, { database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['post', '/publishers/:publisherId/transactions/:transactionId/holds', 'holdTransaction'],
    {
      may: 'reverse',
      summary: 'Keep a purchase out of payouts',
      description:
        'Changes nothing else. A row that is already in a payout is rejected with 409. The rows can still be reversed and refunded.',
      path: { transactionId },
      body: Type.Object(
        {
          reason: reasonInput,
          endsAt: endsAtInput,
          rows: Type.Optional(
            Type.Array(Type.String({ format: 'uuid' }), {
              minItems: 1,
              maxItems: 1_000,
              description: 'Ids of rows of the purchase. The default is all rows that can be held.',
            }),
          ),
        },
        { ...closed, title: 'NewTransactionHold' },
      ),
      answer: Type.Object({ holds: Type.Array(hold) }, { title: 'TransactionHolds' }),
    },
    async ({ params, body: { reason, endsAt, rows = null }, actor }) => ({
      holds: await holdPurchase(db, actor, {
        publisherId: params.publisherId,
        transactionId: params.transactionId,
        rows,
        reason,
        endsAt: endsAt === undefined ? null : readTimestamp(endsAt),
      }),
    }),
  );
  operation(
    ['post', '/publishers/:publisherId/members/:memberId/holds', 'holdCreator'],
    {
      may: 'reverse',
      summary: 'Keep a creator out of payouts',
      description: 'Holds everything due to the creator: earnings, bounty rewards and clawbacks.',
      path: memberPath.properties,
      body: Type.Object(
        {
          reason: reasonInput,
          endsAt: endsAtInput,
          groupId: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 255,
              description: 'Only payouts of this group. The default is all groups.',
            }),
          ),
        },
        { ...closed, title: 'NewCreatorHold' },
      ),
      answer: hold,
    },
    ({ params, body: { reason, endsAt, groupId = null }, actor }) =>
      holdCreator(db, actor, {
        publisherId: params.publisherId,
        memberId: toAccountId(params.memberId),
        groupId,
        reason,
        endsAt: endsAt === undefined ? null : readTimestamp(endsAt),
      }),
  );
}

function releaseRoute(app: App, { database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['post', '/publishers/:publisherId/holds/:holdId/release', 'releaseHold'],
    {
      may: 'reverse',
      summary: 'Release a hold',
      description:
        'The next payout includes the held amounts. Returns 409 if the hold was already released or has ended.',
      path: { holdId: Type.String({ minLength: 1, maxLength: 64 }) },
      body: Type.Object({ reason: reasonInput }, { ...closed, title: 'NewHoldRelease' }),
      answer: hold,
    },
    ({ params: { publisherId, holdId }, body: { reason }, actor }) =>
      releaseHold(db, actor, { publisherId, holdId, reason }),
  );
}
