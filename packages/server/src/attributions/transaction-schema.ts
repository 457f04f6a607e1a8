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

/** The publisher's own id of a purchase: 1 to 255 characters, no control characters. */
export const transactionId = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: plain,
  description: 'text of 1 to 255 characters without control characters',
});

const amount = (description: string) => Type.Number({ minimum: 0, description });

const platform = Type.String({
  enum: [...platforms],
  title: 'Platform',
  description: 'Where a purchase was made.',
});

const totalSpendToDate = Type.Object(
  {
    total: amount('What the player has spent so far.'),
    currency: currency('Currency of total.'),
  },
  {
    title: 'TotalSpend',
    description: 'What a player has spent in all. Read only when lastPurchase is absent.',
  },
);

const joinDate = Type.Optional(timestamp('When the player joined the game.'));

const sentMetrics = Type.Object(
  {
    joinDate,
    conversion: Type.Optional(
      Type.Object(
        {
          lastPurchase: Type.Optional(
            Type.Object({
              date: Type.Optional(timestamp("The player's last purchase.")),
              platform: Type.Optional(text(255)),
            }),
          ),
          lastPurchaseDate: Type.Optional(timestamp('Older form of lastPurchase.date.')),
          totalSpendToDate: Type.Optional(totalSpendToDate),
        },
        anyOfThese('lastPurchase', 'lastPurchaseDate', 'totalSpendToDate'),
      ),
    ),
  },
  { title: 'NewMetrics', description: 'What a conversion rate is computed from.' },
);

/** One entry of a create request. Other properties are ignored, those the service owns included. */
export const transactionEntry = Type.Object(
  {
    code: text(255, 'Creator code to credit, in any case.'),
    description: text(2_000),
    status: Type.Optional(
      Type.Unknown({ description: 'Normal or Test; anything else is stored as Normal.' }),
    ),
    // Its least amount depends on the units: read-entry.ts has the rule.
    subtotal: Type.Number({
      description:
        'Whole number of minor units of currency, at least 1 (major units with useLDCurrency=false).',
    }),
    currency: currency('Currency of subtotal.'),
    total: Type.Optional(
      Type.Number({
        description: 'Whole number of minor units of totalCurrency, at least 0; subtotal when absent.',
      }),
    ),
    totalCurrency: Type.Optional(currency('Currency of total; currency when absent.')),
    transactionId,
    transactionDate: timestamp('When the purchase was made.'),
    platform: Type.Optional(platform),
    playerId: Type.Optional(text(255, "Purchasing player's id.")),
    playerName: Type.Optional(text(255, "Purchasing player's display name.")),
    metrics: Type.Optional(sentMetrics),
    memberSharePercent: Type.Optional(
      Type.Number({ minimum: 1, maximum: 100, description: 'Percent of subtotal the member receives.' }),
    ),
    skuId: Type.Optional(text(255, "Publisher's id of the purchased item.")),
  },
  {
    title: 'NewTransaction',
    description: 'A purchase to credit to one member.',
    ...nullIsAbsent,
    // A record may be sent back as it was read: what the service owns of it is no misspelt name.
    ...alsoSent('id', 'memberPlayerId', 'memberShareAmount', 'memberPaid', 'origin'),
  },
);

export type TransactionEntry = Static<typeof transactionEntry>;

/** A purchase, or a list of 1 to 1,000; the same transactionId may stand in several entries (a split). */
export const maxEntries = 1_000;
export const transactionEntries = Type.Array(transactionEntry, {
  minItems: 1,
  maxItems: maxEntries,
  ...nullIsAbsent,
});
export const createBody = Type.Union([transactionEntry, transactionEntries]);

const keptMetrics = Type.Object(
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
  { title: 'Metrics', description: 'The metrics of a purchase, as they were kept.' },
);

export type Metrics = Static<typeof keptMetrics>;

export const transactionFields = {
  id: Type.String({ format: 'uuid', description: 'Id of this record, made by the service.' }),
  code: Type.String({ description: "The credited code, in the member's own spelling." }),
  memberPlayerId: Type.Optional(Type.String({ description: "Publisher's id of the credited member." })),
  description: Type.String(),
  status: Type.String({
    enum: [...statuses],
    title: 'TransactionStatus',
    description: 'Normal or Test when recorded; what an update made of it.',
  }),
  origin: Type.String({
    enum: [...origins],
    title: 'TransactionOrigin',
    description: 'Where a record came from.',
  }),
  subtotal: Type.Integer({ minimum: 1, description: 'Minor units of currency.' }),
  currency: currency('Currency of subtotal.'),
  total: Type.Integer({ minimum: 0, description: 'Minor units of totalCurrency.' }),
  totalCurrency: currency('Currency of total.'),
  transactionId: Type.String(),
  transactionDate: Type.String({ format: 'date-time' }),
  platform: Type.Optional(platform),
  playerId: Type.Optional(Type.String()),
  playerName: Type.Optional(Type.String()),
  metrics: Type.Optional(keptMetrics),
  memberShareAmount: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "The member's share in minor units of currency, once settled.",
    }),
  ),
  memberSharePercent: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  memberPaid: Type.Boolean({ description: 'Whether the member has been paid for this record.' }),
  skuId: Type.Optional(Type.String()),
};

/** What `include=meta` adds to a record that is read. */
const metaFields = {
  createdAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'When it was recorded; with include=meta.' }),
  ),
  updatedAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        "When it was recorded, or its status or the buyer's playerId last changed; with include=meta.",
    }),
  ),
  groupId: Type.Optional(Type.String({ description: 'Its creator group; with include=meta.' })),
  memberId: Type.Optional(
    Type.String({ description: "The credited member's account id; with include=meta." }),
  ),
};

/** The query parameter that asks for them. */
export const include = Type.Optional(
  Type.String({
    enum: ['meta'],
    description: 'meta: each row has createdAt, updatedAt, groupId and memberId, too.',
  }),
);

/** An attribution record as answers carry it; absent values are left out. */
export const transactionRecord = Type.Object(
  {
    transaction: Type.Object(
      { ...transactionFields, ...metaFields },
      {
        title: 'Transaction',
        description: 'An attribution record: a purchase, or a part of one, credited to a member.',
      },
    ),
  },
  { title: 'WrappedTransaction', description: 'A transaction as answers carry it.' },
);

export type TransactionRecord = Static<typeof transactionRecord>;

export const transactionRecords = Type.Array(transactionRecord);

/** What the API's document puts these operations under. */
export const transactionTags = ['Transactions'];
