import type { ReactElement } from 'react';
import { StatusBadge, type Tone } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import type { Status } from './use-creators.ts';

const tones = { Approved: 'good', Pending: 'waiting', Removed: 'over' } as const satisfies Record<
  Status,
  Tone
>;

export const statusName = (status: Status): string =>
  ({ Approved: t('Approved'), Pending: t('Pending'), Removed: t('Removed') })[status];

export const Standing = ({ status }: { status: Status }): ReactElement => (
  <StatusBadge tone={tones[status]}>{statusName(status)}</StatusBadge>
);
