/** Payloads of the event kinds that this version supports, by `eventType/eventAction`. */
export interface WebhookPayloads {
  'Bounty/BountyReward': BountyRewardPayload;
  'GroupManagement/NewMember': NewMemberPayload;
  'GroupManagement/RemovedMember': RemovedMemberPayload;
  'Attribution/TransactionRecorded': TransactionPayload;
  'Attribution/TransactionStatusChanged': TransactionPayload;
  'Attribution/TransactionRefunded': RefundPayload;
  'Attribution/TransactionReinstated': ReinstatementPayload;
  'Payout/PayoutCreated': PayoutPayload;
  'Payout/PayoutPaid': PayoutPayload;
  'Payout/PayoutLineReturned': PayoutLinePayload;
  'RevenueShare/ScheduleStarted': SchedulePayload;
  'RevenueShare/ScheduleEnded': SchedulePayload;
  'Player/CodeExpiring': CodePayload;
  'Webhook/Test': TestPayload;
}

export type WebhookKind = keyof WebhookPayloads;

interface Envelope<Kind, Type, Action, Payload> {
  /**
   * `eventType/eventAction` if this version supports that kind of event; otherwise `unknown`. Use it in a `switch`.
   */
  readonly kind: Kind;
  /** Unique id of the event. An event can arrive more than once, so record the id and ignore repeats. */
  readonly eventId: string;
  /** Time of the event, to the millisecond. */
  readonly createdAt: Date;
  readonly eventType: Type;
  readonly eventAction: Action;
  readonly event: Payload;
}

/** True for a test event that was sent from the dashboard. Accept such an event without acting on it. */
interface MaybeTest {
  readonly isTest?: true;
}

type EnvelopeOf<Kind extends WebhookKind> = Kind extends `${infer Type}/${infer Action}`
  ? Envelope<Kind, Type, Action, WebhookPayloads[Kind] & MaybeTest>
  : never;

export type KnownWebhookEvent = { [Kind in WebhookKind]: EnvelopeOf<Kind> }[WebhookKind];

/** Event of a kind that this version does not support yet; its fields are not typed. */
export type UnknownWebhookEvent = Envelope<'unknown', string, string, Readonly<Record<string, unknown>>>;

/**
 * Event that verifyWebhook returns. A known `kind` determines the fields of `event`. Later versions may add kinds and
 * fields, so a `switch` over `kind` needs a `default`.
 */
export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent;

/** Payload of a completed bounty. */
export interface BountyRewardPayload {
  readonly attributionGroupId: string;
  readonly attributionGroupName: string;
  readonly creatorId: string;
  readonly bountyId: string;
  readonly bountyName: string;
  readonly bountyProgressId: string;
  readonly bountyRewards: readonly BountyReward[];
}

export interface BountyReward {
  /** rewardId that the publisher uses to complete the reward. */
  readonly id: string;
  readonly name: string;
  readonly amount?: number;
  readonly externalId?: string;
  readonly creatorRewardId: string;
  readonly userId: string;
  readonly sku?: { readonly id: string; readonly name: string };
}

/** Payload for a creator who joined a group. */
export interface NewMemberPayload {
  readonly memberId: string;
  readonly code?: string;
  readonly name: string;
  readonly logoImage?: string;
}

/** Payload for a creator who is no longer a member of a group. */
export interface RemovedMemberPayload {
  readonly memberId: string;
  readonly code?: string;
  readonly removalDate: string;
  readonly removalReason: string;
}

/**
 * Payload of a purchase credited to a member. The payload is the same as the API's response, except that it
 * lacks `metrics` and includes the purchase's group.
 */
export interface TransactionPayload {
  readonly id: string;
  readonly groupId: string;
  readonly code: string;
  readonly memberPlayerId?: string;
  readonly description: string;
  readonly status: 'Normal' | 'Test' | 'Refund' | 'Fraud' | 'Chargeback';
  readonly origin: string;
  /** Minor units of currency. */
  readonly subtotal: number;
  readonly currency: string;
  /** Minor units of totalCurrency. */
  readonly total: number;
  readonly totalCurrency: string;
  readonly transactionId: string;
  readonly transactionDate: string;
  readonly platform?: string;
  readonly playerId?: string;
  readonly playerName?: string;
  /** Amount in minor units of currency. Present once the purchase is posted. */
  readonly memberShareAmount?: number;
  /** 12.5 means 12.5 percent. */
  readonly memberSharePercent?: number;
  readonly memberPaid: boolean;
  readonly skuId?: string;
}

