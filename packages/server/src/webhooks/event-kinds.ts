/** Events of the contract, on by default (D41), in the form `eventType/eventAction`. */
export const defaultEventKinds = [
  'Bounty/BountyReward',
  'GroupManagement/NewMember',
  'GroupManagement/RemovedMember',
] as const;

/** Events that an endpoint must opt in to (D41). */
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

/**
 * Kind of the event that `attribution webhooks test` sends to one endpoint. Endpoints can't subscribe to this
 * kind.
 */
export const testEventKind = 'Webhook/Test';
