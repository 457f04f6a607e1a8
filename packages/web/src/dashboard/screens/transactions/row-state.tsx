import { Group } from '@mantine/core';
import type { ExplainedRow, TransactionRow } from '../../../client/types.gen.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { toneOf } from './names.ts';
import { statusName } from './status-names.ts';

/** Returns whether a row was neither reversed nor a test. */
const isUsual = ({ status, refundedMinor }: TransactionRow): boolean =>
  status === 'Normal' && refundedMinor === '0';

export function RowStatus({ row }: { row: TransactionRow }) {
  if (isUsual(row)) return null;
  if (row.status === 'Normal') return <StatusBadge tone="over">{t('Partly refunded')}</StatusBadge>;
  return <StatusBadge tone={toneOf(row.status)}>{statusName(row.status)}</StatusBadge>;
}

/** Returns whether a row has only been recorded, as most new rows. A list then has no word, so that the others stand out. */
export const isPlain = (row: TransactionRow): boolean => isUsual(row) && !row.isPaid && !row.isOnHold;

/** Status of a row in a list: what was reversed, and otherwise whether the share was paid or is on hold. */
export function ListedStatus({ row }: { row: TransactionRow }) {
  if (!isUsual(row)) return <RowStatus row={row} />;
  if (row.isPaid) return <StatusBadge tone="good">{t('Paid')}</StatusBadge>;
  return row.isOnHold ? <StatusBadge tone="waiting">{t('On hold')}</StatusBadge> : null;
}

/** Status of a row, and whether its share is posted and paid. */
export const RowState = ({ explained: { row, state } }: { explained: ExplainedRow }) => (
  <Group gap="xs">
    <RowStatus row={row} />
    {state === 'waiting' && <StatusBadge tone="waiting">{t('Posting…')}</StatusBadge>}
    {row.isPaid && <StatusBadge tone="good">{t('Paid')}</StatusBadge>}
  </Group>
);
