import { revokeKey } from '../../../client/sdk.gen.ts';
import type { ApiKey } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { useReloadKeys } from './use-keys.ts';

interface RevokeDialogProps {
  apiKey: ApiKey | null;
  onClose(): void;
}

export function RevokeDialog({ apiKey, onClose }: RevokeDialogProps) {
  const { publisherId } = usePublisher();
  const reloadKeys = useReloadKeys();
  return (
    <ConfirmDialog
      opened={apiKey !== null}
      onClose={onClose}
      title={t('Revoke {name}?', { name: apiKey?.name ?? '' })}
      action={t('Revoke key')}
      isDangerous
      onConfirm={async () => {
        if (apiKey === null) return;
        await revokeKey({ path: { publisherId, keyId: apiKey.keyId }, throwOnError: true });
        toast(t('Key {name} revoked', { name: apiKey.name }));
        await reloadKeys();
      }}
    >
      <p>{t('The key stops working everywhere within five seconds. This can’t be undone.')}</p>
      <p>
        {apiKey?.lastUsedAt ? (
          <>
            {t('Last used')} <When at={apiKey.lastUsedAt} />.
          </>
        ) : (
          t('This key hasn’t been used.')
        )}
      </p>
    </ConfirmDialog>
  );
}
