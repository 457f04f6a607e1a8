import { Type } from 'typebox';
import type { Sums } from '../../settlement/read-totals.ts';
import { groupQuery, minor, nullable, oneOf, time } from '../schemas.ts';
import { creator, transactionRow } from '../transactions/transaction-schemas.ts';
import { comparisons } from './utc-days.ts';

const day = (description: string) =>
  Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: `${description} In UTC.` });

export const daysQuery = {
  ...groupQuery,
  from: Type.Optional(day('First day.')),
  until: Type.Optional(day('Day after the last day.')),
};

export const comparedQuery = {
  ...daysQuery,
  compare: Type.Optional(
    oneOf(comparisons, {
      default: 'previous',
      description:
        '`previous`: the same number of days immediately before the period. `year`: the same dates a year earlier.',
    }),
  ),
};

const days = Type.Object(
  { from: day('First day.'), until: day('Day after the last day.') },
  { title: 'UtcDays' },
);
const count = (description: string) => Type.String({ pattern: '^[0-9]+$', description });

const sumFields = {
  rowCount: count('Number of rows, excluding test purchases.'),
  grossMinor: minor('Sum of subtotals.'),
  shareMinor: minor('Sum of shares, including shares reversed later.'),
  reversedCount: count('Number of reversed rows.'),
  reversedGrossMinor: minor('Sum of subtotals of the reversed rows.'),
  reversedShareMinor: minor('Sum of shares of the reversed rows.'),
};

const sums = Type.Object(sumFields, { title: 'PurchaseSums', description: 'Sums of purchases.' });

export const toSums = (found: Sums) => ({
  rowCount: String(found.rowCount),
  grossMinor: found.grossMinor,
  shareMinor: found.shareMinor,
  reversedCount: String(found.reversedCount),
  reversedGrossMinor: found.reversedGrossMinor,
  reversedShareMinor: found.reversedShareMinor,
});

export const zeroSums: Sums = {
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
    compared: nullable(
      Type.Object(
        { days, before: days },
        {
          title: 'ComparedDays',
          description:
            'Days of the period that are over, and the days they are compared with; null if none is over.',
        },
      ),
    ),
    currencies: Type.Array(
      Type.Object(
        { currency: Type.String(), now: sums, finished: sums, before: sums },
        {
          title: 'CurrencyOverview',
          description:
            '`now` covers the period, `finished` covers `compared.days`, and `before` covers `compared.before`.',
        },
      ),
    ),
  },
  { title: 'Overview', description: 'Sums for a period, and for the days that are compared.' },
);

export const rollups = Type.Object(
  {
    period: days,
    days: Type.Array(
      Type.Object(
        { day: day('Day of the sums.'), currency: Type.String(), ...sumFields },
        { title: 'DaySums' },
      ),
      { description: 'Days without purchases are left out.' },
    ),
  },
  { title: 'Rollups', description: 'Sums by day.' },
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
          shareMinor: minor('Sum of shares, minus reversed shares.'),
        },
        { title: 'TopCreator' },
      ),
    ),
  },
  { title: 'TopCreators', description: 'Creators with the highest shares in each currency.' },
);

const place = (description: string) => Type.Integer({ minimum: 1, description });

export const risingCreators = Type.Object(
  {
    period: days,
    before: days,
    rows: Type.Array(
      Type.Object(
        {
          creator,
          place: place('Rank in the period, by shares minus reversed shares. Equal amounts share a rank.'),
          placeBefore: nullable(
            place(
              'Rank in the period it is compared with; null for a creator without earnings in that period.',
            ),
          ),
          shareMinor: minor('Sum of shares in the period, minus reversed shares.'),
          isNew: Type.Boolean({
            description: 'True if the first purchase ever is in the last seven days, including today.',
          }),
        },
        { title: 'RisingCreator' },
      ),
      { description: 'Sorted by places gained, largest gain first.' },
    ),
  },
  { title: 'RisingCreators', description: 'Creators who rose in the ranking for one currency.' },
);

const memberCount = Type.Integer({ minimum: 0, description: 'Number of creators.' });

const changeCount = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 250, description: `${description} 250 means 250 or more.` });

export const changes = Type.Object(
  {
    from: day('First day.'),
    joinedCreators: changeCount('Number of approved creators who joined since then.'),
    createdPayouts: changeCount('Number of payouts that were created since then and not canceled.'),
    paidPayouts: changeCount('Number of payouts that were marked as paid since then.'),
  },
  { title: 'Changes' },
);

