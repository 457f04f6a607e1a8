import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { listCreatorGroups, putCreatorGroup } from '../../../client/sdk.gen.ts';
import type { CreatorGroup } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { Percent } from '../../../ui/percent.tsx';
import { Provenance } from '../../../ui/provenance.tsx';
import { showRow } from '../../../ui/shown-row.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import type { PageOf } from '../../../ui/use-page.ts';
import { useVersionedEdit } from '../../../ui/versioned-edit.ts';
import { usePublisher } from '../../session/session.ts';
import { ShareEditor, useShareChanged } from './share-editor.tsx';
import { describeShare, readShare, ShareInput, shareText } from './share-input.tsx';

interface GroupsTabProps {
  groups: UseQueryResult<{ rows: CreatorGroup[] }, unknown>;
}

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

const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

function GroupEditor({ group, onDone }: { group: CreatorGroup | null; onDone(): void }) {
  const { publisherId, may } = usePublisher();
  const changed = useShareChanged('listCreatorGroups');
  const edit = useVersionedEdit({
    thing: group,
    fieldsOf: (saved) => ({
      id: saved?.groupId ?? '',
      name: saved?.name ?? '',
      share: shareText(saved?.revShare),
      isDefault: saved?.isDefault ?? false,
    }),
    describe: ({ name, share, isDefault }) => [
      [t('Name'), name.trim()],
      [t('Share'), describeShare(share)],
      [t('Default group'), isDefault ? t('yes') : t('no')],
    ],
    read({ id, name, share, isDefault }) {
      const revShare = readShare(share);
      const isNamed = idPattern.test(id.trim()) && name.trim() !== '';
      return isNamed && revShare !== null
        ? { groupId: id.trim(), name: name.trim(), revShare, isDefault }
        : null;
    },
    async save({ groupId, isDefault, ...terms }, over) {
      const { data } = await putCreatorGroup({
        path: { publisherId, groupId },
        body: {
          version: over?.version ?? null,
          ...terms,
          ...(isDefault && over?.isDefault !== true && { isDefault }),
        },
        throwOnError: true,
      });
      return data;
    },
    async readAgain() {
      const { data } = await listCreatorGroups({ path: { publisherId }, throwOnError: true });
      return data.rows.find(({ groupId }) => groupId === group?.groupId);
    },
    async onSaved(saved) {
      await changed(t('{name} saved', saved));
      onDone();
      showRow(saved.groupId);
    },
  });
  const { fields, base, change } = edit;
  const isOff = !may('program');
  return (
    <ShareEditor edit={edit}>
      <Stack gap="sm">
        <TextInput
          label={t('ID')}
          description={t('Requests use it as groupId. Letters, digits, _ and -. It can’t be changed later.')}
          value={fields.id}
          maxLength={64}
          disabled={isOff || group !== null}
          data-autofocus={group === null || undefined}
          onChange={({ currentTarget: { value } }) => change({ id: value })}
        />
        <TextInput
          label={t('Name')}
          value={fields.name}
          maxLength={255}
          disabled={isOff}
          onChange={({ currentTarget: { value } }) => change({ name: value })}
        />
        <ShareInput
          description={t(
            'What creators earn unless a tier, SKU or schedule sets another share. Applies to new purchases.',
          )}
          value={fields.share}
          isOff={isOff}
          onChange={(share) => change({ share })}
        />
        <Checkbox
          label={t('Default group')}
          description={t('Used when a request names no group. To change it, make another group the default.')}
          checked={fields.isDefault}
          disabled={isOff || base?.isDefault === true}
          onChange={({ currentTarget: { checked } }) => change({ isDefault: checked })}
        />
      </Stack>
    </ShareEditor>
  );
}
