import { useNavigate } from '@tanstack/react-router';
import { changeEndpoint, removeEndpoint } from '../../../client/sdk.gen.ts';
import type { WebhookEndpoint } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { usePublisher } from '../../session/session.ts';
import { useReloadWebhooks } from './use-endpoints.ts';

interface DialogProps {
  opened: boolean;
  onClose(): void;
  endpoint: WebhookEndpoint;
}

/** Asks for confirmation before turning an endpoint on or off, and explains what happens to its events. */
export function SwitchDialog({ opened, onClose, endpoint: { endpointId, url, isEnabled } }: DialogProps) {
  const { publisherId } = usePublisher();
  const reload = useReloadWebhooks();
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={isEnabled ? t('Turn this endpoint off?') : t('Turn this endpoint on?')}
      action={isEnabled ? t('Turn off') : t('Turn on')}
      onConfirm={async () => {
        await changeEndpoint({
          path: { publisherId, endpointId },
          body: { isEnabled: !isEnabled },
          throwOnError: true,
        });
        toast(isEnabled ? t('{url} turned off', { url }) : t('{url} turned on', { url }));
        await reload();
      }}
    >
      <p>{url}</p>
      <p>
        {isEnabled
          ? t(
              'Deliveries stop within seconds. Events are stored while it’s off, and you can replay them later.',
            )
          : t('The endpoint will receive new events. To send the ones it missed, use Send events.')}
      </p>
    </ConfirmDialog>
  );
}

export function RemoveDialog({ opened, onClose, endpoint: { endpointId, url } }: DialogProps) {
  const { publisherId } = usePublisher();
  const navigate = useNavigate();
  const reload = useReloadWebhooks();
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('Remove this endpoint?')}
      action={t('Remove endpoint')}
      isDangerous
      onConfirm={async () => {
        await removeEndpoint({ path: { publisherId, endpointId }, throwOnError: true });
        toast(t('Endpoint {url} removed', { url }));
        await navigate({ to: '/p/$publisherId/webhooks', params: { publisherId } as never });
        await reload();
      }}
    >
      <p>{url}</p>
      <p>
        {t(
          'The endpoint receives no more events, pending deliveries aren’t sent, and its secret is deleted.',
        )}
      </p>
    </ConfirmDialog>
  );
}
