import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useUrlState } from '../ui/url-state.ts';
import { ScreenLink } from './screen-link.tsx';
import { usePublisher } from './session/session.ts';
import { groupsOptions } from './shell/groups.ts';

interface OtherGroupsProps {
  /** Which the screen is about though none was chosen. */
  shown: string;
  screen: string;
  query?: Readonly<Record<string, string | undefined>>;
  /** Why one alone is shown. */
  says: string;
}

/** Where a screen is of one group, and none is in the address, the default one is shown: here are the ways to the others. */
export function OtherGroups({ shown, screen, query = {}, says }: OtherGroupsProps) {
  const { publisherId } = usePublisher();
  const { group } = useUrlState().query;
  const { data: groups = [] } = useQuery(groupsOptions(publisherId));
  const others = groups.filter(({ groupId }) => groupId !== shown);
  if (group !== undefined || others.length === 0) return null;
  return (
    <Group gap="xs" fz="sm">
      {says}
      {others.map(({ groupId, name }) => (
        <ScreenLink key={groupId} screen={screen} query={{ group: groupId, ...query }}>
          {name}
        </ScreenLink>
      ))}
    </Group>
  );
}
