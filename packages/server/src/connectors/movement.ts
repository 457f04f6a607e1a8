/** Amount as a provider sent it: the digits of the text, in the provider's unit. */
export interface SentAmount {
  text: string;
  /** Currency code, in upper case. */
  currency: string;
}

/** Amount in minor units of our currency table. */
export interface Amount {
  minor: bigint;
  currency: string;
}

export interface SaleItem {
  skuId: string | null;
  name: string | null;
  /** Weight of the item in the order: its price, in any unit that all items share. */
  weight: bigint;
}

/** Purchase that was paid. */
export interface Sale {
  kind: 'Sale';
  /** The provider's id of the order, which refunds and disputes refer to. */
  orderId: string;
  /** Id that the publisher's back end uses for the purchase; null if it sent none. */
  sentTransactionId: string | null;
  /** Creator code or split, such as `ALICE:70,BOB:30`; null if the order has none. */
  code: string | null;
  playerId: string | null;
  /** Amount without tax. */
  subtotal: Amount;
  /** Amount that the buyer paid. */
  total: Amount;
  items: readonly SaleItem[];
  description: string | null;
  /** ISO 8601. */
  at: string;
  /** First payment of the subscription that this payment renews; null if the provider doesn't tell. Absent for other purchases. */
  renewalOf?: { startedAt: string | null };
}

export const reversals = ['Refund', 'Fraud', 'Chargeback'] as const;

/** Money that went back to the buyer. */
export interface Refund {
  kind: 'Refund';
  orderId: string;
  /** The provider's id of the refund. */
  subjectId: string;
  reversal: (typeof reversals)[number];
  /** Null for everything that is left. */
  amount: Amount | null;
  /** True if the amount includes the tax that the buyer paid. */
  includesTax: boolean;
  at: string;
}

/** Refund or chargeback that was undone: the buyer's payment is valid again. */
export interface Reversed {
  kind: 'Reversed';
  orderId: string;
  subjectId: string;
  at: string;
}

/** Dispute of a payment. */
export interface Dispute {
  kind: 'Dispute';
  orderId: string;
  subjectId: string;
  state: 'Opened' | 'Won' | 'Lost';
  /** Disputed amount with tax; null for everything that is left. */
  amount: Amount | null;
  at: string;
}

/** Reasons for which a provider's event is no movement of money. */
export type IgnoredReason = 'Type' | 'Pending' | 'Subscription' | 'OtherSale' | 'Free';

export interface Ignored {
  kind: 'Ignored';
  orderId: string | null;
  reason: IgnoredReason;
}

export type Movement = Sale | Refund | Reversed | Dispute | Ignored;

/** One of the events of a provider's request. */
export interface ReadEvent {
  /** Identifies the event forever: the provider's id, or type and order. */
  key: string;
  /** The provider's name for this kind of event. */
  type: string;
  isTest: boolean;
  movement: Movement;
}
