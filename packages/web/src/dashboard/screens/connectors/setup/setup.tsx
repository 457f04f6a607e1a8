import { Alert, Stack } from '@mantine/core';
import type { ListedConnector } from '../../../../client/types.gen.ts';
import { Icon } from '../../../../ui/icons.tsx';
import { t } from '../../../../ui/text.ts';
import { CopiedText } from './copied-text.tsx';
import { instructionsFor } from './instructions.tsx';
import { SecretForm } from './secret-form.tsx';
import { Step } from './step.tsx';
import { useCheck } from './use-check.ts';
import { WaitForEvent } from './wait-for-event.tsx';

interface SetupProps {
  connector: ListedConnector;
  onShowEvent(eventId: string): void;
}

/** Setup of a connector, in the order in which a person does it. */
export function Setup({ connector, onShowEvent }: SetupProps) {
  const address = `${window.location.origin}${connector.path}`;
  const { title, secret, code, test, ...texts } = instructionsFor(connector, address);
  const check = useCheck(connector);
  return (
    <Stack gap="sm" maw={760}>
      <Step number={1} title={title} isDone={connector.lastEventAt !== null}>
        <CopiedText text={address} label={t('Copy address')} />
        <AddressWarning />
        {texts.address}
      </Step>
      <Step number={2} title={t('Enter the signing secret')} isDone={connector.hasSecret}>
        <SecretForm connector={connector} where={secret} onSaved={check.startAfterSecret} />
      </Step>
      <Step number={3} title={t('Send the creator code with each order')}>
        {code}
      </Step>
      <Step number={4} title={t('Wait for a test event')} isDone={check.isPassed}>
        <WaitForEvent connector={connector} how={test} check={check} onShowEvent={onShowEvent} />
      </Step>
    </Stack>
  );
}

/** Warns that providers can't use the address, which is that of the dashboard. */
function AddressWarning() {
  const { protocol, hostname } = window.location;
  const isLoopback = /^(localhost|.+\.localhost|127\..+|\[::1\])$/.test(hostname);
  if (protocol === 'https:' && !isLoopback) return null;
  return (
    <Alert
      color="yellow"
      icon={<Icon name="alert" />}
      title={
        isLoopback ? t('The provider can’t reach this address') : t('The provider may reject this address')
      }
    >
      {isLoopback
        ? t(
            'It exists only on this computer. Open the dashboard at the service’s public HTTPS address, and copy the address there.',
          )
        : t(
            'It doesn’t use HTTPS. Open the dashboard at the service’s public HTTPS address, and copy the address there.',
          )}
    </Alert>
  );
}
