export { type EventToSign, type SignedRequest, signWebhook } from './sign-webhook.ts';
export { type WebhookVerificationCode, WebhookVerificationError } from './verification-error.ts';
export { type VerifyOptions, verifyWebhook, type WebhookHeaders } from './verify-webhook.ts';
export type {
  BountyReward,
  BountyRewardPayload,
  CodePayload,
  KnownWebhookEvent,
  NewMemberPayload,
  PayoutLinePayload,
  PayoutPayload,
  RefundPayload,
  ReinstatementPayload,
  RemovedMemberPayload,
  SchedulePayload,
  TestPayload,
  TransactionPayload,
  UnknownWebhookEvent,
  WebhookEvent,
  WebhookKind,
  WebhookPayloads,
} from './webhook-event.ts';
