import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { formatMinorUnits } from '../../platform/money.ts';
import type { Pages } from '../../platform/page.ts';
import { adminOperations } from '../admin-operations.ts';
import { type Column, chosenIds, exportList } from '../export-list.ts';
import type { Exports } from '../running-exports.ts';
import { balanceFilter } from './balance-routes.ts';
import { clawbackFilter } from './clawback-routes.ts';
import { csvAnswer } from './csv-answer.ts';
import { type ClawbackRow, listClawbacks } from './list-clawbacks.ts';
import { type BalanceRow, type ChosenBalance, readBalancePage } from './read-balance-page.ts';

interface Shared {
  pages: Pages;
  exports: Exports;
}

/** Registers the routes that export balances and clawbacks. */
export function exportListRoutes(app: App, service: Service, shared: Shared): void {
  balancesRoute(app, service, shared);
  clawbacksRoute(app, service, shared);
}

/**
 * Maximum number of chosen balances. Their keys are in the URL, which must stay below the 8 kB that proxies accept.
 */
const maxBalances = 100;
/** Each page adds up all balances, so an export reads few large pages. */
const balancesPerPiece = 5_000;

function balancesRoute(app: App, { database }: Service, { pages, exports }: Shared): void {
  const { rawOperation } = adminOperations(app, 'Payouts');
  rawOperation(
    ['get', '/publishers/:publisherId/balances.csv', 'exportBalances'],
    {
      may: 'export',
      summary: "Export members' balances as CSV",
      description:
        'The columns are those of `balances.csv` in the month-end file, with the current balances.',
      query: {
        ...balanceFilter,
        ids: Type.Optional(
          Type.Array(Type.String({ pattern: '^[^/]+/.+/[A-Z]{3}$', maxLength: 330 }), {
            minItems: 1,
            maxItems: maxBalances,
            description:
              'Balances to export, each as `groupId/memberId/currency`, as a repeated parameter or separated by commas. The default is all balances.',
          }),
        ),
      },
      answers: { 200: csvAnswer },
    },
    (request, reply) => {
      const { publisherId } = request.params;
      const { group: groupId = null, currency = null, owing: isOwing = null, q: typed, ids } = request.query;
      const filter = { publisherId, groupId, currency, isOwing, typed, chosen: ids?.map(toChosen) };
      return exportList(
        { database, exports, request, reply },
        {
          publisherId,
          name: 'balances',
          action: 'balance.export',
          columns: balanceColumns,
          rowsPerPiece: balancesPerPiece,
          readPage: (db, position) => readBalancePage(db, pages, filter, position),
        },
      );
    },
  );
}

/** Reads `group/member/currency`. An id of a member may contain a slash, but the others can't. */
function toChosen(id: string): ChosenBalance {
  const [first, last] = [id.indexOf('/'), id.lastIndexOf('/')];
  return { groupId: id.slice(0, first), memberId: id.slice(first + 1, last), currency: id.slice(last + 1) };
}

const balanceColumns: readonly Column<BalanceRow>[] = [
  ['group', ({ groupId }) => ({ exactId: groupId })],
  ['memberId', ({ memberId }) => ({ exactId: memberId })],
  ['playerId', ({ playerId }) => ({ exactId: playerId })],
  ['name', ({ name }) => ({ text: name })],
  ['currency', ({ currency }) => ({ figure: currency })],
  ['balance', ({ balanceMinor, currency }) => ({ figure: formatMinorUnits(balanceMinor, currency) })],
  ['balanceMinor', ({ balanceMinor }) => ({ figure: String(balanceMinor) })],
];

function clawbacksRoute(app: App, { database }: Service, { pages, exports }: Shared): void {
  const { rawOperation } = adminOperations(app, 'Payouts');
  rawOperation(
    ['get', '/publishers/:publisherId/clawbacks.csv', 'exportClawbacks'],
    {
      may: 'export',
      summary: 'Export clawbacks as CSV, newest first',
      query: { ...clawbackFilter, ids: chosenIds },
      answers: { 200: csvAnswer },
    },
    (request, reply) => {
      const { publisherId } = request.params;
      const { group: groupId = null, waiting: isWaiting = false, ids: refundIds } = request.query;
      const filter = { publisherId, groupId, isWaiting, refundIds };
      return exportList(
        { database, exports, request, reply },
        {
          publisherId,
          name: 'clawbacks',
          action: 'clawback.export',
          columns: clawbackColumns,
          readPage: (db, position) => listClawbacks(db, pages, filter, position),
        },
      );
    },
  );
}

const clawbackColumns: readonly Column<ClawbackRow>[] = [
  ['time', ({ createdAt }) => ({ figure: createdAt.toISOString() })],
  ['group', ({ groupId }) => ({ exactId: groupId })],
  ['memberId', ({ memberId }) => ({ exactId: memberId })],
  ['name', ({ name }) => ({ text: name })],
  ['currency', ({ currency }) => ({ figure: currency })],
  ['amount', ({ amountMinor, currency }) => ({ figure: formatMinorUnits(-amountMinor, currency) })],
  ['amountMinor', ({ amountMinor }) => ({ figure: String(-amountMinor) })],
  ['transactionId', ({ transactionId }) => ({ exactId: transactionId })],
  ['row', ({ rowId }) => ({ exactId: rowId })],
  ['status', ({ status }) => ({ figure: status })],
  ['deductedByPayout', ({ payoutId }) => ({ figure: payoutId })],
  ['clawback', ({ refundId }) => ({ exactId: refundId })],
  ['reinstated', ({ isReinstated }) => ({ figure: isReinstated ? 'yes' : 'no' })],
];
