import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import { adminErrors, minor, nullable, publisherPath, time } from '../schemas.ts';
import { readLedger } from './read-zero-sum.ts';
import { verificationRoutes } from './verification-routes.ts';

const zeroSum = Type.Object(
  {
    currency: Type.String(),
    earnedMinor: minor('Shares of posted purchases.'),
    reversedMinor: minor('Of those, what went back.'),
    bountiesMinor: minor('Rewards of bounties.'),
    paidMinor: minor('In payouts, marked as paid or on their way.'),
    owedMinor: minor('What members are owed now, those who owe us taken off.'),
    differenceMinor: minor('earned − reversed + bounties − paid − owed: anything but 0 is a fault.'),
  },
  { title: 'ZeroSum', description: 'Of one currency. Currencies are never added up.' },
);

/** Whether the ledger is healthy, and its proofs. */
export function ledgerRoutes(app: App, service: Service, shared: { pages: Pages }): void {
  const { db } = service.database;
  app.get(
    '/publishers/:publisherId/ledger',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'readLedger',
        summary: 'Whether the ledger adds up, when it was proven last, and what waits to be posted',
        tags: ['Ledger'],
        params: publisherPath,
        response: {
          200: Type.Object(
            {
              at: time('The moment that all sums are of.'),
              zeroSums: Type.Array(zeroSum),
              unposted: Type.Object(
                {
                  rowCount: Type.Integer(),
                  isAtLeast: Type.Boolean({ description: 'There are more than were counted.' }),
                  oldestAt: nullable(time('When the oldest of them was recorded.')),
                },
                { title: 'UnpostedRows' },
              ),
              proven: nullable(
                Type.Object(
                  { lastAt: time(''), allAt: time('When one looked at everything.') },
                  {
                    title: 'LastProof',
                    description: 'Null when no proof has found everything sound since the last fault.',
                  },
                ),
              ),
            },
            { title: 'LedgerState' },
          ),
          ...adminErrors,
        },
      },
    },
    async (request, reply) => {
      const { at, zeroSums, unposted, proven } = await readLedger(db, request.params.publisherId);
      return sendJson(reply, {
        at: at.toISOString(),
        zeroSums: zeroSums.map(({ currency, ...sums }) => ({
          currency,
          ...Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, String(sum)])),
        })),
        unposted: { ...unposted, oldestAt: unposted.oldestAt?.toISOString() ?? null },
        proven: proven && { lastAt: proven.lastAt.toISOString(), allAt: proven.allAt.toISOString() },
      });
    },
  );
  verificationRoutes(app, service, shared);
}
