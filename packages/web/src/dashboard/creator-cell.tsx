import { Stack, Text } from '@mantine/core';
import { ScreenLink } from './screen-link.tsx';

interface CreatorCellProps {
  creator: { memberId: string; name: string };
  /** In which the creator is meant; undefined where the list is of one group by its address, or of none. */
  groupId: string | undefined;
}

/** Who a row of a list is about: leads to the creator, whose purchases are there. */
export function CreatorCell({ creator: { memberId, name }, groupId }: CreatorCellProps) {
  return (
    <Stack gap={0} align="flex-start">
      <Text size="sm">
        <ScreenLink screen="creators" query={{ group: groupId, open: memberId }}>
          {name}
        </ScreenLink>
      </Text>
      <Text size="xs" c="dimmed">
        {memberId}
      </Text>
    </Stack>
  );
}
