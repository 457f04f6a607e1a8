import { Button, Group, NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { createKey } from '../../../client/sdk.gen.ts';
import { DateInput, isWhole } from '../../../ui/date-input.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { t } from '../../../ui/text.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { lackOfName, useComplete } from '../../../ui/use-complete.ts';
import { usePublisher } from '../../session/session.ts';
import { groupsOptions } from '../../shell/groups.ts';
import { useAskForKeys } from './use-keys.ts';

interface NewKeyDialogProps {
  opened: boolean;
  onClose(): void;
}

/** Makes a key, and shows it once: it stands in the state of this part alone. */
export function NewKeyDialog({ opened, onClose }: NewKeyDialogProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const forget = useCallback(() => setSecret(null), []);
  return (
    <>
      <Dialog opened={opened} onClose={onClose} title={t('Make a key')}>
        {opened && <Fields onClose={onClose} onMade={setSecret} />}
      </Dialog>
      <ShownOnce title={t('The new key')} secret={secret} onClose={forget}>
        {t('Send it as the header X-SHARED-SECRET. It works at once.')}
      </ShownOnce>
    </>
  );
}

function Fields({ onClose, onMade }: { onClose(): void; onMade(key: string): void }) {
  const { publisherId } = usePublisher();
  const askForKeys = useAskForKeys();
  const groups = useQuery(groupsOptions(publisherId));
  const [name, setName] = useState('');
  const [kind, setKind] = useState<'secret' | 'public'>('secret');
  const [groupId, setGroupId] = useState('');
  const [expires, setExpires] = useState('');
  useUnsaved({ name, kind, groupId, expires });
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const { errors, check } = useComplete({ name: lackOfName(name) });
  const make = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const { data } = await createKey({
        path: { publisherId },
        body: {
          name: name.trim(),
          kind,
          ...(groupId !== '' && { groupId }),
          ...(expires !== '' && { expiresAt: new Date(`${expires}T00:00:00Z`).toISOString() }),
        },
        throwOnError: true,
      });
      onClose();
      onMade(data.key);
      await askForKeys();
    } catch (thrown) {
      setError(thrown);
    }
    setBusy(false);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (check(event.currentTarget) && isWhole(event.currentTarget) && !isBusy) void make();
      }}
    >
      <Stack>
        {error !== null && <ErrorNotice error={error} />}
        <TextInput
          label={t('Name')}
          name="name"
          autoComplete="off"
          description={t('What it is for, as “game server”: you will know it by that.')}
          required
          maxLength={255}
          data-autofocus
          value={name}
          error={errors.name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <Radio.Group
          label={t('Kind')}
          value={kind}
          onChange={(value) => setKind(value as 'secret' | 'public')}
        >
          <Stack gap={6} mt="xs">
            <Radio
              value="secret"
              label={t('Secret')}
              description={t('For your back end: records purchases and manages the program.')}
            />
            <Radio
              value="public"
              label={t('Public')}
              description={t('For game clients: looks up codes, and nothing that matters.')}
            />
          </Stack>
        </Radio.Group>
        <NativeSelect
          label={t('Creator group')}
          data={[
            { value: '', label: t('All groups') },
            ...(groups.data ?? []).map((group) => ({ value: group.groupId, label: group.name })),
          ]}
          value={groupId}
          onChange={({ currentTarget: { value } }) => setGroupId(value)}
        />
        <DateInput
          type="date"
          label={t('Ends on (UTC day)')}
          description={t('From the beginning of that day it is refused. Empty: it has no end.')}
          value={expires}
          onChange={setExpires}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Leave it')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t('Make the key')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
