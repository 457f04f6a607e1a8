import { useNavigate } from '@tanstack/react-router';
import { changeEndpoint, removeEndpoint } from '../../../client/sdk.gen.ts';
import type { WebhookEndpoint } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { t } from '../../../ui/text.ts';
import { usePublisher } from '../../session/session.ts';
import { useAskAgain } from './use-endpoints.ts';

interface DialogProps {
  opened: boolean;
  onClose(): void;
  endpoint: WebhookEndpoint;
}

/** On or off: says what becomes of what happens meanwhile. */
export function SwitchDialog({ opened, onClose, endpoint: { endpointId, url, isEnabled } }: DialogProps) {
  const { publisherId } = usePublisher();
  const askAgain = useAskAgain();
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={isEnabled ? t('Switch this endpoint off?') : t('Switch this endpoint on?')}
      action={isEnabled ? t('Switch off') : t('Switch on')}
      onConfirm={async () => {
        await changeEndpoint({
          path: { publisherId, endpointId },
          body: { isEnabled: !isEnabled },
          throwOnError: true,
        });
        await askAgain();
      }}
    >
      <p>{url}</p>
      <p>
        {isEnabled
          ? t('Within seconds it is sent nothing. What happens meanwhile is kept, and can be replayed.')
          : t('It is told of what happens from now on. What it missed is sent by Replay.')}
      </p>
    </ConfirmDialog>
  );
}

/** For good. */
export function RemoveDialog({ opened, onClose, endpoint: { endpointId, url } }: DialogProps) {
  const { publisherId } = usePublisher();
  const navigate = useNavigate();
  const askAgain = useAskAgain();
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('Remove this endpoint?')}
      action={t('Remove')}
      isDangerous
      onConfirm={async () => {
        await removeEndpoint({ path: { publisherId, endpointId }, throwOnError: true });
        await navigate({ to: '/p/$publisherId/webhooks', params: { publisherId } as never });
        await askAgain();
      }}
    >
      <p>{url}</p>
      <p>{t('It is told of nothing more, what waits for it is not sent, and its secret is gone.')}</p>
    </ConfirmDialog>
  );
}
