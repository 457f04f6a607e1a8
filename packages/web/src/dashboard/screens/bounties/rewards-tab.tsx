import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { listGivenRewardsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { completeGivenReward } from '../../../client/sdk.gen.ts';
import type { GivenReward } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FilterBar, FilterSelect } from '../../../ui/filter-bar.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { SelectionBar } from '../../../ui/selection-bar.tsx';
import { i18n, t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { Unsaved } from '../../../ui/unsaved.tsx';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePage } from '../../../ui/use-page.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';

export function RewardsTab() {
  const { publisherId, may } = usePublisher();
  const { query } = useUrlState();
  const queryClient = useQueryClient();
  const state = query.state === 'delivered' ? 'delivered' : 'waiting';
  const [asked, setAsked] = useState<readonly GivenReward[]>([]);
  const [selected, setSelected] = useState<readonly GivenReward[]>([]);
  const onSelect = useCallback((rows: readonly GivenReward[]) => setSelected(rows), []);
  const [reference, setReference] = useState('');
  const page = usePage(
    listGivenRewardsOptions({
      path: { publisherId },
      query: {
        state,
        ...(query.group !== undefined && { group: query.group }),
        ...(query.cursor !== undefined && { cursor: query.cursor }),
        limit: limitOf(query),
      },
    }),
  );
  const deliver = async (): Promise<void> => {
    const referenceId = reference.trim() === '' ? null : reference.trim();
    try {
      // One by one. After a failure, the dialog shows the reason, and another try changes only the rest.
      for (const { rewardId, groupId } of asked)
        await completeGivenReward({
          path: { publisherId, rewardId },
          body: { groupId, referenceId },
          throwOnError: true,
        });
    } finally {
      await refresh(queryClient, 'listGivenRewards', 'listBountyProgress');
    }
    toast(
      only === null
        ? t('{count, plural, one {# reward} other {# rewards}} marked as delivered', { count: asked.length })
        : t('{name} for {creator} marked as delivered', { name: only.name, creator: only.memberName }),
    );
  };
  const ask = (rewards: readonly GivenReward[]): void => {
    setReference('');
    setAsked(rewards);
  };
  const only = asked.length === 1 ? (asked[0] ?? null) : null;
  const mayDeliver = may('program') && state === 'waiting';
  // An empty list doesn't report its selection, so rows that aren't shown are removed here.
  const shown = new Set(page.data?.rows.map(keyOf));
  const chosen = selected.filter((each) => shown.has(keyOf(each)));
  return (
    <Stack>
      <FilterBar
        fieldNames={['state']}
        fields={
          <FilterSelect
            name="state"
            isMain
            label={t('Reward status')}
            all={t('To deliver')}
            choices={[['delivered', t('Delivered')]]}
          />
        }
      />
      <DataTable<GivenReward>
        label={t('Rewards')}
        list="rewards"
        page={page}
        columns={columns(mayDeliver ? ask : null)}
        rowKey={keyOf}
        selectionName={({ name, memberName }) => t('{name} for {creator}', { name, creator: memberName })}
        onSelect={mayDeliver ? onSelect : undefined}
        empty={
          <EmptyState
            icon="check"
            title={state === 'waiting' ? t('Nothing to deliver') : t('Nothing delivered yet')}
          >
            {t('Rewards that you deliver yourself are listed here once creators earn them.')}
          </EmptyState>
        }
      />
      {mayDeliver && chosen.length > 0 && (
        <SelectionBar
          label={t('Selected rewards')}
          count={t('{count, plural, one {# reward} other {# rewards}} selected', { count: chosen.length })}
          mainAction={
            <Button size="xs" onClick={() => ask(chosen)}>
              {t('Mark as delivered')}
            </Button>
          }
        />
      )}
      <ConfirmDialog
        opened={asked.length > 0}
        onClose={() => setAsked([])}
        title={
          only === null
            ? t('Mark {count, plural, one {# reward} other {# rewards}} as delivered?', {
                count: asked.length,
              })
            : t('Mark as delivered?')
        }
        action={t('Mark as delivered')}
        onConfirm={deliver}
      >
        {asked.length > 0 && (
          <Stack gap="sm">
            <Unsaved values={reference} />
            {only === null
              ? t('This can’t be undone. {names}', { names: namesShown(asked) })
              : t('{name} for {creator}, who completed {bounty}. This can’t be undone.', {
                  name: only.name,
                  creator: only.memberName,
                  bounty: only.bountyName,
                })}
            <TextInput
              label={t('Your reference')}
              description={
                only === null
                  ? t('Optional. Applies to all of these rewards.')
                  : t('Optional, such as a tracking number.')
              }
              value={reference}
              maxLength={255}
              onChange={({ currentTarget: { value } }) => setReference(value)}
            />
          </Stack>
        )}
      </ConfirmDialog>
    </Stack>
  );
}

// Defined once, because a new function on each render would report the selection again.
const keyOf = ({ rewardId }: GivenReward): string => rewardId;

/** Maximum number of rewards that are named; the rest are only counted. */
const maxNamed = 5;

const namesShown = (rewards: readonly GivenReward[]): string =>
  new Intl.ListFormat(i18n.locale, { type: 'conjunction' }).format([
    ...rewards
      .slice(0, maxNamed)
      .map(({ name, memberName }) => t('{name} for {creator}', { name, creator: memberName })),
    ...(rewards.length > maxNamed ? [t('{count} more', { count: rewards.length - maxNamed })] : []),
  ]);

const columns = (ask: ((rewards: readonly GivenReward[]) => void) | null): Column<GivenReward>[] => [
  {
    id: 'reward',
    header: t('Reward'),
    tone: 'strong',
    cell: ({ name, memberName }) => (
      <>
        {name}
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {memberName}
        </Text>
      </>
    ),
  },
  { id: 'creator', header: t('Creator'), hiddenBelow: 'sm', cell: ({ memberName }) => memberName },
  {
    id: 'bounty',
    header: t('Bounty'),
    tone: 'quiet',
    hiddenBelow: 'sm',
    cell: ({ bountyName }) => bountyName,
  },
  {
    id: 'completed',
    header: t('Completed'),
    tone: 'quiet',
    hiddenBelow: 'sm',
    cell: ({ completedAt }) => <When at={completedAt} />,
  },
  {
    id: 'id',
    header: t('ID in your catalog'),
    tone: 'quiet',
    hiddenBelow: 'md',
    cell: ({ externalId }) => externalId ?? '–',
  },
  ask === null
    ? { id: 'reference', header: t('Reference'), cell: ({ referenceId }) => referenceId ?? '–' }
    : {
        id: 'deliver',
        header: t('Deliver'),
        align: 'end',
        cell: (reward) => (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={t('Mark as delivered: {name} for {creator}', {
              name: reward.name,
              creator: reward.memberName,
            })}
            onClick={() => ask([reward])}
          >
            {t('Mark as delivered')}
          </Button>
        ),
      },
];
