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
import { useAskForKeys } from './use-keys.ts';

interface RotateDialogProps {
  /** The key that is replaced; null while nobody asks. */
  apiKey: ApiKey | null;
  onClose(): void;
}

/** A new key beside an old one, which works for a while longer: nothing of the game stands still. */
export function RotateDialog({ apiKey, onClose }: RotateDialogProps) {
  const [made, setMade] = useState<RotatedApiKey | null>(null);
  const forget = useCallback(() => setMade(null), []);
  return (
    <>
      <Dialog
        opened={apiKey !== null}
        onClose={onClose}
        title={t('Rotate {name}', { name: apiKey?.name ?? '' })}
      >
        {apiKey !== null && <Fields apiKey={apiKey} onClose={onClose} onMade={setMade} />}
      </Dialog>
      <ShownOnce
        title={t('The new key {name}', { name: made?.name ?? '' })}
        secret={made?.key ?? null}
        onClose={forget}
      >
        {t('Both work now. The old one is refused from')} <When at={made?.oldExpiresAt} />.
      </ShownOnce>
    </>
  );
}

interface FieldsProps {
  apiKey: ApiKey;
  onClose(): void;
  onMade(made: RotatedApiKey): void;
}

function Fields({ apiKey, onClose, onMade }: FieldsProps) {
  const { publisherId } = usePublisher();
  const askForKeys = useAskForKeys();
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
      onMade(data);
      await askForKeys();
    } catch (thrown) {
      setError(thrown);
    }
    setBusy(false);
  };
  return (
    <Stack>
      <Text size="sm">
        {t('A new key of the same kind and group is made, and shown once. For so long both work:')}
      </Text>
      {error !== null && <ErrorNotice error={error} />}
      <NativeSelect
        label={t('The old key works for')}
        data-autofocus
        data={[
          { value: '1', label: t('an hour') },
          { value: '24', label: t('a day') },
          { value: '168', label: t('a week') },
          { value: '720', label: t('30 days') },
        ]}
        value={hours}
        onChange={({ currentTarget: { value } }) => setHours(value)}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('Leave it')}
        </Button>
        <Button loading={isBusy} onClick={() => void rotate()}>
          {t('Make the new key')}
        </Button>
      </Group>
    </Stack>
  );
}
