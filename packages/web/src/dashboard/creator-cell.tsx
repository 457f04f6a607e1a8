import { Stack, Text } from '@mantine/core';
import { ScreenLink } from './screen-link.tsx';

interface CreatorCellProps {
  creator: { memberId: string; name: string };
  /** Creator's group; undefined if the URL already names a group or the list has no groups. */
  groupId: string | undefined;
}

export function CreatorCell({ creator: { memberId, name }, groupId }: CreatorCellProps) {
  return (
    <Stack gap={0} align="flex-start">
      <Text size="sm">
        <ScreenLink screen="creators" query={{ group: groupId, open: memberId }}>
          {name}
        </ScreenLink>
      </Text>
      <Text size="xs" c="dimmed" data-second-line>
        {memberId}
      </Text>
    </Stack>
  );
}
