import { Button, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { CreatorGroup } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FactsSkeleton } from '../../../ui/skeletons.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import type { PageOf } from '../../../ui/use-page.ts';
import { useInPlace } from '../../first-steps/in-place.tsx';
import { usePublisher } from '../../session/session.ts';
import { GroupApplications } from './group-applications.tsx';
import { GroupForm } from './group-form.tsx';
import { shown } from './minimum-words.ts';
import { Section } from './section.tsx';

interface GroupSettingsProps {
  groups: UseQueryResult<CreatorGroup[], unknown>;
}

export function GroupSettings({ groups }: GroupSettingsProps) {
  const { may } = usePublisher();
  const inPlace = useInPlace();
  const { setQuery } = useUrlState();
  const page = {
    ...groups,
    data: groups.data && { rows: groups.data, nextCursor: null },
  } as UseQueryResult<PageOf<CreatorGroup>, unknown>;
  return (
    <Section
      title={t('Creator groups')}
      about={t('Hold period, minimum payout, and accepted currencies of each group.')}
    >
      <DataTable<CreatorGroup>
        label={t('Creator groups')}
        columns={columns()}
        page={page}
        usualRows={3}
        rowKey={({ groupId }) => groupId}
        rowName={({ name }) => name}
        empty={
          <EmptyState
            icon="shares"
            title={t('No creator groups yet')}
            action={
              may('program') && <Button onClick={() => inPlace.open('group')}>{t('Create group')}</Button>
            }
          >
            {t('A group sets what its creators earn and when they’re paid.')}
          </EmptyState>
        }
      />
      {inPlace.form}
      <DetailDrawer title={t('Creator group')}>
        {(key) => {
          const group = groups.data?.find(({ groupId }) => groupId === key);
          if (groups.data === undefined) return <FactsSkeleton />;
          if (group === undefined) return <Text>{t('This group doesn’t exist.')}</Text>;
          return (
            <Stack key={key} gap="xl">
              <GroupForm group={group} onDone={() => setQuery({ open: null })} />
              <GroupApplications group={group} />
            </Stack>
          );
        }}
      </DetailDrawer>
    </Section>
  );
}

const columns = (): readonly Column<CreatorGroup>[] => [
  { id: 'name', header: t('Group'), tone: 'strong', cell: ({ name }) => name },
  {
    id: 'default',
    header: t('Default'),
    hiddenBelow: 'sm',
    cell: ({ isDefault }) => (isDefault ? <StatusBadge tone="good">{t('Default')}</StatusBadge> : null),
  },
  {
    id: 'hold',
    header: t('Hold period'),
    cell: ({ holdDays }) => t('{holdDays, plural, one {# day} other {# days}}', { holdDays }),
  },
  {
    id: 'minimums',
    header: t('Minimum payout'),
    hiddenBelow: 'xs',
    cell: ({ payoutMinimums }) =>
      payoutMinimums.length === 0 ? t('None') : payoutMinimums.map(shown).join(', '),
  },
  {
    id: 'disabled',
    header: t('Rejected currencies'),
    hiddenBelow: 'md',
    cell: ({ disabledCurrencies }) =>
      disabledCurrencies.length === 0 ? t('None') : disabledCurrencies.join(', '),
  },
];
