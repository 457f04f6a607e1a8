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
export const GateNote = ({ gate }: { gate: Gate }) => (
  <Group gap="xs" align="flex-start" style={{ flex: '1 1 14rem', minInlineSize: 0 }}>
    <GateState gate={gate} />
    <GateWords gate={gate} />
  </Group>
);

export function GateState({ gate: { kind, from, remindAt } }: { gate: Gate }) {
  const { nowMs } = usePublisher();
  if (kind === 'review') return <StatusBadge tone="waiting">{t('Under review')}</StatusBadge>;
  if (Date.parse(from) > nowMs())
    return <StatusBadge tone="neutral">{t('Tax clearance starts later')}</StatusBadge>;
  return remindAt !== null && Date.parse(remindAt) <= nowMs() ? (
    <StatusBadge tone="waiting">{t('Tax clearance ends soon')}</StatusBadge>
  ) : (
    <StatusBadge tone="good">{t('Tax cleared')}</StatusBadge>
  );
}

/** Note of a tax clearance or review, with its period and the person who set it. */
export function GateWords({ gate: { kind, from, until, note, setAt, setBy } }: { gate: Gate }) {
  const { nowMs } = usePublisher();
  return (
    <Text size="sm" className={classes.words} style={{ flex: '1 1 12rem' }}>
      {note}
      <Text component="span" display="block" size="xs" c="dimmed">
        {kind === 'tax' && (
          <>
            {Date.parse(from) > nowMs() && `${t('from {day}', { day: formatUtcDay(from) })} · `}
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
  );
}
