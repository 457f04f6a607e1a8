import type { ConnectorEvent } from '../../../client/types.gen.ts';
import type { Tone } from '../../../ui/status-badge.tsx';
import { msg, t } from '../../../ui/text.ts';

type Status = ConnectorEvent['status'];

const tones: Readonly<Record<Status, Tone>> = {
  Done: 'good',
  Waiting: 'waiting',
  Ignored: 'over',
  Failed: 'bad',
};

/** Names of the reasons, each of which says what became of an event. */
export const reasonNames: Readonly<Record<string, string>> = {
  New: msg('Queued'),
  NoPurchase: msg('Waiting for its purchase'),
  NoRefund: msg('Waiting for its refund'),
  PaidOut: msg('Already paid out'),
  Retry: msg('Retrying soon'),
  Recorded: msg('Recorded'),
  AlreadyRecorded: msg('Already recorded'),
  Refunded: msg('Refunded'),
  AlreadyRefunded: msg('Already refunded'),
  ClawedBack: msg('Clawed back'),
  Held: msg('On hold'),
  AlreadyHeld: msg('Already on hold'),
  Released: msg('Released'),
  ChargedBack: msg('Charged back'),
  Reinstated: msg('Reinstated'),
  Type: msg('Not needed'),
  Pending: msg('Not final yet'),
  Subscription: msg('Subscription'),
  OtherSale: msg('Counted in another event'),
  Free: msg('Free'),
  NoCode: msg('No code'),
  CodeNotInGroup: msg('Unknown code'),
  Live: msg('Live event in a sandbox'),
  Renewal: msg('Renewal'),
  Test: msg('Test'),
  TooLate: msg('Purchase never arrived'),
  NothingLeft: msg('Nothing left to refund'),
  NothingHeld: msg('Nothing on hold'),
  AlreadyClosed: msg('Already closed'),
  Unreadable: msg('Unreadable'),
  Conflict: msg('Differs from the recorded purchase'),
  Invalid: msg('Invalid value'),
  Error: msg('Error'),
};

export const reasonName = (reason: string): string => {
  const name = reasonNames[reason];
  return name === undefined ? reason : t(name);
};

/** Returns the provider's name for an event's kind, and whether the event is a sample or a test. */
export function kindOfEvent({
  type,
  isSample,
  isTest,
}: Pick<ConnectorEvent, 'type' | 'isSample' | 'isTest'>): string {
  if (isSample) return t('{kind} (sample)', { kind: type });
  return isTest ? t('{kind} (test)', { kind: type }) : type;
}

export const stateOfEvent = ({ status, reason }: ConnectorEvent): { tone: Tone; word: string } => ({
  tone: tones[status],
  word: reasonName(reason),
});
