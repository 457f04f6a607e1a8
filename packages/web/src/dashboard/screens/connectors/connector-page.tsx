import { Anchor, Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ListedConnector } from '../../../client/types.gen.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { FactsSkeleton } from '../../../ui/skeletons.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { TabList } from '../../../ui/tab-list.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { PauseDialog, RemoveDialog } from './connector-dialogs.tsx';
import { EventCounts } from './event-counts.tsx';
import { EventTable } from './event-table.tsx';
import { SettingsTab } from './settings/settings-tab.tsx';
import { Setup } from './setup/setup.tsx';
import { shopName } from './shops.ts';
import { useConnectors } from './use-connectors.ts';
import { pastRefusal, pastRefusalText, refusalText, stateOfConnector } from './words.ts';

export function ConnectorPage({ connectorId }: { connectorId: string }) {
  const connectors = useConnectors();
  const connector = connectors.data?.rows.find((each) => each.connectorId === connectorId);
  if (connectors.data === undefined)
    return (
      <ScreenPage title={t('Connector')} about={<Back />}>
        {connectors.error === null ? (
          <FactsSkeleton />
        ) : (
          <ErrorNotice
            error={connectors.error}
            title={t('Couldn’t load the connector')}
            onRetry={() => void connectors.refetch()}
          />
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

const tabs = ['events', 'setup', 'settings'] as const;

/** Former name of the tab, which saved links may contain. */
const formerSetupTab = 'set-up';

type OpenDialog = 'pause' | 'remove' | null;

function Existing({ connector }: { connector: ListedConnector }) {
  const [open, setOpen] = useState<OpenDialog>(null);
  const close = (): void => setOpen(null);
  const isPaused = connector.pausedAt !== null;
  const { query, setQuery } = useUrlState();
  // The first event must not end the setup that waits for it.
  const [first] = useState(connector.lastEventAt === null ? 'setup' : 'events');
  const isFormer = query.tab === formerSetupTab;
  const named = isFormer ? 'setup' : query.tab;
  const tab = tabs.find((each) => each === named) ?? first;
  useEffect(() => {
    if (isFormer) setQuery({ tab: 'setup' }, 'replace');
  }, [isFormer, setQuery]);
  const go = (next: string | null): void =>
    setQuery({ tab: next, open: null, status: null, reason: null, orderId: null });
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
          {isPaused ? t('Resume…') : t('Pause…')}
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
        <Tabs value={tab} onChange={go} keepMounted={false}>
          <TabList mb="md">
            <Tabs.Tab value="events">{t('Events')}</Tabs.Tab>
            <Tabs.Tab value="setup">{t('Setup')}</Tabs.Tab>
            <Tabs.Tab value="settings">{t('Settings')}</Tabs.Tab>
          </TabList>
          <Tabs.Panel value="events">
            <EventTable connector={connector} />
          </Tabs.Panel>
          <Tabs.Panel value="setup">
            <Setup
              connector={connector}
              onShowEvent={(eventId) => setQuery({ tab: 'events', open: eventId })}
            />
          </Tabs.Panel>
          <Tabs.Panel value="settings">
            <SettingsTab connector={connector} />
          </Tabs.Panel>
        </Tabs>
      </Stack>
      <PauseDialog opened={open === 'pause'} onClose={close} connector={connector} />
      <RemoveDialog opened={open === 'remove'} onClose={close} connector={connector} />
    </ScreenPage>
  );
}

function ConnectorFacts({ connector }: { connector: ListedConnector }) {
  const { tone, word } = stateOfConnector(connector);
  const { refused, lastEventAt, counts, poll } = connector;
  const past = pastRefusal(connector);
  return (
    <Facts
      isOfPage
      facts={[
        [t('Provider'), shopName(connector)],
        [
          t('Status'),
          <Group key="state" gap="xs">
            <StatusBadge tone={tone}>{word}</StatusBadge>
            {tone === 'bad' && poll?.problem != null && <span>{poll.problem}</span>}
            {tone === 'bad' && refused !== null && (
              <span>
                {refusalText(refused.reason)} <When at={refused.at} />
              </span>
            )}
          </Group>,
        ],
        [t('Last 30 days'), <EventCounts key="counts" counts={counts} />],
        [t('Last real event'), <When key="last" at={lastEventAt} />],
        ...(past === null
          ? []
          : [
              [
                t('Last rejected'),
                <Text key="rejected" span inherit c="dimmed">
                  <When at={past.at} />: {pastRefusalText(past.reason)}
                </Text>,
              ] as const,
            ]),
        ...(poll === null
          ? []
          : [[t('Report last read'), <When key="polled" at={poll.polledAt} precision="second" />] as const]),
      ]}
    />
  );
}
