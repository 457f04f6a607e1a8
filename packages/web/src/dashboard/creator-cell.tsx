import { Text } from '@mantine/core';
import { NameWithCode } from '../ui/name-with-code.tsx';
import { ShortId } from '../ui/short-id.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import { ScreenLink } from './screen-link.tsx';

interface CreatorCellProps {
  creator: { memberId: string; name: string };
  /** Creator's group; undefined if the URL already names a group or the list has no groups. */
  groupId: string | undefined;
}

/** Creator's name, linked to the creator, with the ID beside it where there is room. Its column is `isCut`. */
export function CreatorCell({ creator: { memberId, name }, groupId }: CreatorCellProps) {
  const isNarrow = useNarrow();
  const link = (
    <ScreenLink screen="creators" query={{ group: groupId, open: memberId }}>
      {name}
    </ScreenLink>
  );
  if (isNarrow) return link;
  return (
    <NameWithCode name={link}>
      <Text size="xs" c="dimmed" fw={400} span>
        <ShortId id={memberId} />
      </Text>
    </NameWithCode>
  );
}