/** Payload of a payout that was created or marked as paid. A payout covers one group and one currency. */
export interface PayoutPayload {
  readonly payoutId: string;
  readonly groupId: string;
  readonly currency: string;
  /** Amount in minor units of currency. The amount is a string because a number can't represent every sum. */
  readonly totalMinor: string;
  readonly memberCount: number;
  readonly rowCount: number;
  readonly asOf: string;
}

/** Payload of a payout's line that failed or was returned. Its amount is added to the member's next payout. */
export interface PayoutLinePayload {
  readonly payoutId: string;
  readonly groupId: string;
  /** Reference of the line in payment files, such as 1042-00017. */
  readonly reference: string;
  readonly memberId: string;
  /** Failed: the payment didn't go through. Returned: it went through, but the money came back. */
  readonly result: 'Failed' | 'Returned';
  readonly currency: string;
  /** Amount in minor units of currency, as a string, like the total of a payout. */
  readonly amountMinor: string;
  readonly note: string | null;
  readonly recordedAt: string;
}

/** Code of a player that expires within a day. */
export interface CodePayload {
  readonly groupId: string;
  readonly playerId: string;
  /** Code that credits the creator now. */
  readonly code: string;
  /** The creator's account id. */
  readonly memberId: string;
  /** ISO 8601. */
  readonly attachedAt: string;
  /** First time at which the code is no longer in force, in ISO 8601. */
  readonly expiresAt: string;
}

/** Payload of a scheduled revenue share that started or ended. */
export interface SchedulePayload {
  readonly id: string;
  readonly groupId: string;
  readonly groupName: string;
  readonly startDate: string;
  readonly endDate: string;
  /** 25 means 25 percent. */
  readonly revShare?: number;
  readonly tierRevenueShares: readonly {
    readonly revShare: number;
    readonly tierId: string;
    readonly tierName: string;
  }[];
}

/** Payload of a refund of a transaction or of a part of it. Amounts are in minor units. */
export interface RefundPayload {
  readonly groupId: string;
  readonly refundId: string;
  readonly transactionId: string;
  readonly source: 'Refund' | 'StatusChange' | 'Clawback';
  readonly reason: 'Refund' | 'Fraud' | 'Chargeback';
  /** Absent if the rows are in several currencies. */
  readonly amount?: number;
  readonly currency?: string;
  readonly occurredAt: string;
  readonly createdAt: string;
  readonly rows: readonly RefundedRow[];
}

export interface RefundedRow {
  readonly id: string;
  /** Part of the subtotal that was refunded. */
  readonly amount: number;
  readonly currency: string;
  /** Part of the member's share that was taken back. */
  readonly memberShareAmount: number;
}

/** Payload of the reinstatement of a refund. Amounts are in minor units. */
export interface ReinstatementPayload {
  readonly groupId: string;
  /** Id of the refund. */
  readonly refundId: string;
  readonly transactionId: string;
  readonly reason: string;
  readonly occurredAt: string;
  readonly createdAt: string;
  readonly rows: readonly ReinstatedRow[];
}

export interface ReinstatedRow {
  readonly id: string;
  /** Part of the subtotal that counts again; 0 if another reversal of the row is still in effect. */
  readonly amount: number;
  readonly currency: string;
  /** Part of the member's share that was given back. */
  readonly memberShareAmount: number;
  readonly status: 'Normal' | 'Test' | 'Refund' | 'Fraud' | 'Chargeback';
}

/** Payload of a test event. */
export interface TestPayload {
  readonly endpointId: string;
  readonly message: string;
}

const known: Readonly<Record<WebhookKind, true>> = {
  'Bounty/BountyReward': true,
  'GroupManagement/NewMember': true,
  'GroupManagement/RemovedMember': true,
  'Attribution/TransactionRecorded': true,
  'Attribution/TransactionStatusChanged': true,
  'Attribution/TransactionRefunded': true,
  'Attribution/TransactionReinstated': true,
  'Payout/PayoutCreated': true,
  'Payout/PayoutPaid': true,
  'Payout/PayoutLineReturned': true,
  'RevenueShare/ScheduleStarted': true,
  'RevenueShare/ScheduleEnded': true,
  'Player/CodeExpiring': true,
  'Webhook/Test': true,
};

/** @returns `eventType/eventAction` if this version supports it, otherwise `unknown` */
export function kindOf(eventType: string, eventAction: string): WebhookKind | 'unknown' {
  const pair = `${eventType}/${eventAction}`;
  return Object.hasOwn(known, pair) ? (pair as WebhookKind) : 'unknown';
}
