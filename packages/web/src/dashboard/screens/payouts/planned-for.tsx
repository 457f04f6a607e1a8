import { Text } from '@mantine/core';
import { t } from '../../../ui/text.ts';
import { formatUtcDay } from '../../../ui/when.tsx';

/** Day on which a group's next payout is planned; nothing for a group without a payout calendar. */
export function PlannedFor({ day }: { day: string | null }) {
  if (day === null) return null;
  return (
    <Text component="span" size="sm" c="dimmed" fw={400}>
      {t('Planned for {day}', { day: formatUtcDay(day) })}
    </Text>
  );
}
