import { ActionIcon, Button, Code, Group, Menu, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { groupRequestsOptions, listKeysOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { ApiKey } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { unknown } from '../../../ui/money.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { Parts } from '../../../ui/parts.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePage } from '../../../ui/use-page.ts';
import { When } from '../../../ui/when.tsx';
import { GroupName } from '../../group-name.tsx';
import { usePublisher } from '../../session/session.ts';
import { IgnoredNames } from './ignored-names.tsx';
import { LatestRefused } from './latest-refused.tsx';
import { pollMs } from './live.ts';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { StrictDialog } from './strict-dialog.tsx';

interface KeyRequest {
  action: 'rotate' | 'revoke' | 'strict';
  key: ApiKey;
}

interface KeyListProps {
  /** Next step for a publisher without keys. */
  createButton: ReactNode;
  onUse(name: string): void;
}

/** API keys of the publisher, newest first, and the latest rejected requests. The keys themselves are never shown. */
export function KeyList({ createButton, onUse }: KeyListProps) {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const [request, setRequest] = useState<KeyRequest | null>(null);
  const page = usePage(
    listKeysOptions({ path: { publisherId }, query: { cursor: query.cursor, limit: limitOf(query) } }),
  );
  const refused = useQuery({
    ...groupRequestsOptions({ path: { publisherId } }),
    refetchInterval: pollMs,
  });
  return (
    <>
      <Parts queries={[page, refused]}>
        <DataTable
          label={t('API keys')}
          columns={columns({ onRequest: setRequest, onUse })}
          page={page}
          rowKey={({ keyId }: ApiKey) => keyId}
          empty={
            <EmptyState icon="key" title={t('No keys yet')} action={createButton}>
              {t('Your back end sends a secret key with each request. Game clients use a public key.')}
            </EmptyState>
          }
        />
        {page.data !== undefined && <IgnoredNames keys={page.data.rows} />}
        {/* Waits for the list above, which would otherwise push it down. */}
        {!page.isPending && <LatestRefused groups={refused} />}
      </Parts>
      <RotateDialog
        apiKey={request?.action === 'rotate' ? request.key : null}
        onClose={() => setRequest(null)}
      />
      <StrictDialog
        apiKey={request?.action === 'strict' ? request.key : null}
        onClose={() => setRequest(null)}
      />
      <RevokeDialog
        apiKey={request?.action === 'revoke' ? request.key : null}
        onClose={() => setRequest(null)}
      />
    </>
  );
}

interface KeyActions {
  onRequest(request: KeyRequest): void;
  onUse(name: string): void;
}

const columns = (actions: KeyActions): readonly Column<ApiKey>[] => [
  {
    id: 'name',
    header: t('Name'),
    tone: 'strong',
    cell: ({ name, kind, createdBy }) => (
      <>
        <Text size="sm" inherit>
          {name}
        </Text>
        <Text size="xs" c="dimmed" fw={400} hiddenFrom="xs">
          {createdBy === null
            ? kindName(kind)
            : t('{kind} · by {name}', { kind: kindName(kind), name: createdBy })}
        </Text>
        {createdBy !== null && (
          <Text size="xs" c="dimmed" fw={400} visibleFrom="xs">
            {t('by {name}', { name: createdBy })}
          </Text>
        )}
      </>
    ),
  },
  { id: 'kind', header: t('Type'), tone: 'quiet', cell: ({ kind }) => kindName(kind), hiddenBelow: 'xs' },
  {
    id: 'group',
    header: t('Group'),
    tone: 'quiet',
    cell: ({ groupId }) => (groupId === null ? t('All') : <GroupName groupId={groupId} />),
    hiddenBelow: 'md',
  },
  {
    id: 'hint',
    header: t('Ends with'),
    tone: 'quiet',
    cell: ({ hint }) => (hint === null ? unknown : <Code>…{hint}</Code>),
    hiddenBelow: 'sm',
  },
  { id: 'state', header: t('Status'), cell: (key) => <State apiKey={key} /> },
  {
    id: 'used',
    header: t('Last used'),
    tone: 'quiet',
    cell: ({ lastUsedAt }) => <When at={lastUsedAt} />,
    hiddenBelow: 'sm',
  },
  {
    id: 'made',
    header: t('Created'),
    tone: 'quiet',
    cell: ({ createdAt }) => <When at={createdAt} />,
    hiddenBelow: 'lg',
  },
  { id: 'menu', header: t('Actions'), align: 'end', cell: (key) => <KeyMenu apiKey={key} {...actions} /> },
];

const kindName = (kind: ApiKey['kind']): string => (kind === 'public' ? t('Public') : t('Secret'));

function State({ apiKey: { state, expiresAt, strict } }: { apiKey: ApiKey }) {
  if (state === 'revoked') return <StatusBadge tone="over">{t('Revoked')}</StatusBadge>;
  if (state === 'expired') return <StatusBadge tone="over">{t('Expired')}</StatusBadge>;
  return (
    <>
      <StatusBadge tone={expiresAt === null ? 'good' : 'waiting'}>{t('Active')}</StatusBadge>
      {expiresAt !== null && (
        <Text size="xs" c="dimmed">
          {t('Expires')} <When at={expiresAt} />
        </Text>
      )}
      {strict && (
        <Text size="xs" c="dimmed">
          {t('Strict')}
        </Text>
      )}
    </>
  );
}

function KeyMenu({ apiKey, onRequest, onUse }: KeyActions & { apiKey: ApiKey }) {
  if (apiKey.state !== 'active') return null;
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="default"
        visibleFrom="sm"
        aria-label={t('Rotate {name}', { name: apiKey.name })}
        onClick={() => onRequest({ action: 'rotate', key: apiKey })}
      >
        {t('Rotate')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={t('Actions for {name}', { name: apiKey.name })}
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
            onClick={() => onRequest({ action: 'rotate', key: apiKey })}
          >
            {t('Rotate')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="check" size={16} />}
            onClick={() => onRequest({ action: 'strict', key: apiKey })}
          >
            {apiKey.strict ? t('Turn off strict mode') : t('Turn on strict mode')}
          </Menu.Item>
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<Icon name="trash" size={16} />}
            onClick={() => onRequest({ action: 'revoke', key: apiKey })}
          >
            {t('Revoke')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
