import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { countSupportersOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { Creator } from '../../../client/types.gen.ts';
import { formatCount } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import { usePublisher } from '../../session/session.ts';

const none = { now: 0, new: 0, ended: 0 };

/** Number of players who support a creator in the group, and how it changed. */
export function Supporters({ creator: { memberId, groupId } }: { creator: Creator }) {
  const { publisherId } = usePublisher();
  const { data, error } = useQuery(
    countSupportersOptions({ path: { publisherId }, query: { member: memberId } }),
  );
  if (data === undefined) return <span>{error === null ? '…' : t('Couldn’t load')}</span>;
  const figures = data.groups.find((each) => each.groupId === groupId) ?? none;
  const isQuiet = figures.new === 0 && figures.ended === 0;
  return (
    <Group gap={6}>
      <span>{formatCount(figures.now)}</span>
      {!isQuiet && (
        <Text size="sm" c="dimmed">
          {t('{new} started and {ended} stopped in the last {days} days', {
            new: formatCount(figures.new),
            ended: formatCount(figures.ended),
            days: data.days,
          })}
        </Text>
      )}
    </Group>
  );
}
