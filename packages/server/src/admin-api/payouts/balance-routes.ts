import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import { adminOperations } from '../admin-operations.ts';
import { memberFilter } from '../members/member-schemas.ts';
import { groupQuery, minor, nullable, pageQuery } from '../schemas.ts';
import { currencyText } from './payout-model.ts';
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
  { title: 'BalanceTotals', description: 'Totals in one currency. Currencies are never added together.' },
);

/** Filters of the list of balances. */
export const balanceFilter = {
  ...groupQuery,
  currency: Type.Optional(currencyText),
  q: memberFilter.q,
  owing: Type.Optional(
    Type.Boolean({
      description: 'True to list only negative balances, false to list only positive ones.',
    }),
  ),
};

export function balanceRoutes(app: App, { database: { db } }: Service, { pages }: { pages: Pages }): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['get', '/publishers/:publisherId/balances', 'listBalances'],
    {
      may: 'read',
      summary: "List members' balances: negative first, then by currency, largest first",
      query: {
        ...balanceFilter,
        ...pageQuery,
      },
      answer: Type.Object(
        {
          totals: Type.Array(totalsOfCurrency),
          rows: Type.Array(balance),
          nextCursor: nullable(Type.String()),
        },
        { title: 'BalancePage' },
      ),
    },
    async (request) => {
      const { publisherId } = request.params;
      const { group: groupId = null, currency = null, owing: isOwing = null, q: typed } = request.query;
      const { cursor = null, limit: size = 50 } = request.query;
      const filter = { publisherId, groupId, currency, isOwing, typed };
      return await readBalancePage(db, pages, filter, { cursor, size });
    },
  );
}
