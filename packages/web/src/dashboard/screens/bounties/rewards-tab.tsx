import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listGivenRewardsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { completeGivenReward } from '../../../client/sdk.gen.ts';
import type { GivenReward } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FilterBar, FilterSelect } from '../../../ui/filter-bar.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { t } from '../../../ui/text.ts';
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
  const [asked, setAsked] = useState<GivenReward | null>(null);
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
    if (asked === null) return;
    await completeGivenReward({
      path: { publisherId, rewardId: asked.rewardId },
      body: { groupId: asked.groupId, referenceId: reference.trim() === '' ? null : reference.trim() },
      throwOnError: true,
    });
    await refresh(queryClient, 'listGivenRewards', 'listBountyProgress');
    toast(t('{name} for {creator} marked as delivered', { name: asked.name, creator: asked.memberName }));
  };
  const ask = (reward: GivenReward): void => {
    setReference('');
    setAsked(reward);
  };
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
        columns={columns(may('program') && state === 'waiting' ? ask : null)}
        rowKey={({ rewardId }) => rewardId}
        empty={
          <EmptyState
            icon="check"
            title={state === 'waiting' ? t('Nothing to deliver') : t('Nothing delivered yet')}
          >
            {t(
              'When a creator completes a bounty whose reward you deliver yourself, the reward is listed here until you mark it as delivered.',
            )}
          </EmptyState>
        }
      />
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={t('Mark as delivered?')}
        action={t('Mark as delivered')}
        onConfirm={deliver}
      >
        {asked !== null && (
          <Stack gap="sm">
            <Unsaved values={reference} />
            {t('{name} for {creator}, who completed {bounty}. This can’t be undone.', {
              name: asked.name,
              creator: asked.memberName,
              bounty: asked.bountyName,
            })}
            <TextInput
              label={t('Your reference')}
              description={t('Optional, such as a tracking number.')}
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

const columns = (ask: ((reward: GivenReward) => void) | null): Column<GivenReward>[] => [
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
    header: t('Your ID'),
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
            variant="default"
            aria-label={t('Mark as delivered: {name} for {creator}', {
              name: reward.name,
              creator: reward.memberName,
            })}
            onClick={() => ask(reward)}
          >
            {t('Mark as delivered')}
          </Button>
        ),
      },
];
