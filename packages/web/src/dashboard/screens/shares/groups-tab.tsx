import { Button, Text } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { countSupportersOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { CreatorGroup, Supporters } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatCount, Percent } from '../../../ui/percent.tsx';
import { Provenance } from '../../../ui/provenance.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import type { PageOf } from '../../../ui/use-page.ts';
import { usePublisher } from '../../session/session.ts';
import { GroupEditor } from './group-editor.tsx';

interface GroupsTabProps {
  groups: UseQueryResult<CreatorGroup[], unknown>;
}

export function GroupsTab({ groups }: GroupsTabProps) {
  const { may, publisherId } = usePublisher();
  const { data: supporters } = useQuery(countSupportersOptions({ path: { publisherId } }));
  const { query, setQuery } = useUrlState();
  const rows = groups.data ?? [];
  const page = {
    ...groups,
    data: groups.data && { rows: groups.data, nextCursor: null },
  } as UseQueryResult<PageOf<CreatorGroup>, unknown>;
  return (
    <>
      <DataTable<CreatorGroup>
        label={t('Creator groups')}
        page={page}
        columns={columns(supporters)}
        rowKey={({ groupId }) => groupId}
        rowName={({ name }) => name}
        empty={
          <EmptyState
            icon="shares"
            title={t('No creator groups yet')}
            action={
              may('program') && (
                <Button onClick={() => setQuery({ tab: 'groups', open: 'new' })}>{t('Create group')}</Button>
              )
            }
          >
            {t(
              'Every creator belongs to a group, which sets a default share. Create your first group to start.',
            )}
          </EmptyState>
        }
      />
      <DetailDrawer title={query.open === 'new' ? t('Create group') : t('Creator group')}>
        {(key) => {
          const group = rows.find(({ groupId }) => groupId === key) ?? null;
          if (groups.data === undefined) return <LateSkeleton />;
          if (group === null && key !== 'new') return <Text>{t('This group doesn’t exist.')}</Text>;
          return (
            <GroupEditor
              key={key}
              group={group}
              isFirst={rows.length === 0}
              onDone={() => setQuery({ open: null })}
              {...(group === null && { onCancel: () => setQuery({ open: null }) })}
            />
          );
        }}
      </DetailDrawer>
    </>
  );
}

const columns = (supporters: Supporters | undefined): Column<CreatorGroup>[] => [
  { id: 'name', header: t('Group'), tone: 'strong', cell: ({ name }) => name },
  { id: 'id', header: t('ID'), tone: 'quiet', hiddenBelow: 'sm', cell: ({ groupId }) => groupId },
  {
    id: 'default',
    header: t('Default'),
    cell: ({ isDefault }) => (isDefault ? <StatusBadge tone="good">{t('Default')}</StatusBadge> : null),
  },
  { id: 'share', header: t('Share'), align: 'end', cell: ({ revShare }) => <Percent value={revShare} /> },
  {
    id: 'supporters',
    header: t('Supporters'),
    align: 'end',
    hiddenBelow: 'sm',
    cell: ({ groupId }) =>
      supporters === undefined
        ? null
        : formatCount(supporters.groups.find((each) => each.groupId === groupId)?.now ?? 0),
  },
  {
    id: 'by',
    header: t('Changed by'),
    tone: 'quiet',
    hiddenBelow: 'md',
    cell: ({ provenance }) => <Provenance of={provenance} />,
  },
];
