import { type Static, Type } from 'typebox';
import { alsoSent } from '../platform/http/schemas/known-names.ts';
import { anyOfThese, currency, plain, text, timestamp } from '../platform/http/schemas/schemas.ts';
import { nullIsAbsent } from '../platform/http/schemas/validation.ts';

export const platforms = ['PC', 'PlayStation', 'Xbox', 'Switch', 'Apple', 'Android', 'VR'] as const;
export const statuses = ['Normal', 'Test', 'Refund', 'Fraud', 'Chargeback'] as const;
export const origins = ['api', 'webshopCode', 'storefrontCode'] as const;
export const actions = ['Refund', 'Fraud', 'Chargeback'] as const;

export type TransactionStatus = (typeof statuses)[number];
export type Action = (typeof actions)[number];
export type Origin = (typeof origins)[number];

export const transactionId = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: plain,
  description: '1 to 255 characters, with no control characters.',
});

const amount = (description: string) => Type.Number({ minimum: 0, description });

const platform = Type.String({
  enum: [...platforms],
  title: 'Platform',
  description: 'Platform on which the purchase was made.',
});

const totalSpendToDate = Type.Object(
  {
    total: amount('Amount the player has spent so far.'),
    currency: currency('Currency of `total`.'),
  },
  {
    title: 'TotalSpend',
    description: 'Total amount the player has spent. Used only when `lastPurchase` is absent.',
  },
);

const joinDate = Type.Optional(timestamp('Time at which the player joined the game.'));

const newMetrics = Type.Object(
  {
    joinDate,
    conversion: Type.Optional(
      Type.Object(
        {
          lastPurchase: Type.Optional(
            Type.Object({
              date: Type.Optional(timestamp("Time of the player's last purchase.")),
              platform: Type.Optional(text(255)),
            }),
          ),
          lastPurchaseDate: Type.Optional(timestamp('Older name for `lastPurchase.date`.')),
          totalSpendToDate: Type.Optional(totalSpendToDate),
        },
        anyOfThese('lastPurchase', 'lastPurchaseDate', 'totalSpendToDate'),
      ),
    ),
  },
  { title: 'NewMetrics', description: 'Statistics about the player, used to compute conversion rates.' },
);

/**
 * One entry in a create request. Other properties are ignored, including properties that the service sets
 * itself.
 */
export const transactionEntry = Type.Object(
  {
    code: text(
      255,
      'Creator code to credit. Case-insensitive. `@player` credits the code that the player (`playerId`) had entered by `transactionDate`.',
    ),
    description: text(2_000),
    status: Type.Optional(
      Type.Unknown({ description: '`Normal` or `Test`. Any other value is stored as `Normal`.' }),
    ),
    // The minimum depends on the units, so read-entry.ts checks it.
    subtotal: Type.Number({
      description:
        'Amount in minor units of `currency`: a whole number, at least 1. With `useLDCurrency=false`, an amount in major units.',
    }),
    currency: currency('Currency of `subtotal`.'),
    total: Type.Optional(
      Type.Number({
        description:
          'Amount in minor units of `totalCurrency`: a whole number, at least 0. Defaults to `subtotal`.',
      }),
    ),
    totalCurrency: Type.Optional(currency('Currency of `total`. Defaults to `currency`.')),
    transactionId,
    transactionDate: timestamp('Time at which the purchase was made.'),
    platform: Type.Optional(platform),
    playerId: Type.Optional(text(255, 'Id of the player who made the purchase.')),
    playerName: Type.Optional(text(255, 'Display name of the player who made the purchase.')),
    metrics: Type.Optional(newMetrics),
    memberSharePercent: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 100,
        description: 'Percentage of `subtotal` that the member receives. Overrides every other share.',
      }),
    ),
    skuId: Type.Optional(text(255, 'Your id for the purchased item.')),
  },
  {
    title: 'NewTransaction',
    description: 'A purchase to credit to a member.',
    ...nullIsAbsent,
    // Callers may send back a record that they have read. The service's own fields therefore don't count as
    // misspelled names.
    ...alsoSent('id', 'memberPlayerId', 'memberShareAmount', 'memberPaid', 'origin'),
  },
);

