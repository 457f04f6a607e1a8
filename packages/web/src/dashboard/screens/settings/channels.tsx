import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { listChannelsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { removeChannel, switchChannel } from '../../../client/sdk.gen.ts';
import type { Channel } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { digestWords, immediateWords } from '../../notifications/subjects.ts';
import { usePublisher } from '../../session/session.ts';
import { ChannelForm, ChannelTestDialog } from './lazy-channel-dialogs.ts';
import { Section } from './section.tsx';

interface Request {
  action: 'test' | 'edit' | 'switch' | 'remove';
  channel: Channel;
}

/** Slack and Discord channels that receive notifications. Only owners see them. */
export function Channels() {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const channels = useQuery(listChannelsOptions({ path: { publisherId } }));
  const [isAdding, setAdding] = useState(false);
  const [request, setRequest] = useState<Request | null>(null);
  const close = (): void => setRequest(null);
  const reload = () => refresh(queryClient, 'listChannels', 'getAttention');
  const shown = (action: Request['action']): Channel | null =>
    request?.action === action ? request.channel : null;
  const page = {
    ...channels,
    data: channels.data && { rows: channels.data.rows, nextCursor: null },
  } as never;
  const add = (
    <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
      {t('Add channel')}
    </Button>
  );
  const isEmpty = channels.data?.rows.length === 0;
  return (
    <Section
      title={t('Channels')}
      about={t(
        'Slack or Discord channels that get digests and immediate notifications. People choose their own emails under Notifications.',
      )}
    >
      <DataTable
        label={t('Channels')}
        columns={columns(setRequest)}
        page={page}
        usualRows={2}
        rowKey={({ channelId }: Channel) => channelId}
        empty={
          <EmptyState icon="bell" title={t('No channels yet')} action={add}>
            {t('Create an incoming webhook in Slack or Discord, and paste its URL.')}
          </EmptyState>
        }
      />
      {channels.data !== undefined && !isEmpty && <Group mt="sm">{add}</Group>}
      <Suspense>
        <ChannelForm opened={isAdding} onClose={() => setAdding(false)} channel={null} />
        <ChannelForm opened={shown('edit') !== null} onClose={close} channel={shown('edit')} />
        <ChannelTestDialog channel={shown('test')} onClose={close} />
      </Suspense>
      <SwitchDialog channel={shown('switch')} onClose={close} onDone={reload} />
      <RemoveDialog channel={shown('remove')} onClose={close} onDone={reload} />
    </Section>
  );
}

const kindNames = { slack: 'Slack', discord: 'Discord' } as const;

const columns = (onRequest: (request: Request) => void): readonly Column<Channel>[] => [
  {
    id: 'name',
    header: t('Name'),
    cell: ({ name, kind, addressHint }) => (
      <>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" miw={{ base: 0, sm: 190 }} style={{ overflowWrap: 'anywhere' }}>
          {kindNames[kind]} · {addressHint}
        </Text>
      </>
    ),
  },
  { id: 'state', header: t('Status'), cell: (channel) => <State channel={channel} /> },
  {
    id: 'subjects',
    header: t('Subjects'),
    tone: 'quiet',
    cell: (channel) => subjectsOf(channel),
    hiddenBelow: 'md',
  },
  {
    id: 'sent',
    header: t('Last sent'),
    tone: 'quiet',
    cell: ({ lastSentAt }) => <When at={lastSentAt} />,
    hiddenBelow: 'lg',
  },
  {
    id: 'menu',
    header: t('Actions'),
    align: 'end',
    cell: (channel) => <ChannelMenu channel={channel} onRequest={onRequest} />,
  },
];

function State({ channel: { isEnabled, disabledReason, failureCount, lastFailure } }: { channel: Channel }) {
  if (disabledReason !== null)
    return (
      <>
        <StatusBadge tone="bad">{t('Disabled')}</StatusBadge>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }} maw={320}>
          {disabledReason}
        </Text>
      </>
    );
  if (!isEnabled) return <StatusBadge tone="over">{t('Off')}</StatusBadge>;
  return failureCount > 0 ? (
    <>
      <StatusBadge tone="waiting">{t('Failing')}</StatusBadge>
      {lastFailure !== null && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }} maw={320}>
          {lastFailure}
        </Text>
      )}
    </>
  ) : (
    <StatusBadge tone="good">{t('On')}</StatusBadge>
  );
}

function subjectsOf({ daily, weekly, immediate }: Channel): string {
  const parts: [string, string[]][] = [
    [t('Daily'), daily.map((subject) => t(digestWords[subject].name))],
    [t('Weekly'), weekly.map((subject) => t(digestWords[subject].name))],
    [t('Immediately'), immediate.map((subject) => t(immediateWords[subject].name))],
  ];
  const shown = parts.filter(([, names]) => names.length > 0);
  return shown.map(([when, names]) => `${when}: ${names.join(', ')}`).join('. ') || t('None');
}

function ChannelMenu({ channel, onRequest }: { channel: Channel; onRequest(request: Request): void }) {
  const { name, isEnabled } = channel;
  const item = (action: Request['action']) => () => onRequest({ action, channel });
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="default"
        visibleFrom="sm"
        aria-label={t('Send test to {name}', { name })}
        onClick={item('test')}
      >
        {t('Send test')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={28} aria-label={t('Actions for {name}', { name })}>
            <Icon name="down" size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="play" size={16} />} onClick={item('test')}>
            {t('Send test')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="edit" size={16} />} onClick={item('edit')}>
            {t('Edit')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name={isEnabled ? 'pause' : 'check'} size={16} />}
            onClick={item('switch')}
          >
            {isEnabled ? t('Turn off') : t('Turn on')}
          </Menu.Item>
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<Icon name="trash" size={16} />}
            onClick={item('remove')}
          >
            {t('Remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

interface ChangeProps {
  channel: Channel | null;
  onClose(): void;
  onDone(): Promise<unknown>;
}

function SwitchDialog({ channel, onClose, onDone }: ChangeProps) {
  const { publisherId } = usePublisher();
  const { channelId = '', name = '', isEnabled = false } = channel ?? {};
  return (
    <ConfirmDialog
      opened={channel !== null}
      onClose={onClose}
      title={isEnabled ? t('Turn this channel off?') : t('Turn this channel on?')}
      action={isEnabled ? t('Turn off') : t('Turn on')}
      onConfirm={async () => {
        await switchChannel({
          path: { publisherId, channelId },
          body: { isEnabled: !isEnabled },
          throwOnError: true,
        });
        await onDone();
      }}
    >
      <p>{name}</p>
      <p>
        {isEnabled
          ? t('The channel gets no messages while it’s off, and they aren’t sent later.')
          : t('The channel gets new messages. Messages missed while it was off aren’t sent.')}
      </p>
    </ConfirmDialog>
  );
}

function RemoveDialog({ channel, onClose, onDone }: ChangeProps) {
  const { publisherId } = usePublisher();
  const { channelId = '', name = '' } = channel ?? {};
  return (
    <ConfirmDialog
      opened={channel !== null}
      onClose={onClose}
      title={t('Remove this channel?')}
      action={t('Remove channel')}
      isDangerous
      onConfirm={async () => {
        await removeChannel({ path: { publisherId, channelId }, throwOnError: true });
        await onDone();
      }}
    >
      <p>{name}</p>
      <p>
        {t(
          'The channel gets no more messages, and its URL is deleted. Remove the incoming webhook in Slack or Discord, too.',
        )}
      </p>
    </ConfirmDialog>
  );
}
