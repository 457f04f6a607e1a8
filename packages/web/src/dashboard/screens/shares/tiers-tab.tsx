import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { listShareTiersOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { changeShareTier, createShareTier, listShareTiers } from '../../../client/sdk.gen.ts';
import type { CreatorGroup, ShareTier } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { formatCount, formatPercent, Percent } from '../../../ui/percent.tsx';
import { Provenance } from '../../../ui/provenance.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePage } from '../../../ui/use-page.ts';
import { usePublisher } from '../../session/session.ts';
import { ShareEditor } from './share-editor.tsx';
import { readShare, ShareInput, shareText } from './share-input.tsx';
import { maxDrawn } from './use-shares.ts';

/** Tiers of a group, with their shares. */
export function TiersTab({ group }: { group: CreatorGroup }) {
  const { publisherId, may } = usePublisher();
  const { query, setQuery } = useUrlState();
  const asked = {
    path: { publisherId },
    query: {
      group: group.groupId,
      limit: maxDrawn,
      ...(query.cursor !== undefined && { cursor: query.cursor }),
    },
  } as const;
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
            {t(
              'Creators in a tier earn its share instead of the group’s. For example, create a Silver and a Gold tier.',
            )}
          </EmptyState>
        }
      />
      <DetailDrawer title={query.open === 'new' ? t('New tier') : t('Tier')}>
        {(key) => {
          const tier = rows.find(({ tierId }) => tierId === key) ?? null;
          if (page.data === undefined) return <LateSkeleton />;
          if (tier === null && key !== 'new') return <Text>{t('This tier isn’t on this page.')}</Text>;
          return <TierEditor key={key} group={group} tier={tier} onDone={() => setQuery({ open: null })} />;
        }}
      </DetailDrawer>
    </>
  );
}

const columns = (): Column<ShareTier>[] => [
  { id: 'name', header: t('Tier'), cell: ({ name }) => name },
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
    hiddenBelow: 'sm',
    cell: ({ provenance }) => <Provenance of={provenance} />,
  },
];

interface TierEditorProps {
  group: CreatorGroup;
  tier: ShareTier | null;
  onDone(): void;
}

function TierEditor({ group, tier, onDone }: TierEditorProps) {
  const { publisherId, may } = usePublisher();
  const [name, setName] = useState(tier?.name ?? '');
  const [typed, setTyped] = useState(shareText(tier?.revShare));
  const isOff = !may('program');
  const revShare = readShare(typed);
  const terms = name.trim() === '' || revShare === null ? null : { name: name.trim(), revShare };
  return (
    <ShareEditor
      thing={tier}
      listedBy="listShareTiers"
      values={{ name, typed }}
      name={name.trim()}
      onDone={onDone}
      save={
        terms &&
        (async (version) => {
          const { data } =
            tier === null || version === null
              ? await createShareTier({
                  path: { publisherId },
                  body: { groupId: group.groupId, ...terms },
                  throwOnError: true,
                })
              : await changeShareTier({
                  path: { publisherId, tierId: tier.tierId },
                  body: { version, ...terms },
                  throwOnError: true,
                });
          return data.tierId;
        })
      }
      readAgain={async () => {
        const { data } = await listShareTiers({
          path: { publisherId },
          query: { group: group.groupId, limit: maxDrawn },
          throwOnError: true,
        });
        return data.rows.find(({ tierId }) => tierId === tier?.tierId);
      }}
      summary={(saved) => `${saved.name}: ${formatPercent(saved.revShare)}`}
    >
      <Stack gap="sm">
        <TextInput
          label={t('Name')}
          value={name}
          maxLength={255}
          disabled={isOff}
          data-autofocus
          onChange={({ currentTarget: { value } }) => setName(value)}
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
