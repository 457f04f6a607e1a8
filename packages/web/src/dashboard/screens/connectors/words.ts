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

/** Returns whether the latest request was rejected, a short while ago. */
const isRejecting = ({ refused, lastEventAt }: ListedConnector): boolean =>
  refused !== null &&
  Date.parse(refused.at) > nowMs() - recentMs &&
  (lastEventAt === null || refused.at > lastEventAt);

export function stateOfConnector(connector: ListedConnector): State {
  const { poll } = connector;
  if (!connector.hasSecret) return { tone: 'waiting', word: poll === null ? t('No secret') : t('No key') };
  if (connector.pausedAt !== null) return { tone: 'over', word: t('Paused') };
  if (poll?.failingSince != null) return { tone: 'bad', word: t('Can’t read the report') };
  if (isRejecting(connector)) return { tone: 'bad', word: t('Rejecting requests') };
  return connector.lastEventAt === null
    ? { tone: 'waiting', word: t('No events yet') }
    : { tone: 'good', word: t('On') };
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
