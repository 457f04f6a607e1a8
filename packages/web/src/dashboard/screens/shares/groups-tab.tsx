import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { listCreatorGroups, putCreatorGroup } from '../../../client/sdk.gen.ts';
import type { CreatorGroup } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { formatPercent, Percent } from '../../../ui/percent.tsx';
import { Provenance } from '../../../ui/provenance.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import type { PageOf } from '../../../ui/use-page.ts';
import { usePublisher } from '../../session/session.ts';
import { ShareEditor } from './share-editor.tsx';
import { readShare, ShareInput, shareText } from './share-input.tsx';

interface GroupsTabProps {
  groups: UseQueryResult<{ rows: CreatorGroup[] }, unknown>;
}

/** Creator groups and their default shares. */
export function GroupsTab({ groups }: GroupsTabProps) {
  const { query, setQuery } = useUrlState();
  const rows = groups.data?.rows ?? [];
  const page = {
    ...groups,
    data: groups.data && { rows: groups.data.rows, nextCursor: null },
  } as UseQueryResult<PageOf<CreatorGroup>, unknown>;
  return (
    <>
      <DataTable<CreatorGroup>
        label={t('Creator groups')}
        page={page}
        columns={columns()}
        rowKey={({ groupId }) => groupId}
        rowName={({ name }) => name}
        empty={
          <EmptyState icon="shares" title={t('No creator groups yet')}>
            {t(
              'Every creator belongs to a group, which sets a default share. Create your first group to start.',
            )}
          </EmptyState>
        }
      />
      <DetailDrawer title={query.open === 'new' ? t('New group') : t('Creator group')}>
        {(key) => {
          const group = rows.find(({ groupId }) => groupId === key) ?? null;
          if (groups.data === undefined) return <LateSkeleton />;
          if (group === null && key !== 'new') return <Text>{t('This group doesn’t exist.')}</Text>;
          return <GroupEditor key={key} group={group} onDone={() => setQuery({ open: null })} />;
        }}
      </DetailDrawer>
    </>
  );
}

const columns = (): Column<CreatorGroup>[] => [
  { id: 'name', header: t('Group'), cell: ({ name }) => name },
  { id: 'id', header: t('ID'), hiddenBelow: 'sm', cell: ({ groupId }) => groupId },
  {
    id: 'default',
    header: t('Default'),
    cell: ({ isDefault }) => (isDefault ? <StatusBadge tone="good">{t('Default')}</StatusBadge> : null),
  },
  { id: 'share', header: t('Share'), align: 'end', cell: ({ revShare }) => <Percent value={revShare} /> },
  {
    id: 'by',
    header: t('Changed by'),
    hiddenBelow: 'md',
    cell: ({ provenance }) => <Provenance of={provenance} />,
  },
];

function GroupEditor({ group, onDone }: { group: CreatorGroup | null; onDone(): void }) {
  const { publisherId, may } = usePublisher();
  const [id, setId] = useState(group?.groupId ?? '');
  const [name, setName] = useState(group?.name ?? '');
  const [typed, setTyped] = useState(shareText(group?.revShare));
  const [isDefault, setDefault] = useState(group?.isDefault ?? false);
  const isOff = !may('program');
  const groupId = id.trim();
  const revShare = readShare(typed);
  const isNamed = /^[A-Za-z0-9_-]{1,64}$/.test(groupId) && name.trim() !== '';
  return (
    <ShareEditor
      thing={group}
      listedBy="listCreatorGroups"
      values={{ id, name, typed, isDefault }}
      name={name.trim()}
      onDone={onDone}
      save={
        !isNamed || revShare === null
          ? null
          : async (version) => {
              await putCreatorGroup({
                path: { publisherId, groupId },
                body: {
                  version,
                  name: name.trim(),
                  revShare,
                  ...(isDefault && group?.isDefault !== true && { isDefault: true }),
                },
                throwOnError: true,
              });
              return groupId;
            }
      }
      readAgain={async () => {
        const { data } = await listCreatorGroups({ path: { publisherId }, throwOnError: true });
        return data.rows.find((row) => row.groupId === groupId);
      }}
      summary={(saved) => `${saved.name}: ${formatPercent(saved.revShare)}`}
    >
      <Stack gap="sm">
        <TextInput
          label={t('ID')}
          description={t('Requests use it as groupId. Letters, digits, _ and -. It can’t be changed later.')}
          value={id}
          maxLength={64}
          disabled={isOff || group !== null}
          data-autofocus={group === null || undefined}
          onChange={({ currentTarget: { value } }) => setId(value)}
        />
        <TextInput
          label={t('Name')}
          value={name}
          maxLength={255}
          disabled={isOff}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <ShareInput
          description={t(
            'What creators earn unless a tier, SKU or schedule sets another share. Applies to new purchases.',
          )}
          value={typed}
          isOff={isOff}
          onChange={setTyped}
        />
        <Checkbox
          label={t('Default group')}
          description={t('Used when a request names no group. To change it, make another group the default.')}
          checked={isDefault}
          disabled={isOff || group?.isDefault === true}
          onChange={({ currentTarget: { checked } }) => setDefault(checked)}
        />
      </Stack>
    </ShareEditor>
  );
}
