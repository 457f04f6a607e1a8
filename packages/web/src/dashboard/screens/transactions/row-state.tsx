import { Group } from '@mantine/core';
import type { ExplainedRow } from '../../../client/types.gen.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { statusName, toneOf } from './names.ts';

/** Status of a row, and whether its share is posted and paid. */
export const RowState = ({ explained: { row, state } }: { explained: ExplainedRow }) => (
  <Group gap="xs">
    <StatusBadge tone={toneOf(row.status)}>{statusName(row.status)}</StatusBadge>
    {state === 'waiting' && <StatusBadge tone="waiting">{t('Posting…')}</StatusBadge>}
    {row.isPaid && <StatusBadge tone="good">{t('Paid')}</StatusBadge>}
  </Group>
);
