import { useNavigate } from '@tanstack/react-router';
import { changeConnector, removeConnector, removeOldConnectorSecret } from '../../../client/sdk.gen.ts';
import type { ListedConnector } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { usePublisher } from '../../session/session.ts';
import { useReloadConnectors } from './use-connectors.ts';

interface DialogProps {
  opened: boolean;
  onClose(): void;
  connector: ListedConnector;
}

export function PauseDialog({ opened, onClose, connector: { connectorId, name, pausedAt } }: DialogProps) {
  const { publisherId } = usePublisher();
  const reload = useReloadConnectors();
  const isPaused = pausedAt !== null;
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={isPaused ? t('Resume {name}?', { name }) : t('Pause {name}?', { name })}
      action={isPaused ? t('Resume') : t('Pause')}
      onConfirm={async () => {
        await changeConnector({
          path: { publisherId, connectorId },
          body: { isPaused: !isPaused },
          throwOnError: true,
        });
        toast(isPaused ? t('{name} resumed', { name }) : t('{name} paused', { name }));
        await reload();
      }}
    >
      {isPaused
        ? t('Events that arrived while it was paused are processed now, oldest first.')
        : t('Events are still accepted and stored, but nothing is recorded until you resume.')}
    </ConfirmDialog>
  );
}

export function RemoveDialog({ opened, onClose, connector: { connectorId, name } }: DialogProps) {
  const { publisherId } = usePublisher();
  const navigate = useNavigate();
  const reload = useReloadConnectors();
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('Remove {name}?', { name })}
      action={t('Remove connector')}
      isDangerous
      onConfirm={async () => {
        await removeConnector({ path: { publisherId, connectorId }, throwOnError: true });
        toast(t('Connector {name} removed', { name }));
        await navigate({ to: '/p/$publisherId/connectors', params: { publisherId } as never });
        await reload();
      }}
    >
      <p>{t('Its address stops working, so remove it at the provider, too.')}</p>
      <p>{t('Recorded purchases stay. Its secret is deleted.')}</p>
    </ConfirmDialog>
  );
}

/** Ends a change of the secret. Until then, the old secret is accepted, too. */
export function OldSecretDialog({ opened, onClose, connector: { connectorId, name } }: DialogProps) {
  const { publisherId } = usePublisher();
  const reload = useReloadConnectors();
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('Remove the old secret?')}
      action={t('Remove old secret')}
      isDangerous
      onConfirm={async () => {
        await removeOldConnectorSecret({ path: { publisherId, connectorId }, throwOnError: true });
        toast(t('Old secret of {name} removed', { name }));
        await reload();
      }}
    >
      {t(
        'Requests signed with it will be rejected. First make sure that an event has arrived since you changed the secret.',
      )}
    </ConfirmDialog>
  );
}
