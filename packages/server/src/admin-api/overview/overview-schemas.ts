import { Type } from 'typebox';
import { groupQuery, minor, nullable, time } from '../schemas.ts';
import { creator, transactionRow } from '../transactions/transaction-schemas.ts';
import type { Sums } from './read-totals.ts';

const day = (description: string) =>
  Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: `${description} A day of UTC.` });

export const daysQuery = {
  ...groupQuery,
  from: Type.Optional(day('The first.')),
  until: Type.Optional(day('Not included.')),
};

const days = Type.Object({ from: day('The first.'), until: day('Not included.') }, { title: 'UtcDays' });
const count = (description: string) => Type.String({ pattern: '^[0-9]+$', description });

const sumFields = {
  rowCount: count('Rows that count; Test rows do not.'),
  grossMinor: minor('Subtotals.'),
  shareMinor: minor('Shares, those reversed later too.'),
  reversedCount: count('Rows whose money went back.'),
  reversedGrossMinor: minor('Subtotals of those.'),
  reversedShareMinor: minor('Shares of those.'),
};

const sums = Type.Object(sumFields, { title: 'PurchaseSums', description: 'What purchases came to.' });

export const toSums = (of: Sums) => ({
  rowCount: String(of.rowCount),
  grossMinor: String(of.grossMinor),
  shareMinor: String(of.shareMinor),
  reversedCount: String(of.reversedCount),
  reversedGrossMinor: String(of.reversedGrossMinor),
  reversedShareMinor: String(of.reversedShareMinor),
});

export const noSums: Sums = {
  rowCount: 0n,
  grossMinor: 0n,
  shareMinor: 0n,
  reversedCount: 0n,
  reversedGrossMinor: 0n,
  reversedShareMinor: 0n,
};

export const overview = Type.Object(
  {
    period: days,
    before: days,
    currencies: Type.Array(
      Type.Object({ currency: Type.String(), now: sums, before: sums }, { title: 'CurrencyOverview' }),
    ),
  },
  { title: 'Overview', description: 'A period against as many days right before it.' },
);

export const rollups = Type.Object(
  {
    period: days,
    days: Type.Array(
      Type.Object({ day: day('Which.'), currency: Type.String(), ...sumFields }, { title: 'DaySums' }),
      { description: 'Days without purchases are left out.' },
    ),
  },
  { title: 'Rollups', description: 'Sums day by day.' },
);

export const topCreators = Type.Object(
  {
    period: days,
    rows: Type.Array(
      Type.Object(
        {
          creator,
          currency: Type.String(),
          rowCount: sumFields.rowCount,
          grossMinor: sumFields.grossMinor,
          shareMinor: minor('Shares less those reversed.'),
        },
        { title: 'TopCreator' },
      ),
    ),
  },
  { title: 'TopCreators', description: 'Who earned the most in each currency.' },
);

const people = Type.Integer({ minimum: 0, description: 'Creators.' });

export const attention = Type.Object(
  {
    endpoints: Type.Array(
      Type.Object(
        {
          endpointId: Type.String(),
          failingSince: nullable(time('Since when nothing arrives.')),
          disabledReason: nullable(Type.String({ description: 'Why it was switched off.' })),
        },
        { title: 'FailingEndpoint' },
      ),
    ),
    unpostedSince: nullable(time('When the oldest purchase was recorded that does not count yet.')),
    due: Type.Array(
      Type.Object({ groupId: Type.String(), currency: Type.String() }, { title: 'PayoutDue' }),
      { description: 'Where somebody can be paid now; a preview says who, and how much.' },
    ),
    unpaidPayouts: Type.Integer({ minimum: 0, description: 'Payouts that were made and not paid.' }),
    applicants: Type.Array(
      Type.Object({ groupId: Type.String(), memberCount: people }, { title: 'Applicants' }),
      { description: 'Pending creators; 250 means at least so many.' },
    ),
  },
  { title: 'Attention', description: 'What somebody should look at.' },
);

export const tail = Type.Object(
  {
    rows: Type.Array(
      Type.Object(
        { row: transactionRow, recordedAt: time('When the service recorded it.') },
        { title: 'TailRow' },
      ),
      { description: 'The newest first; some may be known already.' },
    ),
  },
  { title: 'Tail', description: 'What was recorded last.' },
);
