import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { listSkuSharesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { listSkuShares, putSkuShare, removeSkuShare } from '../../../client/sdk.gen.ts';
import type { CreatorGroup, SkuShare } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { formatPercent, Percent } from '../../../ui/percent.tsx';
import { Provenance } from '../../../ui/provenance.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePage } from '../../../ui/use-page.ts';
import { usePublisher } from '../../session/session.ts';
import { ShareEditor } from './share-editor.tsx';
import { readShare, ShareInput, shareText } from './share-input.tsx';
import { maxDrawn } from './use-shares.ts';

/** SKUs with their own shares. */
export function SkuSharesTab({ group }: { group: CreatorGroup }) {
  const { publisherId, may } = usePublisher();
  const { query, setQuery } = useUrlState();
  const asked = {
    group: group.groupId,
    limit: maxDrawn,
    ...(query.cursor !== undefined && { cursor: query.cursor }),
  } as const;
  const page = usePage(listSkuSharesOptions({ path: { publisherId }, query: asked }));
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
      <DetailDrawer title={query.open === 'new' ? t('New SKU share') : t('SKU share')}>
        {(key) => {
          const share = rows.find(({ skuId }) => skuId === key) ?? null;
          if (page.data === undefined) return <LateSkeleton />;
          if (share === null && key !== 'new') return <Text>{t('This SKU isn’t on this page.')}</Text>;
          return (
            <SkuShareEditor
              key={key}
              publisherId={publisherId}
              groupId={group.groupId}
              share={share}
              page={asked}
              isOff={!may('program')}
              onDone={() => setQuery({ open: null })}
            />
          );
        }}
      </DetailDrawer>
    </>
  );
}

const columns = (): Column<SkuShare>[] => [
  { id: 'sku', header: t('SKU'), cell: ({ skuId }) => skuId },
  { id: 'share', header: t('Share'), align: 'end', cell: ({ revShare }) => <Percent value={revShare} /> },
  {
    id: 'by',
    header: t('Changed by'),
    hiddenBelow: 'sm',
    cell: ({ provenance }) => <Provenance of={provenance} />,
  },
];

interface SkuShareEditorProps {
  publisherId: string;
  groupId: string;
  share: SkuShare | null;
  page: { group: string; limit: 250; cursor?: string };
  isOff: boolean;
  onDone(): void;
}

function SkuShareEditor({ publisherId, groupId, share, page, isOff, onDone }: SkuShareEditorProps) {
  const path = { publisherId };
  const [sku, setSku] = useState(share?.skuId ?? '');
  const [typed, setTyped] = useState(shareText(share?.revShare));
  const revShare = readShare(typed);
  const skuId = sku.trim();
  return (
    <ShareEditor
      thing={share}
      listedBy="listSkuShares"
      values={{ sku, typed }}
      name={skuId}
      onDone={onDone}
      save={
        skuId === '' || revShare === null
          ? null
          : async (version) => {
              await putSkuShare({ path, body: { groupId, skuId, version, revShare }, throwOnError: true });
              return skuId;
            }
      }
      readAgain={async () => {
        const { data } = await listSkuShares({ path, query: page, throwOnError: true });
        return data.rows.find((row) => row.skuId === skuId);
      }}
      summary={(saved) => `${saved.skuId}: ${formatPercent(saved.revShare)}`}
      removal={{
        question: t('Remove the share for {skuId}?', { skuId }),
        action: t('Remove share'),
        consequence: t('New purchases earn the usual share. Recorded purchases keep theirs.'),
        remove: (version) => removeSkuShare({ path, body: { groupId, skuId, version }, throwOnError: true }),
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={t('SKU')}
          description={t('As sent in skuId.')}
          value={sku}
          maxLength={255}
          disabled={isOff || share !== null}
          data-autofocus={share === null || undefined}
          onChange={({ currentTarget: { value } }) => setSku(value)}
        />
        <ShareInput
          description={t('Percent of the subtotal, with up to four decimals. Applies to new purchases.')}
          value={typed}
          isOff={isOff}
          onChange={setTyped}
        />
      </Stack>
    </ShareEditor>
  );
}
