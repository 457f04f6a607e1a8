import { Type } from 'typebox';
import { minor } from '../schemas.ts';
import type { ListedSums } from './sum-for-staff.ts';

/** Schema of the sums of a list of purchases. */
export const transactionSums = Type.Object(
  {
    isExact: Type.Boolean({ description: 'False if the list has more rows than were added up.' }),
    maxRows: Type.Integer({ description: 'Maximum number of rows that are added up.' }),
    currencies: Type.Array(
      Type.Object(
        {
          currency: Type.String(),
          rowCount: Type.Integer({ minimum: 0, description: 'Number of rows, excluding test purchases.' }),
          grossMinor: minor('Sum of subtotals, including those of purchases that were reversed later.'),
          shareMinor: minor('Sum of the shares of posted rows, including shares that were reversed later.'),
          reversedShareMinor: minor('Part of `shareMinor` that was reversed.'),
        },
        {
          title: 'TransactionSum',
          description: 'Sums in one currency. Currencies are never added together.',
        },
      ),
    ),
  },
  { title: 'TransactionSums', description: 'Sums of the rows of a list.' },
);

export const toTransactionSums = ({ isExact, maxRows, currencies }: ListedSums) => ({
  isExact,
  maxRows,
  currencies: currencies.map(({ grossMinor, shareMinor, reversedShareMinor, ...sum }) => ({
    ...sum,
    grossMinor: String(grossMinor),
    shareMinor: String(shareMinor),
    reversedShareMinor: String(reversedShareMinor),
  })),
});
