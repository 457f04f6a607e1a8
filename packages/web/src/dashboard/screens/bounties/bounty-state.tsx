import type { BountyRow } from '../../../client/types.gen.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';

export function BountyStateBadge({ state }: { state: BountyRow['state'] }) {
  switch (state) {
    case 'running':
      return <StatusBadge tone="running">{t('Running')}</StatusBadge>;
    case 'coming':
      return <StatusBadge tone="waiting">{t('Upcoming')}</StatusBadge>;
    case 'over':
      return <StatusBadge tone="over">{t('Ended')}</StatusBadge>;
  }
}
