import { Button, Stack, Text, TextInput } from '@mantine/core';
import { listShareTiersOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { changeShareTier, createShareTier, listShareTiers, type Options } from '../../../client/sdk.gen.ts';
import type { CreatorGroup, ListShareTiersData, ShareTier } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatCount, Percent } from '../../../ui/percent.tsx';
import { Provenance } from '../../../ui/provenance.tsx';
import { showRow } from '../../../ui/shown-row.ts';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useFieldErrors } from '../../../ui/use-field-errors.tsx';
import { usePage } from '../../../ui/use-page.ts';
import { useVersionedEdit } from '../../../ui/versioned-edit.ts';
import { usePublisher } from '../../session/session.ts';
import { savedWords } from './saved-words.ts';
import { ShareEditor, useShareChanged } from './share-editor.tsx';
import { describeShare, readShare, ShareInput, shareText } from './share-input.tsx';
import { maxDrawn } from './use-shares.ts';

export function TiersTab({ group }: { group: CreatorGroup }) {
  const { publisherId, may } = usePublisher();
  const { query, setQuery } = useUrlState();
  const asked: Asked = {
    path: { publisherId },
    query: {
      group: group.groupId,
      limit: maxDrawn,
      ...(query.cursor !== undefined && { cursor: query.cursor }),
    },
  };
  const page = usePage(listShareTiersOptions(asked));
  const rows: readonly ShareTier[] = page.data?.rows ?? [];
  return (
    <>
      <DataTable<ShareTier>
        label={t('Tiers')}
        page={page}
        columns={columns()}
        rowKey={({ tierId }) => tierId}
        rowName={({ name }) => name}
        empty={
          <EmptyState
            icon="shares"
            title={t('No tiers yet')}
            action={
              may('program') && <Button onClick={() => setQuery({ open: 'new' })}>{t('Create tier')}</Button>
            }
          >
            {t('Creators in a tier, such as Gold, earn its share instead of the group’s.')}
          </EmptyState>
        }
      />
      <DetailDrawer title={query.open === 'new' ? t('Create tier') : t('Tier')}>
        {(key) => {
          const tier = rows.find(({ tierId }) => tierId === key) ?? null;
          if (page.data === undefined) return <LateSkeleton />;
          if (tier === null && key !== 'new') return <Text>{t('This tier isn’t on this page.')}</Text>;
          return (
            <TierEditor
              key={key}
              group={group}
              tier={tier}
              asked={asked}
              onDone={() => setQuery({ open: null })}
            />
          );
        }}
      </DetailDrawer>
    </>
  );
}

const columns = (): Column<ShareTier>[] => [
  { id: 'name', header: t('Tier'), tone: 'strong', cell: ({ name }) => name },
  { id: 'share', header: t('Share'), align: 'end', cell: ({ revShare }) => <Percent value={revShare} /> },
  {
    id: 'members',
    header: t('Creators'),
    align: 'end',
    cell: ({ memberCount, isCountWhole }) => `${formatCount(memberCount)}${isCountWhole ? '' : '+'}`,
  },
  {
    id: 'by',
    header: t('Changed by'),
    tone: 'quiet',
    hiddenBelow: 'sm',
    cell: ({ provenance }) => <Provenance of={provenance} />,
  },
];

type Asked = Options<ListShareTiersData>;

interface TierEditorProps {
  group: CreatorGroup;
  tier: ShareTier | null;
  /** Request for the page that contains the tier. */
  asked: Asked;
  onDone(): void;
}

function TierEditor({ group, tier, asked, onDone }: TierEditorProps) {
  const { may } = usePublisher();
  const changed = useShareChanged('listShareTiers');
  const { path } = asked;
  const edit = useVersionedEdit({
    thing: tier,
    fieldsOf: (saved) => ({ name: saved?.name ?? '', share: shareText(saved?.revShare) }),
    describe: ({ name, share }) => [
      [t('Name'), name.trim()],
      [t('Share'), describeShare(share)],
    ],
    read({ name, share }) {
      const revShare = readShare(share);
      return name.trim() === '' || revShare === null ? null : { name: name.trim(), revShare };
    },
    async save(terms, over) {
      const { data } =
        over === null
          ? await createShareTier({ path, body: { groupId: group.groupId, ...terms }, throwOnError: true })
          : await changeShareTier({
              path: { ...path, tierId: over.tierId },
              body: { version: over.version, ...terms },
              throwOnError: true,
            });
      return data;
    },
    async readAgain() {
      const { data } = await listShareTiers({ ...asked, throwOnError: true });
      return data.rows.find(({ tierId }) => tierId === tier?.tierId);
    },
    async onSaved(saved, undo) {
      await changed(savedWords('tier', tier, saved), undo);
      onDone();
      showRow(saved.tierId);
    },
  });
  const { name, share } = edit.fields;
  const { errors, check, notice } = useFieldErrors({ name: null }, edit.error);
  const isOff = !may('program');
  return (
    <ShareEditor edit={edit} create={tier === null && t('Create tier')} check={check} notice={notice}>
      <Stack gap="sm">
        <TextInput
          label={t('Name')}
          name="name"
          autoComplete="off"
          value={name}
          error={errors.name}
          maxLength={255}
          disabled={isOff}
          data-autofocus
          onChange={({ currentTarget: { value } }) => edit.change({ name: value })}
        />
        <ShareInput
          description={t('Percent of the subtotal, up to four decimal places. Applies to new purchases.')}
          value={share}
          isOff={isOff}
          onChange={(typed) => edit.change({ share: typed })}
        />
      </Stack>
    </ShareEditor>
  );
}
