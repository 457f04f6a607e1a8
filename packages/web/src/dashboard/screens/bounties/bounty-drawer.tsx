import { Group, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { showBountyOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { BountyDetail } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { formatTotal } from '../../../ui/percent.tsx';
import { FactsSkeleton } from '../../../ui/skeletons.tsx';
import { TabList } from '../../../ui/tab-list.tsx';
import { t } from '../../../ui/text.ts';
import { Until, When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { BountyProgress } from './bounty-progress.tsx';
import { BountyStateBadge } from './bounty-state.tsx';
import { BountyEditor } from './lazy-editor.ts';

interface BountyDrawerProps {
  bountyId: string;
  onDone(saved: BountyDetail): void;
}

export function BountyDrawer({ bountyId, onDone }: BountyDrawerProps) {
  const { publisherId } = usePublisher();
  const [tab, setTab] = useState<'progress' | 'edit'>('progress');
  const wasOpened = useRef(false);
  wasOpened.current ||= tab === 'edit';
  const { data, error, refetch } = useQuery(showBountyOptions({ path: { publisherId, bountyId } }));
  if (data === undefined)
    return error === null ? (
      <FactsSkeleton />
    ) : (
      <ErrorNotice
        error={error}
        title={t('Couldn’t load the bounty')}
        missing={t('Bounty not found')}
        onRetry={() => void refetch()}
      />
    );
  const { begun } = data;
  const total = (count: number): string => formatTotal(begun.isWhole ? count : { atLeast: count });
  return (
    <Stack>
      {error !== null && (
        <ErrorNotice error={error} title={t('Couldn’t load the bounty')} onRetry={() => void refetch()} />
      )}
      <Group gap="xs">
        <Text fw={600}>{data.name}</Text>
        <BountyStateBadge state={data.state} />
      </Group>
      <Text size="sm" component="div">
        <When at={data.startsAt} /> <Until at={data.endsAt} />
      </Text>
      <Text size="sm">
        {t('Creators who started: {members}. Completions: {completions}.', {
          members: total(begun.members),
          completions: total(begun.completions),
        })}
      </Text>
      <Tabs value={tab} onChange={(key) => setTab(key === 'edit' ? 'edit' : 'progress')} keepMounted={false}>
        <TabList mb="sm">
          <Tabs.Tab value="progress">{t('Progress')}</Tabs.Tab>
          <Tabs.Tab value="edit">{t('Details')}</Tabs.Tab>
        </TabList>
        <Tabs.Panel value="progress">
          <BountyProgress bounty={data} />
        </Tabs.Panel>
        {/* Stays mounted so that input isn't lost while the other tab is shown. */}
        <Tabs.Panel value="edit" keepMounted>
          {wasOpened.current && <BountyEditor groupId={data.groupId} bounty={data} onDone={onDone} />}
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
