import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toAccountId } from '../../platform/ids.ts';
import { formatMinorUnits } from '../../platform/money.ts';
import type { Pages } from '../../platform/page.ts';
import { listHolds } from '../../settlement/holds/list-holds.ts';
import type { Hold } from '../../settlement/holds/read-holds.ts';
import { adminOperations } from '../admin-operations.ts';
import { type Column, chosenIds, exportList } from '../export-list.ts';
import { csvAnswer } from '../payouts/csv-answer.ts';
import type { Exports } from '../running-exports.ts';
import { holdFilter } from './hold-schemas.ts';

/** Registers the route that exports open holds. */
export function exportRoute(
  app: App,
  { database }: Service,
  { pages, exports }: { pages: Pages; exports: Exports },
): void {
  const { rawOperation } = adminOperations(app, 'Payouts');
  rawOperation(
    ['get', '/publishers/:publisherId/holds.csv', 'exportHolds'],
    {
      may: 'export',
      summary: 'Export open holds as CSV, newest first',
      query: { ...holdFilter, ids: chosenIds },
      answers: { 200: csvAnswer },
    },
    (request, reply) => {
      const { publisherId } = request.params;
      const { group: groupId = null, member, ids: holdIds } = request.query;
      const memberId = member === undefined ? null : toAccountId(member);
      return exportList(
        { database, exports, request, reply },
        {
          publisherId,
          name: 'holds',
          action: 'hold.export',
          columns,
          readPage: (db, position) =>
            listHolds(db, pages, { publisherId, groupId, memberId, holdIds }, position),
        },
      );
    },
  );
}

const columns: readonly Column<Hold>[] = [
  ['hold', ({ holdId }) => ({ exactId: holdId })],
  ['placedAt', ({ placedAt }) => ({ figure: placedAt.toISOString() })],
  ['placedBy', ({ placedBy }) => ({ text: placedBy.name })],
  ['reason', ({ reason }) => ({ text: reason })],
  ['endsAt', ({ endsAt }) => ({ figure: endsAt?.toISOString() ?? null })],
  ['group', ({ groupId }) => ({ exactId: groupId })],
  ['memberId', ({ memberId }) => ({ exactId: memberId })],
  ['name', ({ name }) => ({ text: name })],
  ['transactionId', ({ row }) => ({ exactId: row?.transactionId ?? null })],
  ['row', ({ row }) => ({ exactId: row?.rowId ?? null })],
  ['currency', ({ row }) => ({ figure: row?.currency ?? null })],
  ['amount', ({ row }) => ({ figure: row && formatMinorUnits(row.amountMinor, row.currency) })],
  ['amountMinor', ({ row }) => ({ figure: row && String(row.amountMinor) })],
];
