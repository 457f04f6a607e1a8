import { revokeKey } from '../../../client/sdk.gen.ts';
import type { ApiKey } from '../../../client/types.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { useAskForKeys } from './use-keys.ts';

interface RevokeDialogProps {
  apiKey: ApiKey | null;
  onClose(): void;
}

/** Ends a key for good: says whether somebody still uses it. */
export function RevokeDialog({ apiKey, onClose }: RevokeDialogProps) {
  const { publisherId } = usePublisher();
  const askForKeys = useAskForKeys();
  return (
    <ConfirmDialog
      opened={apiKey !== null}
      onClose={onClose}
      title={t('Revoke {name}?', { name: apiKey?.name ?? '' })}
      action={t('Revoke')}
      isDangerous
      onConfirm={async () => {
        if (apiKey === null) return;
        await revokeKey({ path: { publisherId, keyId: apiKey.keyId }, throwOnError: true });
        announce(t('It is revoked'));
        await askForKeys();
      }}
    >
      <p>
        {t(
          'Within five seconds it is refused everywhere. Nothing takes this back; a new key is another one.',
        )}
      </p>
      <p>
        {apiKey?.lastUsedAt ? (
          <>
            {t('It was last used')} <When at={apiKey.lastUsedAt} />.
          </>
        ) : (
          t('It was never used, as far as is known.')
        )}
      </p>
    </ConfirmDialog>
  );
}
