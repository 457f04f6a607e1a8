import type { Replay, WebhookEndpoint } from '../../../client/types.gen.ts';
import { fromField, toField } from '../../../ui/dates/datetime-field.ts';
import { t } from '../../../ui/text.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

const wholeMinutes = (ms: number): number => ms - (ms % minuteMs);

/** Past events to send, as entered. */
export interface PastChoice {
  /** Start, in the viewer's time zone. */
  from: string;
  /** End (exclusive); empty for now. */
  to: string;
  /** The end as typed. While it isn't a date, `to` is empty, too. */
  toText: string;
  what: NonNullable<Replay['what']>;
  /** Empty for all kinds. */
  kind: string;
}

/** Returns the initial choice: the events that the endpoint missed since it began to fail, or within the last day. */
export const firstChoice = ({ failingSince }: WebhookEndpoint): PastChoice => ({
  // The outage began with the first failed attempt, whose event is slightly older.
  from: toField(
    wholeMinutes(failingSince === null ? Date.now() - dayMs : Date.parse(failingSince) - minuteMs),
    'viewer',
  ),
  to: '',
  toText: '',
  what: 'undelivered',
  kind: '',
});

/** Returns the messages under the fields of the range. A half-typed date has the field's own message. */
export function rangeErrors({ from, to }: PastChoice): { to?: string } {
  const [fromMs, toMs] = [fromField(from, 'viewer'), fromField(to, 'viewer')];
  return fromMs !== null && toMs !== null && toMs <= fromMs
    ? { to: t('The end must be after the start.') }
    : {};
}

type RangeReplay = Omit<Replay, 'since' | 'eventId' | 'after'> & { since: string; endpointId: string };

/** Returns the replay that sends the chosen events; null while the range is incomplete or empty. */
export function toReplay(endpointId: string, choice: PastChoice): RangeReplay | null {
  const { from, to, toText, what, kind } = choice;
  const [fromMs, toMs] = [fromField(from, 'viewer'), fromField(to, 'viewer')];
  const isToIncomplete = toMs === null && toText.trim() !== '';
  if (fromMs === null || isToIncomplete || rangeErrors(choice).to !== undefined) return null;
  return {
    endpointId,
    since: new Date(fromMs).toISOString(),
    what,
    ...(toMs !== null && { until: new Date(toMs).toISOString() }),
    ...(kind !== '' && { kind: kind as NonNullable<Replay['kind']> }),
  };
}
