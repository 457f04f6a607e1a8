import { Button, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import {
  listAllBountiesOptions,
  listGivenRewardsOptions,
} from '../../../client/@tanstack/react-query.gen.ts';
import type { BountyDetail, BountyRow } from '../../../client/types.gen.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { useKeys } from '../../../ui/keys.ts';
import { limitOf } from '../../../ui/pager.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { TabList } from '../../../ui/tab-list.tsx';
import { msg, t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePage } from '../../../ui/use-page.ts';
import { usePublisher } from '../../session/session.ts';
import { ViewsMenu } from '../../views/views-menu.tsx';
import { GroupEditor } from '../lazy-group-editor.ts';
import { useGroups } from '../use-groups.ts';
import { BountyDrawer } from './bounty-drawer.tsx';
import { columns } from './columns.tsx';
import { BountyEditor } from './lazy-editor.ts';
import { RewardsTab } from './rewards-tab.tsx';

type State = BountyRow['state'];

const tabs = [
  { key: 'running', title: msg('Running') },
  { key: 'coming', title: msg('Upcoming') },
  { key: 'over', title: msg('Ended') },
  { key: 'rewards', title: msg('Rewards to deliver') },
] as const;

export function Screen() {
  const { may } = usePublisher();
  const { query, setQuery } = useUrlState();
  const tab = tabs.find(({ key }) => key === query.tab) ?? tabs[0];
  const mayChange = may('program');
  const create = (): void => setQuery({ open: 'new' });
  const close = ({ state, groupId }: BountyDetail): void =>
    setQuery({
      open: null,
      cursor: null,
      tab: state,
      ...(query.group !== undefined && { group: groupId }),
    });
  useKeys(mayChange ? { c: create } : {});
  return (
    <ScreenPage
      title={t('Bounties')}
      about={t('Rewards for creators who reach an objective')}
      tools={<ViewsMenu list="bounties" />}
      mainAction={
        mayChange && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={create}>
            {t('Create bounty')}
          </Button>
        )
      }
    >
      <Tabs
        value={tab.key}
        onChange={(key) => setQuery({ tab: key, open: null, cursor: null, state: null })}
        keepMounted={false}
      >
        <TabList mb="md">
          {tabs.map(({ key, title }) => (
            <Tabs.Tab key={key} value={key}>
              {key === 'rewards' ? <WaitingRewards key={tab.key} title={t(title)} /> : t(title)}
            </Tabs.Tab>
          ))}
        </TabList>
        <Tabs.Panel value={tab.key}>
          {tab.key === 'rewards' ? (
            <RewardsTab />
          ) : (
            <Bounties state={tab.key} onCreate={mayChange ? create : null} />
          )}
        </Tabs.Panel>
      </Tabs>
      <DetailDrawer title={query.open === 'new' ? t('Create bounty') : t('Bounty')}>
        {(key) =>
          key === 'new' ? (
            <NewBounty onDone={close} />
          ) : (
            <BountyDrawer key={key} bountyId={key} onDone={close} />
          )
        }
      </DetailDrawer>
    </ScreenPage>
  );
}

/** Most rewards that the tab counts. */
const maxCounted = 50;

/** Title of the tab with the number of rewards to deliver, which is read again whenever a tab opens. */
function WaitingRewards({ title }: { title: string }) {
  const { publisherId } = usePublisher();
  const { group } = useUrlState().query;
  const { data } = useQuery({
    ...listGivenRewardsOptions({
      path: { publisherId },
      query: { state: 'waiting', ...(group !== undefined && { group }), limit: maxCounted },
    }),
    staleTime: 0,
  });
  if (data === undefined || data.rows.length === 0) return title;
  const count = `${data.rows.length}${data.nextCursor === null ? '' : '+'}`;
  return t('{title} ({count})', { title, count });
}

/** Form for a new bounty in the URL's group, or else in the default group. */
function NewBounty({ onDone }: { onDone(saved: BountyDetail): void }) {
  const { groups, group } = useGroups();
  if (groups.data === undefined) return <LateSkeleton />;
  if (group === undefined)
    return (
      <Stack>
        <Text size="sm">{t('A bounty is for the creators in one group. Create a group first.')}</Text>
        <Suspense fallback={<LateSkeleton />}>
          <GroupEditor group={null} isFirst onDone={() => undefined} />
        </Suspense>
      </Stack>
    );
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {t('For creators in {group}', { group: group.name })}
      </Text>
      <BountyEditor groupId={group.groupId} bounty={null} onDone={onDone} />
    </>
  );
}

function Bounties({ state, onCreate }: { state: State; onCreate: (() => void) | null }) {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const page = usePage(
    listAllBountiesOptions({
      path: { publisherId },
      query: {
        state,
        ...(query.group !== undefined && { group: query.group }),
        ...(query.cursor !== undefined && { cursor: query.cursor }),
        limit: limitOf(query),
      },
    }),
  );
  return (
    <DataTable<BountyRow>
      label={t('Bounties')}
      list="bounties"
      page={page}
      columns={columns()}
      rowKey={({ bountyId }) => bountyId}
      rowName={({ name }) => name}
      empty={
        <EmptyState
          icon="bounties"
          title={emptyTitle(state)}
          action={
            onCreate !== null && state !== 'over' && <Button onClick={onCreate}>{t('Create bounty')}</Button>
          }
        >
          {t('A bounty rewards each creator who reaches its objective, such as ten purchases.')}
        </EmptyState>
      }
    />
  );
}

function emptyTitle(state: State): string {
  switch (state) {
    case 'running':
      return t('No running bounties');
    case 'coming':
      return t('No upcoming bounties');
    case 'over':
      return t('No ended bounties');
  }
}
