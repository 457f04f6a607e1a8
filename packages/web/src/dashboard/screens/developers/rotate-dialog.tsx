import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useCallback, useState } from 'react';
import { rotateKey } from '../../../client/sdk.gen.ts';
import type { ApiKey, RotatedApiKey } from '../../../client/types.gen.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { t } from '../../../ui/text.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { useReloadKeys } from './use-keys.ts';

interface RotateDialogProps {
  /** Key to replace; null while the dialog is closed. */
  apiKey: ApiKey | null;
  onClose(): void;
}

/** Creates a replacement key. The old key keeps working for a while so that the game isn't interrupted. */
export function RotateDialog({ apiKey, onClose }: RotateDialogProps) {
  const [created, setCreated] = useState<RotatedApiKey | null>(null);
  const forget = useCallback(() => setCreated(null), []);
  return (
    <>
      <Dialog
        opened={apiKey !== null}
        onClose={onClose}
        title={t('Rotate {name}', { name: apiKey?.name ?? '' })}
      >
        {apiKey !== null && <Fields apiKey={apiKey} onClose={onClose} onCreated={setCreated} />}
      </Dialog>
      <ShownOnce
        title={t('New API key {name}', { name: created?.name ?? '' })}
        secret={created?.key ?? null}
        onClose={forget}
      >
        {t('Both keys work now. The old one stops working at')} <When at={created?.oldExpiresAt} />.
      </ShownOnce>
    </>
  );
}

interface FieldsProps {
  apiKey: ApiKey;
  onClose(): void;
  onCreated(created: RotatedApiKey): void;
}

function Fields({ apiKey, onClose, onCreated }: FieldsProps) {
  const { publisherId } = usePublisher();
  const reloadKeys = useReloadKeys();
  const [hours, setHours] = useState('24');
  useUnsaved(hours);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const rotate = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const { data } = await rotateKey({
        path: { publisherId, keyId: apiKey.keyId },
        body: { overlapHours: Number(hours) },
        throwOnError: true,
      });
      onClose();
      onCreated(data);
      await reloadKeys();
    } catch (thrown) {
      setError(thrown);
    }
    setBusy(false);
  };
  return (
    <Stack>
      <Text size="sm">
        {t(
          'Creates a new key with the same type and group, and shows it once. Choose how long the old key keeps working.',
        )}
      </Text>
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t rotate the key')} />}
      <NativeSelect
        label={t('Old key works for')}
        data-autofocus
        data={[
          { value: '1', label: t('1 hour') },
          { value: '24', label: t('1 day') },
          { value: '168', label: t('7 days') },
          { value: '720', label: t('30 days') },
        ]}
        value={hours}
        onChange={({ currentTarget: { value } }) => setHours(value)}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button loading={isBusy} onClick={() => void rotate()}>
          {t('Create new key')}
        </Button>
      </Group>
    </Stack>
  );
}
