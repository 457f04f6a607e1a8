import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { SelectionBar } from '../../../ui/selection-bar.tsx';
import { t } from '../../../ui/text.ts';
import { actionOf, type Kind } from './change-dialog.tsx';
import type { Status } from './use-creators.ts';

interface BulkBarProps {
  count: number;
  kinds: readonly Kind[];
  /** Reason why a tier can't be set for these creators; null if it can. */
  noTier: string | null;
  onChoose(kind: Kind): void;
  /** Further buttons. */
  children: ReactNode;
}

export function BulkBar({ count, kinds, noTier, onChoose, children }: BulkBarProps) {
  const button = (kind: Kind) => (
    <Button
      key={kind}
      size="xs"
      variant={variantOf(kind)}
      {...((kind === 'remove' || kind === 'reject') && { color: 'red' })}
      disabled={kind === 'tier' && noTier !== null}
      onClick={() => onChoose(kind)}
    >
      {actionOf(kind)}
    </Button>
  );
  return (
    <SelectionBar
      label={t('Selected creators')}
      count={t('{count, plural, one {# creator} other {# creators}} selected', { count })}
      note={kinds.includes('tier') ? noTier : null}
      actions={
        <>
          {kinds.filter((kind) => kind !== 'approve').map(button)}
          {children}
        </>
      }
      mainAction={kinds.includes('approve') && button('approve')}
    />
  );
}

function variantOf(kind: Kind): string {
  if (kind === 'approve') return 'filled';
  return kind === 'remove' || kind === 'reject' ? 'light' : 'default';
}

export function kindsFor(status: Status, may: (permission: string) => boolean): Kind[] {
  const kinds: Kind[] = [];
  if (status !== 'Approved' && may('approve')) kinds.push('approve');
  if (status !== 'Removed' && may('members')) kinds.push('tier', status === 'Pending' ? 'reject' : 'remove');
  if (may('notes')) kinds.push('tag', 'untag');
  return kinds;
}
