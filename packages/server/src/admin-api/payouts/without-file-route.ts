import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { readPayouts } from '../../settlement/payouts/read/read-payouts.ts';
import { readWithoutFile } from '../../settlement/payouts/read/read-without-file.ts';
import { adminOperations } from '../admin-operations.ts';
import { minor } from '../schemas.ts';
import { chosenPayouts, readChosen } from './chosen-payouts.ts';

export function withoutFileRoute(app: App, { database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['get', '/publishers/:publisherId/payouts/without-file', 'countLinesWithoutFile'],
    {
      may: 'read',
      summary: 'Count the lines of payouts that no payment file contains',
      description:
        'These lines had no usable payout method when their payout was created, or are too large for a bank. Lines with a result are not ' +
        'counted. Read this before marking payouts as paid, because marking a payout also marks these lines.',
      query: { payouts: chosenPayouts },
      answer: Type.Object(
        {
          payouts: Type.Array(
            Type.Object(
              {
                payoutId: Type.String(),
                number: Type.Integer({ description: 'Payout number.' }),
                currency: Type.String(),
                lineCount: Type.Integer({ description: 'Number of these lines.' }),
                sumMinor: minor('Sum of these lines.'),
                names: Type.Array(Type.String(), {
                  description: 'Names of the creators with the largest of these lines, at most three.',
                }),
              },
              { title: 'PayoutWithoutFile' },
            ),
            { description: 'Payouts with such lines, by currency and group.' },
          ),
        },
        { title: 'PayoutsWithoutFile' },
      ),
    },
    async (request) => {
      const { publisherId } = request.params;
      const payouts = await readPayouts(db, publisherId, readChosen(request.query.payouts));
      const found = await readWithoutFile(db, publisherId, payouts);
      return {
        payouts: found.map(({ payout, ...sums }) => ({
          payoutId: payout.batchId,
          number: payout.number,
          currency: payout.currency,
          ...sums,
        })),
      };
    },
  );
}
