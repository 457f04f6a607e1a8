import { Button, Stack, Tabs, Text } from '@mantine/core';
import type { CreatorGroup } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { useKeys } from '../../../ui/keys.ts';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { TabList } from '../../../ui/tab-list.tsx';
import { msg, t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePublisher } from '../../session/session.ts';
import { useGroups } from '../use-groups.ts';
import { GroupsTab } from './groups-tab.tsx';
import { SchedulesTab } from './schedules-tab.tsx';
import { SkuSharesTab } from './sku-shares-tab.tsx';
import { TiersTab } from './tiers-tab.tsx';

const tabs = [
  { key: 'schedules', title: msg('Schedules'), create: msg('Create schedule') },
  { key: 'tiers', title: msg('Tiers'), create: msg('Create tier') },
  { key: 'skus', title: msg('SKU shares'), create: msg('Create SKU share') },
  { key: 'groups', title: msg('Groups'), create: msg('Create group') },
] as const;
const createGroup = tabs[3].create;

export function Screen() {
  const { may } = usePublisher();
  const { query, setQuery } = useUrlState();
  const { groups, group } = useGroups();
  const tab = tabs.find(({ key }) => key === query.tab) ?? tabs[0];
  const mayChange = may('program');
  // Everything else belongs to a group, so a group must be created first.
  const isFirst = groups.data !== undefined && group === undefined;
  const create = (): void => setQuery(isFirst ? { tab: 'groups', open: 'new' } : { open: 'new' });
  useKeys(mayChange ? { c: create } : {});
  return (
    <ScreenPage
      title={t('Shares')}
      mainAction={
        mayChange && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={create}>
            {t(isFirst ? createGroup : tab.create)}
          </Button>
        )
      }
    >
      <Tabs
        value={tab.key}
        onChange={(key) => setQuery({ tab: key, open: null, cursor: null })}
        keepMounted={false}
      >
        <TabList mb="md">
          {tabs.map(({ key, title }) => (
            <Tabs.Tab key={key} value={key}>
              {t(title)}
            </Tabs.Tab>
          ))}
        </TabList>
        {groups.data === undefined && groups.error !== null && (
          <ErrorNotice
            error={groups.error}
            title={t('Couldn’t load the groups')}
            onRetry={() => void groups.refetch()}
          />
        )}
        {groups.data === undefined && groups.error === null && <LateSkeleton />}
        {groups.data !== undefined && (
          <Tabs.Panel value={tab.key}>
            {group === undefined || tab.key === 'groups' ? (
              <GroupsTab groups={groups} />
            ) : (
              <Stack>
                <Text c="dimmed">{t('Shares of creators in {group}', { group: group.name })}</Text>
                <OfGroup key={group.groupId} tab={tab.key} group={group} />
              </Stack>
            )}
          </Tabs.Panel>
        )}
      </Tabs>
    </ScreenPage>
  );
}

function OfGroup({ tab, group }: { tab: 'schedules' | 'tiers' | 'skus'; group: CreatorGroup }) {
  switch (tab) {
    case 'schedules':
      return <SchedulesTab group={group} />;
    case 'tiers':
      return <TiersTab group={group} />;
    case 'skus':
      return <SkuSharesTab group={group} />;
  }
}
