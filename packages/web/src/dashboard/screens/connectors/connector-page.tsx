import { Anchor, Button, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListedConnector } from '../../../client/types.gen.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { FactsSkeleton } from '../../../ui/skeletons.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { PauseDialog, RemoveDialog } from './connector-dialogs.tsx';
import { EventCounts } from './event-counts.tsx';
import { SetUp } from './set-up/set-up.tsx';
import { shopName } from './shops.ts';
import { useConnectors } from './use-connectors.ts';
import { refusalText, stateOfConnector } from './words.ts';

export function ConnectorPage({ connectorId }: { connectorId: string }) {
  const connectors = useConnectors();
  const connector = connectors.data?.rows.find((each) => each.connectorId === connectorId);
  if (connectors.data === undefined)
    return (
      <ScreenPage title={t('Connector')} about={<Back />}>
        {connectors.error === null ? (
          <FactsSkeleton />
        ) : (
          <ErrorNotice error={connectors.error} onRetry={() => void connectors.refetch()} />
        )}
      </ScreenPage>
    );
  if (connector === undefined)
    return (
      <ScreenPage title={t('Connectors')}>
        <EmptyState icon="connectors" title={t('Connector not found')} action={<Back />}>
          {t('It may have been removed. Check the audit log for details.')}
        </EmptyState>
      </ScreenPage>
    );
  return <Existing key={connectorId} connector={connector} />;
}

function Back() {
  const { publisherId } = usePublisher();
  return (
    <Anchor
      renderRoot={(props) => (
        <Link {...props} to="/p/$publisherId/connectors" params={{ publisherId } as never} />
      )}
    >
      {t('All connectors')}
    </Anchor>
  );
}

type OpenDialog = 'pause' | 'remove' | null;

function Existing({ connector }: { connector: ListedConnector }) {
  const [open, setOpen] = useState<OpenDialog>(null);
  const close = (): void => setOpen(null);
  const isPaused = connector.pausedAt !== null;
  return (
    <ScreenPage
      title={connector.name}
      about={<Back />}
      moreActions={[
        <Button
          key="pause"
          variant="default"
          leftSection={<Icon name={isPaused ? 'play' : 'pause'} size={16} />}
          onClick={() => setOpen('pause')}
        >
          {isPaused ? t('Continue…') : t('Pause…')}
        </Button>,
        <Button
          key="remove"
          variant="default"
          c="var(--mantine-color-error)"
          leftSection={<Icon name="trash" size={16} />}
          onClick={() => setOpen('remove')}
        >
          {t('Remove…')}
        </Button>,
      ]}
    >
      <Stack>
        <ConnectorFacts connector={connector} />
        <SetUp connector={connector} />
      </Stack>
      <PauseDialog opened={open === 'pause'} onClose={close} connector={connector} />
      <RemoveDialog opened={open === 'remove'} onClose={close} connector={connector} />
    </ScreenPage>
  );
}

function ConnectorFacts({ connector }: { connector: ListedConnector }) {
  const { tone, word } = stateOfConnector(connector);
  const { refused, lastEventAt, counts } = connector;
  return (
    <Facts
      facts={[
        [t('Provider'), shopName(connector)],
        [
          t('Status'),
          <Group key="state" gap="xs">
            <StatusBadge tone={tone}>{word}</StatusBadge>
            {tone === 'bad' && refused !== null && (
              <span>
                {refusalText(refused.reason)} <When at={refused.at} />
              </span>
            )}
          </Group>,
        ],
        [t('Last 30 days'), <EventCounts key="counts" counts={counts} />],
        [t('Last event'), <When key="last" at={lastEventAt} />],
      ]}
    />
  );
}
