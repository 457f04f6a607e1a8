import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Creator } from '../../../client/types.gen.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { unknown } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { When } from '../../../ui/when.tsx';
import { Supporters } from './supporters.tsx';
import { Tags } from './tags.tsx';
import { keyOf } from './use-creators.ts';

/** Facts about a creator. IDs and times, which are rarely needed, are behind a button. */
export function CreatorFacts({ creator }: { creator: Creator }) {
  const [isOpen, setOpen] = useState(false);
  const { removedAt, removalReason, otherGroups, displayName, identities, playerId, joinedAt } = creator;
  return (
    <Stack gap="xs">
      <Facts
        facts={[
          [t('Tags'), <Tags key="tags" creator={creator} />],
          [t('Supporters'), <Supporters key="supporters" creator={creator} />],
          ...(removedAt === null
            ? []
            : [
                [t('Removed'), <When key="removed" at={removedAt} />] as const,
                [t('Reason'), removalReason ?? unknown] as const,
              ]),
          ...(otherGroups.length === 0
            ? []
            : [[t('Also in'), <OtherGroups key="groups" creator={creator} />] as const]),
          ...(isOpen
            ? [
                [t('Account'), <Account key="account" creator={creator} />] as const,
                [t('Player ID'), playerId ?? unknown] as const,
                ...(displayName === null ? [] : [[t('In-game name'), displayName] as const]),
                ...(identities.length === 0 ? [] : [[t('Linked accounts'), namesOf(identities)] as const]),
                [t('Joined'), <When key="joined" at={joinedAt} />] as const,
              ]
            : []),
        ]}
      />
      <Group>
        <Button
          size="compact-sm"
          variant="subtle"
          ml={-8}
          rightSection={<Icon name={isOpen ? 'up' : 'down'} size={14} />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('Fewer details') : t('More details')}
        </Button>
      </Group>
    </Stack>
  );
}

const namesOf = (identities: Creator['identities']): string =>
  identities.map(({ provider, id }) => (id === null ? provider : `${provider} ${id}`)).join(', ');

function OtherGroups({ creator: { memberId, otherGroups } }: { creator: Creator }) {
  const { setQuery } = useUrlState();
  return (
    <Group gap="xs">
      {otherGroups.map(({ groupId, groupName }) => (
        <Anchor
          underline="always"
          key={groupId}
          component="button"
          type="button"
          size="sm"
          onClick={() => setQuery({ open: keyOf({ groupId, memberId }) })}
        >
          {groupName}
        </Anchor>
      ))}
    </Group>
  );
}

const Account = ({ creator: { memberId, isOurs } }: { creator: Creator }) => (
  <Group gap={4}>
    <span>{memberId}</span>
    <CopyButton value={memberId} label={t('Copy ID')} />
    <Text size="sm" c="dimmed">
      {isOurs ? t('managed by you, not yet claimed') : t('the creator’s own')}
    </Text>
  </Group>
);
