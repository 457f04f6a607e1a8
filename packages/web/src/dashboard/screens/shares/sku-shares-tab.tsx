import { Button, Stack, Text, TextInput } from '@mantine/core';
import { listSkuSharesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { listSkuShares, type Options, putSkuShare, removeSkuShare } from '../../../client/sdk.gen.ts';
import type { CreatorGroup, ListSkuSharesData, SkuShare } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatPercent, Percent } from '../../../ui/percent.tsx';
import { Provenance } from '../../../ui/provenance.tsx';
import { showRow } from '../../../ui/shown-row.ts';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePage } from '../../../ui/use-page.ts';
import { useVersionedEdit } from '../../../ui/versioned-edit.ts';
import { usePublisher } from '../../session/session.ts';
import { ShareEditor, useShareChanged } from './share-editor.tsx';
import { describeShare, readShare, ShareInput, shareText } from './share-input.tsx';
import { maxDrawn } from './use-shares.ts';

export function SkuSharesTab({ group }: { group: CreatorGroup }) {
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
  const page = usePage(listSkuSharesOptions(asked));
  const rows: readonly SkuShare[] = page.data?.rows ?? [];
  return (
    <>
      <DataTable<SkuShare>
        label={t('SKU shares')}
        page={page}
        columns={columns()}
        rowKey={({ skuId }) => skuId}
        rowName={({ skuId }) => skuId}
        empty={
          <EmptyState
            icon="shares"
            title={t('No SKU shares yet')}
            action={
              may('program') && (
                <Button onClick={() => setQuery({ open: 'new' })}>{t('Create SKU share')}</Button>
              )
            }
          >
            {t('Purchases of the SKU earn this share, regardless of tiers and schedules.')}
          </EmptyState>
        }
      />
      <DetailDrawer title={query.open === 'new' ? t('Create SKU share') : t('SKU share')}>
        {(key) => {
          const share = rows.find(({ skuId }) => skuId === key) ?? null;
          if (page.data === undefined) return <LateSkeleton />;
          if (share === null && key !== 'new') return <Text>{t('This SKU isn’t on this page.')}</Text>;
          return (
            <SkuShareEditor
              key={key}
              groupId={group.groupId}
              share={share}
              asked={asked}
              onDone={() => setQuery({ open: null })}
            />
          );
        }}
      </DetailDrawer>
    </>
  );
}

const columns = (): Column<SkuShare>[] => [
  { id: 'sku', header: t('SKU'), tone: 'strong', cell: ({ skuId }) => skuId },
  { id: 'share', header: t('Share'), align: 'end', cell: ({ revShare }) => <Percent value={revShare} /> },
  {
    id: 'by',
    header: t('Changed by'),
    tone: 'quiet',
    hiddenBelow: 'sm',
    cell: ({ provenance }) => <Provenance of={provenance} />,
  },
];

type Asked = Options<ListSkuSharesData>;

interface SkuShareEditorProps {
  groupId: string;
  share: SkuShare | null;
  /** Request for the page that contains the share. */
  asked: Asked;
  onDone(): void;
}

function SkuShareEditor({ groupId, share, asked, onDone }: SkuShareEditorProps) {
  const { may } = usePublisher();
  const changed = useShareChanged('listSkuShares');
  const { path } = asked;
  const edit = useVersionedEdit({
    thing: share,
    fieldsOf: (saved) => ({ sku: saved?.skuId ?? '', share: shareText(saved?.revShare) }),
    describe: ({ sku, share }) => [
      [t('SKU'), sku.trim()],
      [t('Share'), describeShare(share)],
    ],
    read({ sku, share }) {
      const revShare = readShare(share);
      return sku.trim() === '' || revShare === null ? null : { skuId: sku.trim(), revShare };
    },
    async save(terms, over) {
      const body = { groupId, version: over?.version ?? null, ...terms };
      return (await putSkuShare({ path, body, throwOnError: true })).data;
    },
    async readAgain() {
      const { data } = await listSkuShares({ ...asked, throwOnError: true });
      return data.rows.find(({ skuId }) => skuId === share?.skuId);
    },
    async onSaved(saved, undo) {
      const { skuId, version } = saved;
      await changed(
        t('{name} now earns {share}', { name: skuId, share: formatPercent(saved.revShare) }),
        undo ?? (() => removeSkuShare({ path, body: { groupId, skuId, version }, throwOnError: true })),
      );
      onDone();
      showRow(skuId);
    },
  });
  const { fields } = edit;
  const isOff = !may('program');
  return (
    <ShareEditor
      edit={edit}
      create={share === null && t('Create SKU share')}
      removal={{
        question: t('Remove the share for {skuId}?', { skuId: fields.sku }),
        action: t('Remove share'),
        consequence: t('New purchases earn the usual share. Recorded purchases keep theirs.'),
        async remove({ skuId, version, revShare }) {
          await removeSkuShare({ path, body: { groupId, skuId, version }, throwOnError: true });
          const again = { groupId, skuId, revShare, version: null };
          await changed(t('Share for {name} removed', { name: skuId }), () =>
            putSkuShare({ path, body: again, throwOnError: true }),
          );
          edit.settle();
          onDone();
        },
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={t('SKU')}
          description={t('As sent in skuId.')}
          value={fields.sku}
          maxLength={255}
          disabled={isOff || share !== null}
          data-autofocus={share === null || undefined}
          onChange={({ currentTarget: { value } }) => edit.change({ sku: value })}
        />
        <ShareInput
          description={t('Percent of the subtotal, up to four decimal places. Applies to new purchases.')}
          value={fields.share}
          isOff={isOff}
          onChange={(typed) => edit.change({ share: typed })}
        />
      </Stack>
    </ShareEditor>
  );
}
