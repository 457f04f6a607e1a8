import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { changeConnectorSecret } from '../../../../client/sdk.gen.ts';
import type { Connector, ListedConnector } from '../../../../client/types.gen.ts';
import { ErrorNotice } from '../../../../ui/error-notice.tsx';
import { Icon } from '../../../../ui/icons.tsx';
import { t } from '../../../../ui/text.ts';
import { toast } from '../../../../ui/toast.ts';
import { useAttempt } from '../../../../ui/use-attempt.ts';
import { useFieldErrors } from '../../../../ui/use-field-errors.tsx';
import { When } from '../../../../ui/when.tsx';
import { usePublisher } from '../../../session/session.ts';
import { OldSecretDialog } from '../connector-dialogs.tsx';
import { useReloadConnectors } from '../use-connectors.ts';

interface SecretFormProps {
  connector: ListedConnector;
  /** Place where the provider shows the secret. */
  where: string;
  onSaved(saved: Connector): void;
}

const secretWords = () => ({
  first: t('Signing secret'),
  next: t('New signing secret'),
  missing: t('Signing secret is required.'),
  failed: t('Couldn’t save the signing secret'),
  save: t('Save secret'),
  saved: t('Signing secret saved'),
  isSaved: t('The secret is saved. It won’t be shown again.'),
});

/** Words for the key with which the service reads a report. */
const keyWords = (): ReturnType<typeof secretWords> => ({
  first: t('Publisher Web API key'),
  next: t('New Publisher Web API key'),
  missing: t('Publisher Web API key is required.'),
  failed: t('Couldn’t save the key'),
  save: t('Save key'),
  saved: t('Key saved'),
  isSaved: t('The key is saved. It won’t be shown again.'),
});

/** Form for the signing secret, or for a key. It is never shown again. */
export function SecretForm({ connector, where, onSaved }: SecretFormProps) {
  const { connectorId, hasSecret, secretChangeStartedAt } = connector;
  const words = connector.poll === null ? secretWords() : keyWords();
  const { publisherId } = usePublisher();
  const reload = useReloadConnectors();
  const [secret, setSecret] = useState('');
  const [isEnding, setEnding] = useState(false);
  const { error, isBusy, run } = useAttempt();
  const { errors, check, reset, notice } = useFieldErrors(
    {
      secret: secret.trim() === '' ? words.missing : null,
    },
    error,
  );
  const save = (): Promise<void> =>
    run(async () => {
      const { data } = await changeConnectorSecret({
        path: { publisherId, connectorId },
        body: { secret: secret.trim() },
        throwOnError: true,
      });
      setSecret('');
      reset();
      toast(words.saved);
      onSaved(data);
      await reload();
    });
  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (check(event.currentTarget) && !isBusy) void save();
        }}
      >
        <Stack gap="sm">
          {notice !== null && <ErrorNotice error={notice} title={words.failed} />}
          <Group gap="xs" align="flex-end" wrap="wrap">
            <PasswordInput
              label={hasSecret ? words.next : words.first}
              description={where}
              name="secret"
              autoComplete="off"
              flex={1}
              miw={240}
              maxLength={600}
              value={secret}
              error={errors.secret}
              visibilityToggleButtonProps={{ 'aria-label': t('Show secret') }}
              onChange={({ currentTarget: { value } }) => setSecret(value)}
            />
            <Button type="submit" variant={hasSecret ? 'default' : 'filled'} loading={isBusy}>
              {words.save}
            </Button>
          </Group>
          {hasSecret && secretChangeStartedAt === null && (
            <Text size="sm" c="dimmed">
              <Icon name="lock" size={14} /> {words.isSaved}
            </Text>
          )}
          {secretChangeStartedAt !== null && (
            <Group gap="xs">
              <Text size="sm">
                {t('The old secret still works. The new one was saved')} <When at={secretChangeStartedAt} />.
              </Text>
              <Button size="xs" variant="default" onClick={() => setEnding(true)}>
                {t('Remove old secret…')}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
      <OldSecretDialog opened={isEnding} onClose={() => setEnding(false)} connector={connector} />
    </>
  );
}
