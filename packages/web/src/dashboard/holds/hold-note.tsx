import { Group, Text } from '@mantine/core';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { t } from '../../ui/text.ts';
import { When } from '../../ui/when.tsx';
import classes from './hold-note.module.css';

interface HoldNoteProps {
  hold: { reason: string; endsAt: string | null; placedAt: string; placedBy: { name: string } };
  /** Name of the held object; absent if it is clear from the context. */
  what?: string;
}

/** Badge of a hold, with its reason, who placed it, and its end. */
export function HoldNote({
  hold: {
    reason,
    endsAt,
    placedAt,
    placedBy: { name },
  },
  what,
}: HoldNoteProps) {
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <StatusBadge tone="waiting">{t('On hold')}</StatusBadge>
      <Text size="sm" className={classes.words}>
        {what !== undefined && `${what}: `}
        {reason}
        <Text component="span" display="block" size="xs" c="dimmed">
          {t('by {name},', { name })} <When at={placedAt} />
          {endsAt !== null && (
            <>
              {' · '}
              {t('until')} <When at={endsAt} />
            </>
          )}
        </Text>
      </Text>
    </Group>
  );
}
