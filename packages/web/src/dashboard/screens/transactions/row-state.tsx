import { Group } from '@mantine/core';
import type { ExplainedRow, TransactionRow } from '../../../client/types.gen.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { toneOf } from './names.ts';
import { statusName } from './status-names.ts';

/** Returns whether a row is as most rows are. Its status then has no word, so that the others stand out. */
export const isUsual = ({ status, refundedMinor }: TransactionRow): boolean =>
  status === 'Normal' && refundedMinor === '0';

export function RowStatus({ row }: { row: TransactionRow }) {
  if (isUsual(row)) return null;
  if (row.status === 'Normal') return <StatusBadge tone="over">{t('Partly refunded')}</StatusBadge>;
  return <StatusBadge tone={toneOf(row.status)}>{statusName(row.status)}</StatusBadge>;
}

/** Status of a row, and whether its share is posted and paid. */
export const RowState = ({ explained: { row, state } }: { explained: ExplainedRow }) => (
  <Group gap="xs">
    <RowStatus row={row} />
    {state === 'waiting' && <StatusBadge tone="waiting">{t('Posting…')}</StatusBadge>}
    {row.isPaid && <StatusBadge tone="good">{t('Paid')}</StatusBadge>}
  </Group>
);
