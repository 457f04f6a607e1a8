import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { changeConnectorSecret } from '../../../../client/sdk.gen.ts';
import type { Connector, ListedConnector } from '../../../../client/types.gen.ts';
import { ErrorNotice } from '../../../../ui/error-notice.tsx';
import { Icon } from '../../../../ui/icons.tsx';
import { t } from '../../../../ui/text.ts';
import { toast } from '../../../../ui/toast.ts';
import { useAttempt } from '../../../../ui/use-attempt.ts';
import { useFormErrors } from '../../../../ui/use-form-errors.ts';
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

/** Form for the signing secret. It is never shown again. */
export function SecretForm({ connector, where, onSaved }: SecretFormProps) {
  const { connectorId, hasSecret, secretChangeStartedAt } = connector;
  const { publisherId } = usePublisher();
  const reload = useReloadConnectors();
  const [secret, setSecret] = useState('');
  const [isEnding, setEnding] = useState(false);
  const { error, isBusy, run } = useAttempt();
  const { errors, check, reset } = useFormErrors({
    secret: secret.trim() === '' ? t('Enter the signing secret.') : null,
  });
  const save = (): Promise<void> =>
    run(async () => {
      const { data } = await changeConnectorSecret({
        path: { publisherId, connectorId },
        body: { secret: secret.trim() },
        throwOnError: true,
      });
      setSecret('');
      reset();
      toast(t('Signing secret saved'));
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
          {error !== null && <ErrorNotice error={error} />}
          <Group gap="xs" align="flex-end" wrap="wrap">
            <PasswordInput
              label={hasSecret ? t('New signing secret') : t('Signing secret')}
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
              {t('Save secret')}
            </Button>
          </Group>
          {hasSecret && secretChangeStartedAt === null && (
            <Text size="sm" c="dimmed">
              <Icon name="lock" size={14} /> {t('A secret is saved. It is never shown.')}
            </Text>
          )}
          {secretChangeStartedAt !== null && (
            <Group gap="xs">
              <Text size="sm">
                {t('The old secret is accepted, too, since')} <When at={secretChangeStartedAt} />.
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
