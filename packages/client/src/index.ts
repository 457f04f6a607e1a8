export type * from './api.generated.ts';
export { Attribution } from './attribution.ts';
export type { Bounties } from './bounties.ts';
export type { Call } from './call.ts';
export * from './errors.ts';
export type { Members } from './members.ts';
export { type Money, money } from './money.ts';
export type { Orders } from './orders.ts';
export type { Pages } from './pages.ts';
export type { PlayerCodes } from './player-codes.ts';
export type { Referrals } from './referrals.ts';
export type { PurchaseRefund, RefundOfPurchase } from './refunds.ts';
export { ApiError, ConnectionFailed, RequestError, TimedOut } from './request-error.ts';
export type { Schedules } from './schedules.ts';
export type { CallOptions, ConnectionOptions, EndedRequest, Raw, SentRequest } from './send.ts';
export type { Tiers } from './tiers.ts';
export type {
  Purchase,
  Recorded,
  TransactionPage,
  Transactions,
} from './transactions.ts';
