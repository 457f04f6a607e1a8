import { Anchor, Button, Group, Menu, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { WebhookEndpoint } from '../../../client/types.gen.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { FactsSkeleton } from '../../../ui/skeletons.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { DeliveryTable } from './delivery-table.tsx';
import { RemoveDialog, SwitchDialog } from './endpoint-dialogs.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { Health } from './health.tsx';
import { RotationWizard } from './rotation-wizard.tsx';
import { likelyMode, SendEvents, sendModeOf } from './send-events.tsx';
import { useEndpoints } from './use-endpoints.ts';
import { kindName, nameOfEndpoint, stateOfEndpoint, troubledSince } from './words.ts';

type OpenDialog = 'edit' | 'rotate' | 'switch' | 'remove' | null;

export function EndpointPage({ endpointId }: { endpointId: string }) {
  const { publisherId } = usePublisher();
  const endpoints = useEndpoints();
  const endpoint = endpoints.data?.rows.find((each) => each.endpointId === endpointId);
  const back = (
    <Anchor
      renderRoot={(props) => (
        <Link {...props} to="/p/$publisherId/webhooks" params={{ publisherId } as never} />
      )}
    >
      {t('All endpoints')}
    </Anchor>
  );
  if (endpoints.data === undefined)
    return (
      <ScreenPage title={t('Endpoint')} about={back}>
        {endpoints.error === null ? (
          <FactsSkeleton />
        ) : (
          <ErrorNotice
            error={endpoints.error}
            title={t('Couldn’t load the endpoint')}
            onRetry={() => void endpoints.refetch()}
          />
        )}
      </ScreenPage>
    );
  if (endpoint === undefined)
    return (
      <ScreenPage title={t('Webhooks')}>
        <EmptyState icon="webhooks" title={t('Endpoint not found')} action={back}>
          {t('It may have been removed. Check the audit log for details.')}
        </EmptyState>
        <DeliveryTable endpointId={endpointId} isGone />
      </ScreenPage>
    );
  const { rows, kinds } = endpoints.data;
  return <Existing endpoint={endpoint} name={nameOfEndpoint(endpoint, rows)} kinds={kinds} back={back} />;
}

interface ExistingProps {
  endpoint: WebhookEndpoint;
  name: string;
  kinds: readonly string[];
  back: React.ReactNode;
}

function Existing({ endpoint, name, kinds, back }: ExistingProps) {
  const [open, setOpen] = useState<OpenDialog>(null);
  const close = (): void => setOpen(null);
  const mode = sendModeOf(useUrlState().query);
  return (
    <ScreenPage
      title={name}
      about={back}
      actions={!endpoint.isListener && <Actions endpoint={endpoint} onOpen={setOpen} />}
    >
      <Stack>
        <EndpointFacts endpoint={endpoint} onRotate={() => setOpen('rotate')} />
        {mode !== null && !endpoint.isListener && (
          <SendEvents key={endpoint.endpointId} endpoint={endpoint} mode={mode} />
        )}
        <DeliveryTable endpointId={endpoint.endpointId} />
      </Stack>
      <EndpointForm opened={open === 'edit'} onClose={close} kinds={kinds} endpoint={endpoint} />
      <SwitchDialog opened={open === 'switch'} onClose={close} endpoint={endpoint} />
      <RemoveDialog opened={open === 'remove'} onClose={close} endpoint={endpoint} />
      {open === 'rotate' && <RotationWizard endpoint={endpoint} onClose={close} />}
    </ScreenPage>
  );
}

function Actions({ endpoint, onOpen }: { endpoint: WebhookEndpoint; onOpen(open: OpenDialog): void }) {
  const { setQuery } = useUrlState();
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="play" size={16} />}
        onClick={() => setQuery({ send: likelyMode(endpoint) })}
      >
        {t('Send events')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="down" size={16} />}>
            {t('More')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="edit" size={16} />} onClick={() => onOpen('edit')}>
            {t('Edit')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="key" size={16} />} onClick={() => onOpen('rotate')}>
            {t('Rotate secret')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name={endpoint.isEnabled ? 'stop' : 'play'} size={16} />}
            onClick={() => onOpen('switch')}
          >
            {endpoint.isEnabled ? t('Turn off') : t('Turn on')}
          </Menu.Item>
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<Icon name="trash" size={16} />}
            onClick={() => onOpen('remove')}
          >
            {t('Remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function EndpointFacts({ endpoint, onRotate }: { endpoint: WebhookEndpoint; onRotate(): void }) {
  const { tone, word } = stateOfEndpoint(endpoint);
  const { disabledReason, rotation } = endpoint;
  const since = troubledSince(endpoint);
  return (
    <Facts
      isOfPage
      facts={[
        [
          t('URL'),
          <Group key="url" gap={4} wrap="nowrap">
            <span>{endpoint.url}</span>
            <CopyButton value={endpoint.url} label={t('Copy URL')} />
          </Group>,
        ],
        [
          t('Status'),
          <Group key="state" gap="xs">
            <StatusBadge tone={tone}>{word}</StatusBadge>
            {since !== null && (
              <span>
                {t('since')} <When at={since} />
              </span>
            )}
            {disabledReason}
          </Group>,
        ],
        [t('Last 50 deliveries'), <Health key="health" health={endpoint.health} />],
        [t('Last delivered'), <When key="last" at={endpoint.health.lastDeliveredAt} />],
        [t('Events'), endpoint.events.map(kindName).join(', ')],
        [
          t('Secret'),
          rotation === null ? (
            t('One active secret')
          ) : (
            <Group key="rotation" gap="xs">
              <span>
                {t('two active secrets until')} <When at={rotation.endsAt} />
              </span>
              <Button size="compact-xs" variant="default" onClick={onRotate}>
                {t('Continue')}
              </Button>
            </Group>
          ),
        ],
      ]}
    />
  );
}
