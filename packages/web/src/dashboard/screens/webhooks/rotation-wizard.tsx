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
import { useAskAgain } from './use-endpoints.ts';

interface WizardProps {
  endpoint: WebhookEndpoint;
  onClose(): void;
}

/**
 * A new secret without a request that cannot be verified: it is added, both sign, the old one is removed. Where it stands is
 * the service's to say, so it can be left and gone on with.
 */
export function RotationWizard({ endpoint, onClose }: WizardProps) {
  const { publisherId } = usePublisher();
  const askAgain = useAskAgain();
  const [secret, setSecret] = useState<string | null>(null);
  const [tested, setTested] = useState<WebhookTest | null>(null);
  const [isDone, setDone] = useState(false);
  const { run, busy, error } = useOneAtATime();
  const path = { publisherId, endpointId: endpoint.endpointId };
  const isKept = secret === null;
  const step = isDone ? 3 : endpoint.rotation === null && isKept ? 0 : isKept ? 2 : 1;
  const add = (): Promise<void> =>
    run('add', async () => {
      const { data } = await addSecret({ path, throwOnError: true });
      setSecret(data.secret);
      await askAgain();
    });
  const test = (): Promise<void> =>
    run('test', async () => setTested((await testEndpoint({ path, throwOnError: true })).data));
  const remove = (): Promise<void> =>
    run('remove', async () => {
      await removeOldSecret({ path, throwOnError: true });
      setDone(true);
      await askAgain();
    });
  return (
    <Dialog opened onClose={onClose} title={t('A new secret')} size="lg" closeOnClickOutside={isKept}>
      <Stack>
        <Stepper active={step} size="sm" orientation="vertical" aria-label={t('Steps')}>
          <Stepper.Step label={t('Add it')} description={t('Nothing changes for your server yet.')} />
          <Stepper.Step label={t('Copy it to your server')} description={t('Let it accept both secrets.')} />
          <Stepper.Step label={t('Remove the old one')} description={t('Within seconds it signs no more.')} />
        </Stepper>
        {error !== null && <ErrorNotice error={error} />}
        {step === 0 && (
          <Row>
            <Button loading={busy === 'add'} onClick={() => void add()} data-autofocus>
              {t('Add a new secret')}
            </Button>
          </Row>
        )}
        {secret !== null && (
          <>
            <Alert color="yellow" icon={<Icon name="key" />} title={t('It is shown this once')}>
              <Group gap="xs" wrap="nowrap">
                <Code block tabIndex={0} flex={1} data-shown-once aria-label={t('The new secret')}>
                  {secret}
                </Code>
                <CopyButton value={secret} withLabel />
              </Group>
            </Alert>
            <Row>
              <Button onClick={() => setSecret(null)}>{t('I have kept it')}</Button>
            </Row>
          </>
        )}
        {step === 2 && (
          <>
            <Text size="sm">
              {t('Both sign now.')}{' '}
              {endpoint.rotation !== null && (
                <>
                  {t('By itself it ends')} <When at={endpoint.rotation.endsAt} />.
                </>
              )}{' '}
              {tested !== null &&
                (tested.isDelivered
                  ? t('The test was accepted.')
                  : t('The test was not accepted: {why}.', {
                      why: tested.error ?? t('status {code}', { code: String(tested.statusCode) }),
                    }))}
            </Text>
            <Row>
              <Button variant="default" loading={busy === 'test'} onClick={() => void test()}>
                {t('Send a test')}
              </Button>
              <Button color="red" loading={busy === 'remove'} onClick={() => void remove()}>
                {t('Remove the old secret')}
              </Button>
            </Row>
          </>
        )}
        {isDone && (
          <>
            <Text role="status">{t('The new secret is the only one that signs.')}</Text>
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
