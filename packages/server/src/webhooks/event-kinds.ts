/** The contract's events, on by default, and those an endpoint asks for (D41). Written `eventType/eventAction`. */
export const defaultEventKinds = [
  'Bounty/BountyReward',
  'GroupManagement/NewMember',
  'GroupManagement/RemovedMember',
] as const;

export const optionalEventKinds = [
  'Attribution/TransactionRecorded',
  'Attribution/TransactionStatusChanged',
  'Payout/PayoutCreated',
  'Payout/PayoutPaid',
  'RevenueShare/ScheduleStarted',
  'RevenueShare/ScheduleEnded',
] as const;

export const eventKinds = [...defaultEventKinds, ...optionalEventKinds] as const;

export type EventKind = (typeof eventKinds)[number];

/** Sent by `attribution webhooks test` to one endpoint; nobody subscribes to it. */
export const testEventKind = 'Webhook/Test';
