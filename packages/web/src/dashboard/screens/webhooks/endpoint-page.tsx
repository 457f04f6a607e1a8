import { Anchor, Button, Group, Menu, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { WebhookEndpoint } from '../../../client/types.gen.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { DeliveryTable } from './delivery-table.tsx';
import { RemoveDialog, SwitchDialog } from './endpoint-dialogs.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { Health } from './health.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { RotationWizard } from './rotation-wizard.tsx';
import { TestDialog } from './test-dialog.tsx';
import { useEndpoints } from './use-endpoints.ts';
import { kindName, stateOfEndpoint } from './words.ts';

type Open = 'edit' | 'replay' | 'rotate' | 'switch' | 'remove' | 'test' | null;

/** One endpoint: how it is, what can be done with it, and what was sent to it. */
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
    return endpoints.error === null ? (
      <LateSkeleton />
    ) : (
      <ErrorNotice error={endpoints.error} onRetry={() => void endpoints.refetch()} />
    );
  if (endpoint === undefined)
    return (
      <ScreenPage title={t('Webhooks')}>
        <EmptyState icon="webhooks" title={t('There is no such endpoint')} action={back}>
          {t('Somebody may have removed it; the audit log says who.')}
        </EmptyState>
        <DeliveryTable endpointId={endpointId} isGone />
      </ScreenPage>
    );
  return <Existing endpoint={endpoint} kinds={endpoints.data.kinds} back={back} />;
}

interface ExistingProps {
  endpoint: WebhookEndpoint;
  kinds: readonly string[];
  back: React.ReactNode;
}

function Existing({ endpoint, kinds, back }: ExistingProps) {
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  return (
    <ScreenPage
      title={t('Endpoint')}
      about={back}
      actions={!endpoint.isListener && <Actions endpoint={endpoint} onOpen={setOpen} />}
    >
      <Stack>
        <EndpointFacts endpoint={endpoint} onRotate={() => setOpen('rotate')} />
        <DeliveryTable endpointId={endpoint.endpointId} />
      </Stack>
      <EndpointForm opened={open === 'edit'} onClose={close} kinds={kinds} endpoint={endpoint} />
      <TestDialog opened={open === 'test'} onClose={close} endpoint={endpoint} />
      <SwitchDialog opened={open === 'switch'} onClose={close} endpoint={endpoint} />
      <RemoveDialog opened={open === 'remove'} onClose={close} endpoint={endpoint} />
      {open === 'rotate' && <RotationWizard endpoint={endpoint} onClose={close} />}
      {open === 'replay' && <ReplayDialog endpoint={endpoint} onClose={close} />}
    </ScreenPage>
  );
}

function Actions({ endpoint, onOpen }: { endpoint: WebhookEndpoint; onOpen(open: Open): void }) {
  return (
    <>
      <Button variant="default" onClick={() => onOpen('test')}>
        {t('Send a test')}
      </Button>
      <Button
        variant="default"
        leftSection={<Icon name="refresh" size={16} />}
        disabled={!endpoint.isEnabled}
        title={endpoint.isEnabled ? undefined : t('It is off; switch it on first')}
        onClick={() => onOpen('replay')}
      >
        {t('Replay')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="down" size={16} />}>
            {t('More')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="edit" size={16} />} onClick={() => onOpen('edit')}>
            {t('Change')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="key" size={16} />} onClick={() => onOpen('rotate')}>
            {t('New secret')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name={endpoint.isEnabled ? 'stop' : 'play'} size={16} />}
            onClick={() => onOpen('switch')}
          >
            {endpoint.isEnabled ? t('Switch off') : t('Switch on')}
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
  const { failingSince, disabledReason, rotation } = endpoint;
  return (
    <Facts
      facts={[
        [
          t('Address'),
          <Group key="url" gap={4}>
            <span>{endpoint.url}</span>
            <CopyButton value={endpoint.url} label={t('Copy the address')} />
          </Group>,
        ],
        [
          t('State'),
          <Group key="state" gap="xs">
            <StatusBadge tone={tone}>{word}</StatusBadge>
            {failingSince !== null && (
              <span>
                {t('since')} <When at={failingSince} />
              </span>
            )}
            {disabledReason}
          </Group>,
        ],
        [t('Latest 50'), <Health key="health" health={endpoint.health} />],
        [t('Last arrived'), <When key="last" at={endpoint.health.lastDeliveredAt} />],
        [t('Told of'), endpoint.events.map(kindName).join(', ')],
        [
          t('Secret'),
          rotation === null ? (
            t('one secret signs')
          ) : (
            <Group key="rotation" gap="xs">
              <span>
                {t('two secrets sign, until')} <When at={rotation.endsAt} />
              </span>
              <Button size="compact-xs" variant="default" onClick={onRotate}>
                {t('Go on')}
              </Button>
            </Group>
          ),
        ],
      ]}
    />
  );
}
