import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import { readLedger } from '../../settlement/read-ledger.ts';
import { adminOperations } from '../admin-operations.ts';
import { minor, nullable, time } from '../schemas.ts';
import { verificationRoutes } from './verification-routes.ts';

const zeroSum = Type.Object(
  {
    currency: Type.String(),
    earnedMinor: minor('Shares of posted purchases.'),
    reversedMinor: minor('Shares of posted purchases that were reversed.'),
    bountiesMinor: minor('Payment rewards of bounties.'),
    paidMinor: minor('Amounts in payouts, paid or in progress.'),
    toBePaidMinor: minor('Part of `paidMinor` that is in payouts not marked as paid yet.'),
    owedMinor: minor('Sum of all balances; negative balances reduce it.'),
    differenceMinor: minor('earned − reversed + bounties − paid − owed; anything but 0 is a fault.'),
  },
  {
    title: 'ZeroSum',
    description: 'Sums in one currency. Amounts in different currencies are never added together.',
  },
);

export function ledgerRoutes(app: App, service: Service, shared: { pages: Pages }): void {
  const { operation } = adminOperations(app, 'Ledger');
  const { db } = service.database;
  operation(
    ['get', '/publishers/:publisherId/ledger', 'readLedger'],
    {
      may: 'read',
      summary: "Get the ledger's sums, its last successful verification, and the unposted rows",
      answer: Type.Object(
        {
          at: time('Time of the snapshot that all sums come from.'),
          zeroSums: Type.Array(zeroSum),
          unposted: Type.Object(
            {
              rowCount: Type.Integer(),
              isAtLeast: Type.Boolean({
                description: 'True if there are more unposted rows than were counted.',
              }),
              oldestAt: nullable(time('When the oldest unposted row was recorded.')),
            },
            { title: 'UnpostedRows' },
          ),
          proven: nullable(
            Type.Object(
              {
                lastAt: time('Time of the last verification that found no faults.'),
                allAt: time('Time of the last full verification that found no faults.'),
              },
              {
                title: 'LastProof',
                description: 'Null if no verification has succeeded since the last fault.',
              },
            ),
          ),
        },
        { title: 'LedgerState' },
      ),
    },
    ({ params }) => readLedger(db, params.publisherId),
  );
  verificationRoutes(app, service, shared);
}
