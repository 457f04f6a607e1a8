import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { countMembers } from '../../members/read/count-members.ts';
import { listByStatus } from '../../members/read/list-by-status.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import { adminOperations } from '../admin-operations.ts';
import { currencyCode, groupQuery, pageOf, pageQuery } from '../schemas.ts';
import { boundedCount, listedMember, memberFilter } from './member-schemas.ts';
import { joinBalances, withBalances } from './with-balances.ts';

export function listMemberRoutes(app: App, { database: { db } }: Service, pages: Pages): void {
  const { operation } = adminOperations(app, 'Creators');
  operation(
    ['get', '/publishers/:publisherId/members', 'listCreators'],
    {
      may: 'read',
      summary: 'List creators by status',
      description:
        'Lists the creators that have the given status, with their balances, most recently joined first. With `balanceIn`, the highest balance in that currency comes first, and debts come last.',
      query: {
        ...memberFilter,
        balanceIn: Type.Optional(currencyCode('Currency whose balances determine the order.')),
        ...pageQuery,
      },
      answer: pageOf(listedMember, 'CreatorPage'),
    },
    async (request) => {
      const { publisherId } = request.params;
      const { status = 'Approved', group: groupId, tier: tierId, tag: tagId, q: typed } = request.query;
      const { cursor = null, limit: size = 50, balanceIn = null } = request.query;
      const filter = { publisherId, status, groupId, tierId, tagId, typed };
      const order =
        balanceIn === null ? null : { currency: balanceIn, join: joinBalances(publisherId, balanceIn) };
      const { rows, nextCursor } = await listByStatus(db, pages, filter, { cursor, size, order });
      return { rows: await withBalances(db, publisherId, rows), nextCursor };
    },
  );
  operation(
    ['get', '/publishers/:publisherId/members/counts', 'countCreators'],
    {
      may: 'read',
      summary: 'Count creators by status',
      query: groupQuery,
      answer: Type.Object(
        { Approved: boundedCount, Pending: boundedCount, Removed: boundedCount },
        { title: 'CreatorCounts' },
      ),
    },
    (request) => countMembers(db, request.params.publisherId, request.query.group),
  );
}
