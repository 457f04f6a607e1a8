import { Button, Group, NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { createKey } from '../../../client/sdk.gen.ts';
import { DateInput, hasCompleteDates } from '../../../ui/dates/date-input.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { t } from '../../../ui/text.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { nameError, useFormErrors } from '../../../ui/use-form-errors.ts';
import { usePublisher } from '../../session/session.ts';
import { groupsOptions } from '../../shell/groups.ts';
import { useReloadKeys } from './use-keys.ts';

interface NewKeyDialogProps {
  opened: boolean;
  onClose(): void;
}

/** Creates a key and shows it once. The key is stored only in this component's state. */
export function NewKeyDialog({ opened, onClose }: NewKeyDialogProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const forget = useCallback(() => setSecret(null), []);
  return (
    <>
      <Dialog opened={opened} onClose={onClose} title={t('Create API key')}>
        {opened && <Fields onClose={onClose} onCreated={setSecret} />}
      </Dialog>
      <ShownOnce title={t('New API key')} secret={secret} onClose={forget}>
        {t('Send it in the X-SHARED-SECRET header. It works right away.')}
      </ShownOnce>
    </>
  );
}

interface FieldsProps {
  onClose(): void;
  onCreated(key: string): void;
}

function Fields({ onClose, onCreated }: FieldsProps) {
  const { publisherId } = usePublisher();
  const reloadKeys = useReloadKeys();
  const groups = useQuery(groupsOptions(publisherId));
  const [name, setName] = useState('');
  const [kind, setKind] = useState<'secret' | 'public'>('secret');
  const [groupId, setGroupId] = useState('');
  const [expires, setExpires] = useState('');
  useUnsaved({ name, kind, groupId, expires });
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const { errors, check } = useFormErrors({ name: nameError(name) });
  const create = async (): Promise<void> => {
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
      onCreated(data.key);
      await reloadKeys();
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
        if (check(event.currentTarget) && hasCompleteDates(event.currentTarget) && !isBusy) void create();
      }}
    >
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t create the key')} />}
        <TextInput
          label={t('Name')}
          name="name"
          autoComplete="off"
          description={t('What the key is for, such as “game server”.')}
          required
          maxLength={255}
          data-autofocus
          value={name}
          error={errors.name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <Radio.Group
          label={t('Type')}
          value={kind}
          onChange={(value) => setKind(value as 'secret' | 'public')}
        >
          <Stack gap={6} mt="xs">
            <Radio
              value="secret"
              label={t('Secret')}
              description={t('For your back end. Records purchases and manages the program.')}
            />
            <Radio
              value="public"
              label={t('Public')}
              description={t('For game clients. Can only look up codes.')}
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
          label={t('Expiration date (UTC)')}
          description={t('The key stops working at the start of that day. Leave empty for no expiration.')}
          value={expires}
          onChange={setExpires}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t('Create key')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
