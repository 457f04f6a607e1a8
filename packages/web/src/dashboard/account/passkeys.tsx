import { ActionIcon, Button, Stack, Table, Text, TextInput, Tooltip } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { listPasskeysOptions } from '../../client/@tanstack/react-query.gen.ts';
import { addPasskey, beginPasskey, removePasskey } from '../../client/sdk.gen.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { createPasskey, supportsPasskeys } from '../../ui/passkey.ts';
import { t } from '../../ui/text.ts';
import { toast } from '../../ui/toast.ts';
import { useAttempt } from '../../ui/use-attempt.ts';
import { nameError, useFormErrors } from '../../ui/use-form-errors.ts';
import { When } from '../../ui/when.tsx';
import { waysOptions } from '../session/sign-in-form.tsx';

/** The signed-in person's passkeys, which replace a password and code with a fingerprint, face, or PIN. */
export function Passkeys({ onChange }: { onChange(): Promise<void> }) {
  const client = useQueryClient();
  const list = useQuery(listPasskeysOptions());
  const { data: ways } = useQuery(waysOptions);
  const [removed, setRemoved] = useState<{ passkeyId: string; name: string } | null>(null);
  const changed = async (words: string): Promise<void> => {
    toast(words);
    await client.invalidateQueries({ queryKey: listPasskeysOptions().queryKey });
    await onChange();
  };
  const rows = list.data?.rows ?? [];
  return (
    <>
      <Text size="sm">
        {t('Sign in with your fingerprint, face, or PIN. A passkey counts as two factors.')}
      </Text>
      {list.error !== null && (
        <ErrorNotice
          error={list.error}
          title={t('Couldn’t load the passkeys')}
          onRetry={() => void list.refetch()}
        />
      )}
      {rows.length > 0 && (
        <Table aria-label={t('Passkeys')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('Name')}</Table.Th>
              <Table.Th scope="col">{t('Created')}</Table.Th>
              <Table.Td />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ passkeyId, name, createdAt }) => (
              <Table.Tr key={passkeyId}>
                <Table.Td>{name ?? t('Passkey')}</Table.Td>
                <Table.Td>
                  <When at={createdAt} precision="day" />
                </Table.Td>
                <Table.Td ta="end">
                  <Tooltip label={t('Remove')}>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      size={28}
                      aria-label={t('Remove {name}', { name: name ?? t('Passkey') })}
                      onClick={() => setRemoved({ passkeyId, name: name ?? t('Passkey') })}
                    >
                      <Icon name="trash" size={16} />
                    </ActionIcon>
                  </Tooltip>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {ways?.hasPasskeys === false ? (
        <Text size="sm" c="dimmed">
          {t(
            'Browsers don’t store passkeys for IP addresses. Open the dashboard at http://localhost instead.',
          )}
        </Text>
      ) : (
        supportsPasskeys() && <AddPasskey onAdded={() => changed(t('Passkey added to your account'))} />
      )}
      <ConfirmDialog
        opened={removed !== null}
        onClose={() => setRemoved(null)}
        title={t('Remove {name}?', { name: removed?.name })}
        action={t('Remove passkey')}
        isDangerous
        onConfirm={async () => {
          if (removed === null) return;
          await removePasskey({ path: { passkeyId: removed.passkeyId }, throwOnError: true });
          await changed(t('{name} removed from your account', { name: removed.name }));
        }}
      >
        {t('You can’t sign in with it anymore. Delete it from the device, too.')}
      </ConfirmDialog>
    </>
  );
}

function AddPasskey({ onAdded }: { onAdded(): Promise<void> }) {
  const { error, isBusy, run } = useAttempt();
  const [name, setName] = useState('');
  const { errors, check, reset } = useFormErrors({ name: nameError(name) });
  const add = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!check(event.currentTarget)) return;
    void run(async () => {
      const { data: question } = await beginPasskey({ throwOnError: true });
      const response = await createPasskey(question as unknown as PublicKeyCredentialCreationOptionsJSON);
      if (response === null) return;
      await addPasskey({ body: { name, response }, throwOnError: true });
      setName('');
      reset();
      await onAdded();
    });
  };
  return (
    <form noValidate onSubmit={add}>
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t save the passkey')} />}
        <Stack align="flex-start" gap="sm">
          <TextInput
            label={t('Passkey name')}
            name="name"
            autoComplete="off"
            placeholder={t('For example {example}', { example: t('This laptop') })}
            required
            maxLength={100}
            value={name}
            error={errors.name}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
          <Button type="submit" loading={isBusy}>
            {t('Create passkey')}
          </Button>
        </Stack>
      </Stack>
    </form>
  );
}
