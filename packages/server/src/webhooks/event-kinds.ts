/** Contract's events, on by default (D41), in the form `eventType/eventAction`. */
export const defaultEventKinds = [
  'Bounty/BountyReward',
  'GroupManagement/NewMember',
  'GroupManagement/RemovedMember',
] as const;

/** Events that an endpoint must opt in to (D41). */
export const optionalEventKinds = [
  'Attribution/TransactionRecorded',
  'Attribution/TransactionStatusChanged',
  'Attribution/TransactionRefunded',
  'Attribution/TransactionReinstated',
  'Payout/PayoutCreated',
  'Payout/PayoutPaid',
  'Payout/PayoutLineReturned',
  'RevenueShare/ScheduleStarted',
  'RevenueShare/ScheduleEnded',
  'Player/CodeExpiring',
] as const;

export const eventKinds = [...defaultEventKinds, ...optionalEventKinds] as const;

export type EventKind = (typeof eventKinds)[number];

/**
 * Kind of the event that `attribution webhooks test` sends to one endpoint. Endpoints can't subscribe to this
 * kind.
 */
export const testEventKind = 'Webhook/Test';

/**
 * Returns the kind under which a test event with a sample of another kind is stored. No endpoint subscribes to it, so
 * replays and listeners, which select events by kind, never include a test event.
 */
export const storedTestKind = (kind: EventKind): string => `Test${kind}`;

/** Reads a stored kind. `kind` is the kind as sent. */
export function readStoredKind(stored: string): { kind: string; isTest: boolean } {
  const isSample = stored.startsWith('Test');
  return {
    kind: isSample ? stored.slice('Test'.length) : stored,
    isTest: isSample || stored === testEventKind,
  };
}
