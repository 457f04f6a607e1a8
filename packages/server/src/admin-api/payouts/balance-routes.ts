import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import { adminErrors, groupQuery, minor, nullable, pageQuery, publisherPath } from '../schemas.ts';
import { currencyText, payoutTags } from './payout-model.ts';
import { readBalancePage } from './read-balance-page.ts';

const balance = Type.Object(
  {
    memberId: Type.String(),
    name: Type.String(),
    playerId: nullable(Type.String()),
    groupId: Type.String(),
    currency: Type.String(),
    balanceMinor: minor('Amount the member is owed; negative when the member owes money back.'),
  },
  { title: 'BalanceOfMember' },
);

const totalsOfCurrency = Type.Object(
  {
    currency: Type.String(),
    owedMinor: minor('Sum of the positive balances.'),
    owedCount: Type.Integer(),
    owingMinor: minor('Sum of the negative balances, zero or less.'),
    owingCount: Type.Integer(),
  },
  { title: 'BalanceTotals', description: 'Totals of one currency. Currencies are never added together.' },
);

/** Registers the list of members' balances. */
export function balanceRoutes(app: App, { database: { db } }: Service, { pages }: { pages: Pages }): void {
  app.get(
    '/publishers/:publisherId/balances',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'listBalances',
        summary: 'List the balances of members: negative ones first, then by currency',
        tags: payoutTags,
        params: publisherPath,
        querystring: Type.Object({
          ...groupQuery,
          ...pageQuery,
          currency: Type.Optional(currencyText),
          owing: Type.Optional(Type.Boolean({ description: 'Only negative balances.' })),
        }),
        response: {
          200: Type.Object(
            {
              totals: Type.Array(totalsOfCurrency),
              rows: Type.Array(balance),
              nextCursor: nullable(Type.String()),
            },
            { title: 'BalancePage' },
          ),
          ...adminErrors,
        },
      },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      const { group: groupId = null, currency = null, owing: isOwing = false } = request.query;
      const { cursor = null, limit: size = 50 } = request.query;
      const filter = { publisherId, groupId, currency, isOwing };
      const { totals, rows, nextCursor } = await readBalancePage(db, pages, filter, { cursor, size });
      return sendJson(reply, {
        totals: totals.map((sum) => ({
          ...sum,
          owedMinor: String(sum.owedMinor),
          owingMinor: String(sum.owingMinor),
        })),
        rows: rows.map((row) => ({ ...row, balanceMinor: String(row.balanceMinor) })),
        nextCursor,
      });
    },
  );
}
