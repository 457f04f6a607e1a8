import type { WebhookDelivery, WebhookEndpoint } from '../../../client/types.gen.ts';
import { nowMs } from '../../../ui/clock.ts';
import type { Tone } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';

interface State {
  tone: Tone;
  word: string;
}

export function stateOfEndpoint({
  isListener,
  isEnabled,
  failingSince,
  overdueSince,
}: WebhookEndpoint): State {
  if (isListener) return { tone: 'running', word: t('Listening') };
  if (!isEnabled) return { tone: 'over', word: t('Off') };
  if (failingSince !== null) return { tone: 'bad', word: t('Failing') };
  return overdueSince !== null ? { tone: 'waiting', word: t('Overdue') } : { tone: 'good', word: t('On') };
}

/**
 * Returns the label and tone for a delivery's state. A delivery that is waiting for its first attempt, or for the
 * first since a replay, is an exception only if the attempt is late.
 */
export function stateOfDelivery(delivery: WebhookDelivery): State {
  const { state, tryCount } = delivery;
  if (state === 'Delivered') return { tone: 'good', word: t('Delivered') };
  if (state === 'Failed') return { tone: 'bad', word: t('Failed') };
  if (isOverdue(delivery)) return { tone: 'waiting', word: t('Overdue') };
  return tryCount === 0 ? { tone: 'running', word: t('Waiting') } : { tone: 'waiting', word: t('Retrying') };
}

/** An attempt normally starts within a second. */
const lateMs = 60_000;

/** Returns whether the next attempt should have started, at least the given time ago. */
export const isDue = ({ state, nextAttemptAt }: WebhookDelivery, agoMs = 0): boolean =>
  state === 'Pending' && nextAttemptAt !== null && nowMs() - Date.parse(nextAttemptAt) > agoMs;

/** Returns whether the next attempt should have started more than a minute ago. */
export const isOverdue = (delivery: WebhookDelivery): boolean => isDue(delivery, lateMs);

/** Returns the time since when the endpoint fails or gets its events late; null if it does neither. */
export const troubledSince = ({ isEnabled, failingSince, overdueSince }: WebhookEndpoint): string | null =>
  failingSince ?? (isEnabled ? overdueSince : null);

/**
 * Returns the name of an endpoint: the host of its URL, with the path if another endpoint has the same host.
 * @param all all endpoints of the publisher
 */
export function nameOfEndpoint(
  { endpointId, url }: Pick<WebhookEndpoint, 'endpointId' | 'url'>,
  all: readonly Pick<WebhookEndpoint, 'endpointId' | 'url'>[],
): string {
  const host = hostOf(url);
  const isShared = all.some((each) => each.endpointId !== endpointId && hostOf(each.url) === host);
  return isShared ? `${host}${new URL(url).pathname}` : host;
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** Returns a short name for an event kind, such as `PayoutPaid` for `Payout/PayoutPaid`. */
export const kindName = (kind: string): string => kind.split('/')[1] ?? kind;

/** Returns the name of a delivery's event, and says if it is a test that imitates an event of that kind. */
export const eventName = ({ kind, isTest }: Pick<WebhookDelivery, 'kind' | 'isTest'>): string =>
  isTest && kind !== 'Webhook/Test' ? t('{kind} (test)', { kind: kindName(kind) }) : kindName(kind);

/** Returns the status or error of the last attempt. */
export const lastResponse = ({
  lastStatusCode,
  lastError,
}: Pick<WebhookDelivery, 'lastStatusCode' | 'lastError'>): string | null =>
  lastStatusCode === null ? lastError : t('status {code}', { code: String(lastStatusCode) });
