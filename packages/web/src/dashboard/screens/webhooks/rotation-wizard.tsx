import { Alert, Button, Code, Group, Stack, Stepper, Text } from '@mantine/core';
import { useState } from 'react';
import { addSecret, removeOldSecret, testEndpoint } from '../../../client/sdk.gen.ts';
import type { WebhookEndpoint, WebhookTest } from '../../../client/types.gen.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { useReloadWebhooks } from './use-endpoints.ts';

interface WizardProps {
  endpoint: WebhookEndpoint;
  onClose(): void;
}

/**
 * Wizard that rotates the secret without interrupting deliveries. It adds a new secret, lets both secrets
 * sign for a while, and then removes the old one. The service stores the current step, so the reader can
 * close the wizard and continue later.
 */
export function RotationWizard({ endpoint, onClose }: WizardProps) {
  const { publisherId } = usePublisher();
  const reload = useReloadWebhooks();
  const [secret, setSecret] = useState<string | null>(null);
  const [tested, setTested] = useState<WebhookTest | null>(null);
  const [isDone, setDone] = useState(false);
  const { run, busy, error } = useOneAtATime();
  const path = { publisherId, endpointId: endpoint.endpointId };
  const isSaved = secret === null;
  const step = isDone ? 3 : endpoint.rotation === null && isSaved ? 0 : isSaved ? 2 : 1;
  const add = (): Promise<void> =>
    run('add', async () => {
      const { data } = await addSecret({ path, throwOnError: true });
      setSecret(data.secret);
      await reload();
    });
  const test = (): Promise<void> =>
    run('test', async () => setTested((await testEndpoint({ path, throwOnError: true })).data));
  const remove = (): Promise<void> =>
    run('remove', async () => {
      await removeOldSecret({ path, throwOnError: true });
      setDone(true);
      await reload();
    });
  return (
    <Dialog opened onClose={onClose} title={t('Rotate secret')} size="lg" closeOnClickOutside={isSaved}>
      <Stack>
        <Stepper active={step} size="sm" orientation="vertical" aria-label={t('Steps')}>
          <Stepper.Step label={t('Add the secret')} description={t('Nothing changes for your server yet.')} />
          <Stepper.Step
            label={t('Copy it to your server')}
            description={t('Configure your server to accept both secrets.')}
          />
          <Stepper.Step label={t('Remove the old one')} description={t('It stops signing within seconds.')} />
        </Stepper>
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t rotate the secret')} />}
        {step === 0 && (
          <Row>
            <Button loading={busy === 'add'} onClick={() => void add()} data-autofocus>
              {t('Add new secret')}
            </Button>
          </Row>
        )}
        {secret !== null && (
          <>
            <Alert color="yellow" icon={<Icon name="key" />} title={t('Shown only once')}>
              <Group gap="xs" wrap="nowrap">
                <Code block tabIndex={0} flex={1} data-shown-once aria-label={t('New secret')}>
                  {secret}
                </Code>
                <CopyButton value={secret} withLabel />
              </Group>
            </Alert>
            <Row>
              <Button onClick={() => setSecret(null)}>{t('I’ve saved it')}</Button>
            </Row>
          </>
        )}
        {step === 2 && (
          <>
            <Text size="sm">
              {t('Both secrets sign requests now.')}{' '}
              {endpoint.rotation !== null && (
                <>
                  {t('The old one expires')} <When at={endpoint.rotation.endsAt} />.
                </>
              )}{' '}
              {tested !== null &&
                (tested.isDelivered
                  ? t('The test was accepted.')
                  : t('The test was rejected: {reason}.', {
                      reason: tested.error ?? t('status {code}', { code: String(tested.statusCode) }),
                    }))}
            </Text>
            <Row>
              <Button variant="default" loading={busy === 'test'} onClick={() => void test()}>
                {t('Send test')}
              </Button>
              <Button color="red" loading={busy === 'remove'} onClick={() => void remove()}>
                {t('Remove old secret')}
              </Button>
            </Row>
          </>
        )}
        {isDone && (
          <>
            <Text role="status">{t('Only the new secret signs requests now.')}</Text>
            <Row>
              <Button onClick={onClose}>{t('Close')}</Button>
            </Row>
          </>
        )}
      </Stack>
    </Dialog>
  );
}

const Row = ({ children }: { children: React.ReactNode }) => <Group justify="flex-end">{children}</Group>;

function useOneAtATime() {
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const run = async (name: string, work: () => Promise<void>): Promise<void> => {
    setBusy(name);
    setError(null);
    await work().catch(setError);
    setBusy(null);
  };
  return { run, busy, error };
}