const currencyTotals = (description: string) =>
  Type.Array(
    Type.Object(
      { currency: Type.String(), totalMinor: minor('Sum in this currency.') },
      { title: 'CurrencyTotal' },
    ),
    { description },
  );

export const attention = Type.Object(
  {
    endpoints: Type.Array(
      Type.Object(
        {
          endpointId: Type.String(),
          failingSince: nullable(
            time('Time of the first failed attempt since the last successful delivery.'),
          ),
          disabledReason: nullable(Type.String({ description: 'Reason the endpoint was disabled.' })),
          overdueSince: nullable(
            time(
              'Time at which the oldest delivery that is more than a minute late should have been attempted.',
            ),
          ),
          isOffByTeam: Type.Boolean({ description: 'True if a person turned the endpoint off.' }),
          lastFailedEventId: nullable(
            Type.String({ description: 'Id of the newest event whose last delivery attempt failed.' }),
          ),
        },
        { title: 'FailingEndpoint' },
      ),
    ),
    unpostedSince: nullable(time('Recording time of the oldest unposted purchase.')),
    due: Type.Array(
      Type.Object({ groupId: Type.String(), currency: Type.String() }, { title: 'PayoutDue' }),
      {
        description:
          'Groups and currencies in which at least one creator is due a payment. A preview lists the creators and amounts.',
      },
    ),
    overdue: Type.Array(
      Type.Object(
        {
          groupId: Type.String(),
          plannedFor: time('Planned day: its first instant in UTC.'),
          withinDays: Type.Integer({
            description: 'Number of days after the planned day within which the payout was promised.',
          }),
          overdueSince: time('Time from which the payout is overdue: the end of these days.'),
        },
        { title: 'PayoutOverdue' },
      ),
      {
        description:
          'Groups that have no payout although a creator was due a payment on the planned day and its grace period has passed. Earliest first.',
      },
    ),
    unpaidPayouts: Type.Integer({
      minimum: 0,
      description: 'Number of payouts that were created but not yet paid.',
    }),
    unpaidTotals: currencyTotals('Sums of these payouts, by currency.'),
    returnedLines: Type.Integer({
      minimum: 0,
      description:
        'Number of payout lines that failed or were returned and whose amounts are waiting for the next payout.',
    }),
    returnedTotals: currencyTotals('Sums of these lines, by currency.'),
    waitingPayees: Type.Integer({
      minimum: 0,
      description: 'Number of payout methods that are waiting for a second person.',
    }),
    disputedPayees: Type.Integer({
      minimum: 0,
      description:
        'Number of creators who said that they did not change their payout method. A review keeps them out of payouts until the staff end it; 250 means 250 or more.',
    }),
    endingClearances: Type.Integer({
      minimum: 0,
      description:
        "Number of creators whose tax clearance ends within 30 days and isn't extended by another one; 250 means 250 or more.",
    }),
    applicants: Type.Array(Type.Object({ groupId: Type.String(), memberCount }, { title: 'Applicants' }), {
      description: 'Pending creators by group; 250 means 250 or more.',
    }),
    erasures: Type.Array(
      Type.Object(
        {
          memberId: Type.String(),
          name: Type.String(),
          dueAt: time('Time from which the erasure starts, once no money is open.'),
        },
        { title: 'RequestedErasure' },
      ),
      {
        description:
          'Creators who requested the erasure of their data in the portal, at most 20. Earliest first. What you owe them is paid before.',
      },
    ),
    ledgerUnsoundSince: nullable(
      time('Time of the last ledger verification, if it found an unexplained difference.'),
    ),
    disabledChannels: Type.Integer({
      minimum: 0,
      description: 'Number of Slack and Discord channels that were disabled because messages failed.',
    }),
  },
  { title: 'Attention', description: 'Items that need attention.' },
);

export const tail = Type.Object(
  {
    rows: Type.Array(
      Type.Object(
        { row: transactionRow, recordedAt: time('Time the service recorded the row.') },
        { title: 'TailRow' },
      ),
      { description: 'Newest first. Rows from the previous response may be repeated.' },
    ),
  },
  { title: 'Tail', description: 'Most recently recorded rows.' },
);
