import { ActionIcon, Button, Code, Group, Menu, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { listKeysOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { ApiKey } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { unknown } from '../../../ui/money.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useAsked } from '../../../ui/use-asked.ts';
import { usePage } from '../../../ui/use-page.ts';
import { When } from '../../../ui/when.tsx';
import { GroupName } from '../../group-name.tsx';
import { usePublisher } from '../../session/session.ts';
import { IgnoredNames } from './ignored-names.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { StrictDialog } from './strict-dialog.tsx';

interface Asked {
  what: 'rotate' | 'revoke' | 'strict';
  key: ApiKey;
}

interface KeyListProps {
  onUse(name: string): void;
  /** What stands below, once the keys are there, or cannot be: shown before, it would be pushed down. */
  children: ReactNode;
}

/** The publisher's API keys, the newest first: of each what tells it from others, never the key. */
export function KeyList({ onUse, children }: KeyListProps) {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const [isMaking, setMaking] = useState(false);
  useAsked('add', () => setMaking(true));
  const [asked, setAsked] = useState<Asked | null>(null);
  const page = usePage(
    listKeysOptions({ path: { publisherId }, query: { cursor: query.cursor, limit: limitOf(query) } }),
  );
  const make = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setMaking(true)}>
      {t('Make a key')}
    </Button>
  );
  return (
    <>
      <Group justify="flex-end" mb="sm">
        {make}
      </Group>
      <DataTable
        label={t('API keys')}
        columns={columns({ onAsk: setAsked, onUse })}
        page={page}
        rowKey={({ keyId }: ApiKey) => keyId}
        empty={
          <EmptyState icon="key" title={t('No keys yet')} action={make}>
            {t('Your back end sends a secret key with each request; a game client has a public one.')}
          </EmptyState>
        }
      />
      {page.data !== undefined && <IgnoredNames keys={page.data.rows} />}
      {(page.data !== undefined || page.error !== null) && children}
      <NewKeyDialog opened={isMaking} onClose={() => setMaking(false)} />
      <RotateDialog apiKey={asked?.what === 'rotate' ? asked.key : null} onClose={() => setAsked(null)} />
      <StrictDialog apiKey={asked?.what === 'strict' ? asked.key : null} onClose={() => setAsked(null)} />
      <RevokeDialog apiKey={asked?.what === 'revoke' ? asked.key : null} onClose={() => setAsked(null)} />
    </>
  );
}

interface Doing {
  onAsk(asked: Asked): void;
  onUse(name: string): void;
}

const columns = (doing: Doing): readonly Column<ApiKey>[] => [
  {
    id: 'name',
    header: t('Name'),
    cell: ({ name, kind, createdBy }) => (
      <>
        <Text size="sm">{name}</Text>
        <Text size="xs" hiddenFrom="xs">
          {kind}
        </Text>
        {createdBy !== null && (
          <Text size="xs" c="dimmed">
            {t('by {name}', { name: createdBy })}
          </Text>
        )}
      </>
    ),
  },
  { id: 'kind', header: t('Kind'), cell: ({ kind }) => kind, hiddenBelow: 'xs' },
  {
    id: 'group',
    header: t('Group'),
    cell: ({ groupId }) => (groupId === null ? t('all') : <GroupName groupId={groupId} />),
    hiddenBelow: 'md',
  },
  {
    id: 'hint',
    header: t('Ends with'),
    cell: ({ hint }) => (hint === null ? unknown : <Code>…{hint}</Code>),
    hiddenBelow: 'sm',
  },
  { id: 'state', header: t('State'), cell: (key) => <State apiKey={key} /> },
  {
    id: 'used',
    header: t('Last used'),
    cell: ({ lastUsedAt }) => <When at={lastUsedAt} />,
    hiddenBelow: 'sm',
  },
  { id: 'made', header: t('Made'), cell: ({ createdAt }) => <When at={createdAt} />, hiddenBelow: 'lg' },
  { id: 'menu', header: t('More'), align: 'end', cell: (key) => <KeyMenu apiKey={key} {...doing} /> },
];

function State({ apiKey: { state, expiresAt, strict } }: { apiKey: ApiKey }) {
  if (state === 'revoked') return <StatusBadge tone="over">{t('Revoked')}</StatusBadge>;
  if (state === 'expired') return <StatusBadge tone="over">{t('Expired')}</StatusBadge>;
  return (
    <>
      <StatusBadge tone={expiresAt === null ? 'good' : 'waiting'}>{t('Works')}</StatusBadge>
      {expiresAt !== null && (
        <Text size="xs" c="dimmed">
          {t('until')} <When at={expiresAt} />
        </Text>
      )}
      {strict && (
        <Text size="xs" c="dimmed">
          {t('strict')}
        </Text>
      )}
    </>
  );
}

function KeyMenu({ apiKey, onAsk, onUse }: Doing & { apiKey: ApiKey }) {
  if (apiKey.state !== 'active') return null;
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="default"
        visibleFrom="sm"
        aria-label={t('Rotate {name}', { name: apiKey.name })}
        onClick={() => onAsk({ what: 'rotate', key: apiKey })}
      >
        {t('Rotate')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={t('What can be done with {name}', { name: apiKey.name })}
          >
            <Icon name="down" size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="developers" size={16} />} onClick={() => onUse(apiKey.name)}>
            {t('Show snippets')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="refresh" size={16} />}
            onClick={() => onAsk({ what: 'rotate', key: apiKey })}
          >
            {t('Rotate')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="check" size={16} />}
            onClick={() => onAsk({ what: 'strict', key: apiKey })}
          >
            {apiKey.strict ? t('Make tolerant') : t('Make strict')}
          </Menu.Item>
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<Icon name="trash" size={16} />}
            onClick={() => onAsk({ what: 'revoke', key: apiKey })}
          >
            {t('Revoke')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
