import { Anchor, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CreatorGroup } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import type { PageOf } from '../../../ui/use-page.ts';
import { usePublisher } from '../../session/session.ts';
import { GroupForm } from './group-form.tsx';
import { shown } from './minimum-words.ts';
import { Section } from './section.tsx';

interface GroupSettingsProps {
  groups: UseQueryResult<{ rows: CreatorGroup[] }, unknown>;
}

/** How each group pays, and what it takes. */
export function GroupSettings({ groups }: GroupSettingsProps) {
  const { publisherId } = usePublisher();
  const { setQuery } = useUrlState();
  const page = {
    ...groups,
    data: groups.data && { rows: groups.data.rows, nextCursor: null },
  } as UseQueryResult<PageOf<CreatorGroup>, unknown>;
  return (
    <Section
      title={t('Creator groups')}
      about={t('When purchases are paid out, from how much on, and which currencies a group takes.')}
    >
      <DataTable<CreatorGroup>
        label={t('Creator groups')}
        columns={columns()}
        page={page}
        rowKey={({ groupId }) => groupId}
        rowName={({ name }) => name}
        empty={
          <EmptyState
            icon="shares"
            title={t('No creator group yet')}
            action={
              <Anchor component={Link} to={`/p/${encodeURIComponent(publisherId)}/shares`}>
                {t('Make the first one under Shares')}
              </Anchor>
            }
          >
            {t('Creators belong to a group, which says what they earn and when they are paid.')}
          </EmptyState>
        }
      />
      <DetailDrawer title={t('Creator group')}>
        {(key) => {
          const group = groups.data?.rows.find(({ groupId }) => groupId === key);
          if (groups.data === undefined) return <LateSkeleton />;
          if (group === undefined) return <Text>{t('There is no such group.')}</Text>;
          return <GroupForm key={key} group={group} onDone={() => setQuery({ open: null })} />;
        }}
      </DetailDrawer>
    </Section>
  );
}

const columns = (): readonly Column<CreatorGroup>[] => [
  { id: 'name', header: t('Group'), cell: ({ name }) => name },
  {
    id: 'default',
    header: t('Default'),
    hiddenBelow: 'sm',
    cell: ({ isDefault }) => (isDefault ? <StatusBadge tone="good">{t('Default')}</StatusBadge> : null),
  },
  {
    id: 'hold',
    header: t('Hold'),
    cell: ({ holdDays }) => t('{holdDays, plural, one {# day} other {# days}}', { holdDays }),
  },
  {
    id: 'minimums',
    header: t('Smallest payout'),
    hiddenBelow: 'xs',
    cell: ({ payoutMinimums }) =>
      payoutMinimums.length === 0 ? t('none') : payoutMinimums.map(shown).join(', '),
  },
  {
    id: 'disabled',
    header: t('Currencies refused'),
    hiddenBelow: 'md',
    cell: ({ disabledCurrencies }) =>
      disabledCurrencies.length === 0 ? t('none') : disabledCurrencies.join(', '),
  },
];
