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
      title={isStrict ? t('Make {name} tolerant?', { name }) : t('Make {name} strict?', { name })}
      action={isStrict ? t('Make tolerant') : t('Make strict')}
      onConfirm={async () => {
        if (apiKey === null) return;
        await changeKey({
          path: { publisherId, keyId: apiKey.keyId },
          body: { strict: !isStrict },
          throwOnError: true,
        });
        toast(isStrict ? t('{name} is now tolerant', { name }) : t('{name} is now strict', { name }));
        await reloadKeys();
      }}
    >
      <p>
        {isStrict
          ? t('Within five seconds, unknown property and parameter names are ignored again.')
          : t(
              'Within five seconds, requests with unknown property or parameter names are rejected with status 400. Make sure that none of your systems send such names.',
            )}
      </p>
    </ConfirmDialog>
  );
}
