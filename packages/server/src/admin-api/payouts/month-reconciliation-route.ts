import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { asSeparateRequest } from '../../platform/http/as-separate-request.ts';
import { unavailable } from '../../platform/refusal.ts';
import { FairTurns } from '../../platform/work/fair-turns.ts';
import { readMonthSpan } from '../../settlement/payouts/month/month-span.ts';
import { reconcileMonth } from '../../settlement/payouts/month/reconcile-month.ts';
import { adminOperations } from '../admin-operations.ts';
import { minor, nullable, time } from '../schemas.ts';
import { monthQuery } from './month-query.ts';

/**
 * Maximum concurrent reconciliations. A month with a million entries occupies a connection for seconds, and settlement needs
 * connections too.
 */
const maxConcurrent = 1;
const maxWaiting = 20;
const maxWaitMs = 10_000;

const difference = Type.Object(
  {
    pageMinor: minor("Amount of the month's purchases, as in `readPayoutMonth`."),
    onlyFilesMinor: nullable(
      minor(
        'Part of `filesMinor` that is not in `pageMinor`. Null if too many purchases were recorded late to read them.',
      ),
    ),
    onlyPageMinor: nullable(
      minor('Part of `pageMinor` that is not in `filesMinor`. Null if `onlyFilesMinor` is.'),
    ),
    filesMinor: minor('Amount that the ledger booked in the month, as in the month-end files.'),
  },
  {
    title: 'MonthDifference',
    description:
      'An amount by purchase date and by booking date: filesMinor = pageMinor + onlyFilesMinor − onlyPageMinor.',
  },
);

const line = Type.Object(
  {
    groupId: Type.String(),
    currency: Type.String(),
    earned: difference,
    reversed: difference,
    clawedBackMinor: minor('Part of `reversed.filesMinor` that the files call `clawedBack`; zero or less.'),
    bounties: difference,
    paid: difference,
  },
  {
    title: 'ReconciledLine',
    description:
      'Amounts of a group in one currency. Reversed amounts are negative. `paid` compares payouts marked as paid in the month with amounts put into payouts in the month, less those that were returned.',
  },
);

export function monthReconciliationRoute(app: App, { database }: Service): void {
  const { operation } = adminOperations(app, 'Payouts');
  const { db, background } = database;
  const turns = new FairTurns({ maxRunning: maxConcurrent, maxWaiting });
  operation(
    ['get', '/publishers/:publisherId/payouts/month/reconciliation', 'reconcilePayoutMonth'],
    {
      may: 'read',
      summary: "Compare a month's sums by purchase date with its month-end files",
      description:
        'The sums of a month are by purchase date, and the month-end files are by booking date. For each group and currency, this says which amounts are only in the files, and which are only in the sums.',
      query: monthQuery,
      answer: Type.Object(
        {
          month: Type.String(),
          asOf: time('End of what the files cover: the end of the month, or about now.'),
          isClosed: Type.Boolean({ description: 'True if the month is over.' }),
          lines: Type.Array(line, {
            description: 'By group and currency. Lines without any amount are left out.',
          }),
        },
        { title: 'MonthReconciliation' },
      ),
    },
    async (request) => {
      const { publisherId } = request.params;
      const { month, group: groupId = null } = request.query;
      const span = await readMonthSpan(db, publisherId, month);
      if (!(await turns.take(publisherId, maxWaitMs)))
        throw unavailable('Too many months are being compared. Try again in a moment.');
      try {
        const lines = await asSeparateRequest(database, publisherId, () =>
          reconcileMonth(background, span, groupId),
        );
        return { month, asOf: span.asOf, isClosed: span.isClosed, lines };
      } finally {
        turns.giveBack(publisherId);
      }
    },
  );
}