export type TransactionEntry = Static<typeof transactionEntry>;

/** Maximum number of entries in a list of purchases. Entries of a split share a transactionId. */
export const maxEntries = 1_000;
export const transactionEntries = Type.Array(transactionEntry, {
  minItems: 1,
  maxItems: maxEntries,
  ...nullIsAbsent,
});
export const createBody = Type.Union([transactionEntry, transactionEntries]);

const storedMetrics = Type.Object(
  {
    joinDate,
    conversion: Type.Optional(
      Type.Object({
        lastPurchase: Type.Optional(
          Type.Object({ date: Type.Optional(timestamp('')), platform: Type.Optional(Type.String()) }),
        ),
        totalSpendToDate: Type.Optional(totalSpendToDate),
      }),
    ),
  },
  { title: 'Metrics', description: 'Stored statistics about the player.' },
);

export type Metrics = Static<typeof storedMetrics>;

export const transactionFields = {
  id: Type.String({ format: 'uuid', description: 'Unique id of the record, generated by the service.' }),
  code: Type.String({ description: "Credited creator code, in the member's own spelling." }),
  memberPlayerId: Type.Optional(Type.String({ description: 'Your player id for the credited member.' })),
  description: Type.String(),
  status: Type.String({
    enum: [...statuses],
    title: 'TransactionStatus',
    description: 'Status of the record: `Normal` or `Test` when recorded, or the status set by an update.',
  }),
  origin: Type.String({
    enum: [...origins],
    title: 'TransactionOrigin',
    description: 'Channel through which the purchase was received.',
  }),
  subtotal: Type.Integer({ minimum: 1, description: 'Subtotal in minor units of `currency`.' }),
  currency: currency('Currency of `subtotal`.'),
  total: Type.Integer({ minimum: 0, description: 'Total in minor units of `totalCurrency`.' }),
  totalCurrency: currency('Currency of `total`.'),
  transactionId: Type.String(),
  transactionDate: Type.String({ format: 'date-time' }),
  platform: Type.Optional(platform),
  playerId: Type.Optional(Type.String()),
  playerName: Type.Optional(Type.String()),
  metrics: Type.Optional(storedMetrics),
  memberShareAmount: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "The member's share, in minor units of `currency`. Absent until the record is posted.",
    }),
  ),
  memberSharePercent: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  memberPaid: Type.Boolean({ description: 'True if the member has been paid for this record.' }),
  skuId: Type.Optional(Type.String()),
};

const metaFields = {
  createdAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Time at which the record was created. Only with `include=meta`.',
    }),
  ),
  updatedAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        "Time at which the record was created, or at which its status, its refunded amount or the buyer's `playerId` last changed. Only with `include=meta`.",
    }),
  ),
  groupId: Type.Optional(Type.String({ description: 'Id of the creator group. Only with `include=meta`.' })),
  memberId: Type.Optional(
    Type.String({ description: 'Account id of the credited member. Only with `include=meta`.' }),
  ),
  refundedAmount: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Part of `subtotal` that was refunded, in minor units of `currency`; 0 if nothing was. Only with `include=meta`.',
    }),
  ),
};

export const include = Type.Optional(
  Type.String({
    enum: ['meta'],
    description:
      '`meta` adds `createdAt`, `updatedAt`, `groupId`, `memberId`, and `refundedAmount` to each record.',
  }),
);

/** Attribution record in responses. Absent values are left out. */
export const transactionRecord = Type.Object(
  {
    transaction: Type.Object(
      { ...transactionFields, ...metaFields },
      {
        title: 'Transaction',
        description: 'An attribution record: a purchase, or part of one, credited to a member.',
      },
    ),
  },
  { title: 'WrappedTransaction', description: 'A transaction, wrapped in an object.' },
);

export type TransactionRecord = Static<typeof transactionRecord>;

export const transactionRecords = Type.Array(transactionRecord);

export const transactionsPath = '/v1/attributions/transactions';

export const transactionTags = ['Transactions'];
