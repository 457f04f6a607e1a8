import { transactionEvents } from './attributions/described-events.ts';
import { bountyEvents } from './bounties/described-events.ts';
import { memberEvents } from './members/described-events.ts';
import { playerCodeEvents } from './player-codes/described-events.ts';
import { scheduleEvents } from './revenue-shares/schedules/described-events.ts';
import { payoutEvents } from './settlement/payouts/described-events.ts';
import { refundEvents } from './settlement/refunds/examples.ts';
import { reinstatementEvents } from './settlement/reinstatements/examples.ts';
import type { DescribedEvent } from './webhooks/describe-webhook.ts';
import { webhookEvents } from './webhooks/described-events.ts';
import type { SampleEvent } from './webhooks/endpoints/send-test.ts';
import { type EventKind, testEventKind } from './webhooks/event-kinds.ts';
import type { EventPayload, EventValue } from './webhooks/event-text.ts';

/** Every kind of event, with its fields and an example. */
export const describedEvents: readonly DescribedEvent[] = [
  ...memberEvents,
  ...bountyEvents,
  ...transactionEvents,
  ...refundEvents,
  ...reinstatementEvents,
  ...payoutEvents,
  ...scheduleEvents,
  ...playerCodeEvents,
  ...webhookEvents,
];

/**
 * Returns the documented example of a kind, with ids and codes that can't belong to anything real. With real ids, a
 * receiver that doesn't know `isTest` could remove a creator or deliver a reward.
 * @returns undefined for `Webhook/Test` or no kind
 */
export function sampleEvent(kind: string | undefined): SampleEvent | undefined {
  const described = describedEvents.find((each) => each.kind === kind);
  if (described === undefined || described.kind === testEventKind) return undefined;
  return { kind: described.kind as EventKind, event: withTestIds(described.example as EventPayload) };
}

const withTestIds = (payload: EventPayload): EventPayload =>
  Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, withTestId(name, value)]));

function withTestId(name: string, value: EventValue): EventValue {
  if (Array.isArray(value)) return value.map((each) => withTestId('', each));
  if (typeof value === 'object' && value !== null) return withTestIds(value as EventPayload);
  if (typeof value !== 'string' || !/^(id|code|\w+Id)$/.test(name)) return value;
  return /^[0-9a-f-]{36}$/.test(value) ? '00000000-0000-7000-8000-000000000000' : `test_${value}`;
}
