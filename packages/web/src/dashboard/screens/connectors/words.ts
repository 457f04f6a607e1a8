import type { ListedConnector } from '../../../client/types.gen.ts';
import { nowMs } from '../../../ui/clock.ts';
import type { Tone } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';

interface State {
  tone: Tone;
  word: string;
}

/** Time for which a rejected request is shown as the connector's state. */
const recentMs = 86_400_000;

/** Time for which a rejected request is worth a line after the connector accepted another one. */
const rememberedMs = 30 * 86_400_000;

/** Returns whether the connector's latest request was rejected, a short while ago, and since the secret was entered. */
const isRejecting = ({ refused, refusedSince }: ListedConnector): boolean =>
  refused !== null &&
  refusedSince !== null &&
  refused.reason !== 'NoSecret' &&
  Date.parse(refused.at) > nowMs() - recentMs;

/** Returns the latest rejected request, unless the connector's state already says that requests are rejected. */
export const pastRefusal = (connector: ListedConnector): ListedConnector['refused'] =>
  connector.refused !== null &&
  Date.parse(connector.refused.at) > nowMs() - rememberedMs &&
  stateOfConnector(connector).tone !== 'bad'
    ? connector.refused
    : null;

export function stateOfConnector(connector: ListedConnector): State {
  const { poll } = connector;
  if (!connector.hasSecret) return { tone: 'waiting', word: poll === null ? t('No secret') : t('No key') };
  if (connector.pausedAt !== null) return { tone: 'over', word: t('Paused') };
  if (poll?.failingSince != null) return { tone: 'bad', word: t('Can’t read the report') };
  if (isRejecting(connector)) return { tone: 'bad', word: t('Rejecting requests') };
  if (connector.lastEventAt !== null) return { tone: 'good', word: t('On') };
  return Object.values(connector.counts).some((count) => count > 0)
    ? { tone: 'waiting', word: t('Only samples so far') }
    : { tone: 'waiting', word: t('No events yet') };
}

/** Returns the reason for which requests are rejected, and what to do. */
export function refusalText(reason: string): string {
  if (reason === 'NoSecret')
    return t('A request arrived before the signing secret was entered. Enter the secret.');
  if (reason === 'NoSignature') return t('A request had no signature.');
  if (reason === 'WrongSignature')
    return t('A request’s signature didn’t match the secret. Enter the secret again.');
  return t('A request’s signature was too old or dated in the future. Check the clocks on both sides.');
}

/** Returns the reason for which a request was rejected, after its time: "30 Nov, 11:22: the signature didn’t match". */
export function pastRefusalText(reason: string): string {
  if (reason === 'NoSecret') return t('there was no signing secret yet');
  if (reason === 'NoSignature') return t('the request had no signature');
  if (reason === 'WrongSignature') return t('the signature didn’t match the secret');
  return t('the signature was too old or dated in the future');
}
