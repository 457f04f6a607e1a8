import { Button, Group, Text } from '@mantine/core';
import { t } from '../../../ui/text.ts';
import { actionOf, type Kind } from './change-dialog.tsx';
import classes from './creators.module.css';
import type { Status } from './use-creators.ts';

interface BulkBarProps {
  count: number;
  kinds: readonly Kind[];
  /** Why a tier cannot be set for these; null when it can. */
  noTier: string | null;
  onChoose(kind: Kind): void;
}

/** What can be done with the rows that are chosen. */
export function BulkBar({ count, kinds, noTier, onChoose }: BulkBarProps) {
  return (
    <Group className={classes.bar} justify="space-between" role="region" aria-label={t('Chosen creators')}>
      <Text size="sm" role="status">
        {t('{count, plural, one {# creator} other {# creators}} chosen', { count })}
      </Text>
      <Group gap="xs">
        {kinds.includes('tier') && noTier !== null && (
          <Text size="sm" c="dimmed">
            {noTier}
          </Text>
        )}
        {kinds.map((kind) => (
          <Button
            key={kind}
            size="xs"
            variant={kind === 'approve' ? 'filled' : 'default'}
            disabled={kind === 'tier' && noTier !== null}
            onClick={() => onChoose(kind)}
          >
            {actionOf(kind)}
          </Button>
        ))}
      </Group>
    </Group>
  );
}

/** What makes sense for creators of a status, and the role may do. */
export function kindsFor(status: Status, may: (permission: string) => boolean): Kind[] {
  const kinds: Kind[] = [];
  if (status !== 'Approved' && may('approve')) kinds.push('approve');
  if (status !== 'Removed' && may('members')) kinds.push('tier', 'remove');
  return kinds;
}
