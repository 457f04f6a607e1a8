import { Group, Text } from '@mantine/core';
import type { Gate } from '../../client/types.gen.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { t } from '../../ui/text.ts';
import { formatUtcDay, When } from '../../ui/when.tsx';
import classes from '../holds/hold-note.module.css';
import { usePublisher } from '../session/session.ts';

/** Returns the last day of a period that ends before an instant. */
export const lastDay = (until: string): string => formatUtcDay(new Date(Date.parse(until) - 1).toISOString());

/** Tax clearance or review, with its period, its note, and the person who set it. */
export function GateNote({ gate }: { gate: Gate }) {
  const { nowMs } = usePublisher();
  const { kind, from, until, remindAt, note, setAt, setBy } = gate;
  const isLater = Date.parse(from) > nowMs();
  const isEnding = remindAt !== null && Date.parse(remindAt) <= nowMs();
  return (
    <Group gap="xs" align="flex-start" style={{ flex: '1 1 14rem' }}>
      {kind === 'review' ? (
        <StatusBadge tone="waiting">{t('Under review')}</StatusBadge>
      ) : isLater ? (
        <StatusBadge tone="neutral">{t('Tax cleared later')}</StatusBadge>
      ) : isEnding ? (
        <StatusBadge tone="waiting">{t('Tax clearance ends soon')}</StatusBadge>
      ) : (
        <StatusBadge tone="good">{t('Tax cleared')}</StatusBadge>
      )}
      <Text size="sm" className={classes.words} style={{ flex: '1 1 12rem' }}>
        {note}
        <Text component="span" display="block" size="xs" c="dimmed">
          {kind === 'tax' && (
            <>
              {isLater && `${t('from {day}', { day: formatUtcDay(from) })} · `}
              {until === null ? t('no end') : t('valid through {day} (UTC)', { day: lastDay(until) })}
              {' · '}
            </>
          )}
          {t('by {name},', { name: setBy.name })} <When at={setAt} />
          {kind === 'review' && until !== null && (
            <>
              {' · '}
              {t('until')} <When at={until} />
            </>
          )}
        </Text>
      </Text>
    </Group>
  );
}
