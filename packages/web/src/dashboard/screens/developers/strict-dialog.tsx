import { changeKey } from '../../../client/sdk.gen.ts';
import type { ApiKey } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { usePublisher } from '../../session/session.ts';
import { useReloadKeys } from './use-keys.ts';

interface StrictDialogProps {
  apiKey: ApiKey | null;
  onClose(): void;
}

export function StrictDialog({ apiKey, onClose }: StrictDialogProps) {
  const { publisherId } = usePublisher();
  const reloadKeys = useReloadKeys();
  const isStrict = apiKey?.strict === true;
  const name = apiKey?.name ?? '';
  return (
    <ConfirmDialog
      opened={apiKey !== null}
      onClose={onClose}
      title={
        isStrict
          ? t('Turn off strict mode for {name}?', { name })
          : t('Turn on strict mode for {name}?', { name })
      }
      action={isStrict ? t('Turn off strict mode') : t('Turn on strict mode')}
      onConfirm={async () => {
        if (apiKey === null) return;
        await changeKey({
          path: { publisherId, keyId: apiKey.keyId },
          body: { strict: !isStrict },
          throwOnError: true,
        });
        toast(
          isStrict
            ? t('Strict mode is off for {name}', { name })
            : t('Strict mode is on for {name}', { name }),
        );
        await reloadKeys();
      }}
    >
      <p>
        {isStrict
          ? t('Within five seconds, unknown fields are ignored again.')
          : t(
              'Within five seconds, requests with unknown fields are rejected with status 400. Make sure that none of your systems send any.',
            )}
      </p>
    </ConfirmDialog>
  );
}
