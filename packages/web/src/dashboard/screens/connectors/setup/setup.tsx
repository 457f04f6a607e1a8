import { Alert, Stack, Text } from '@mantine/core';
import type { ListedConnector } from '../../../../client/types.gen.ts';
import { Icon } from '../../../../ui/icons.tsx';
import { t } from '../../../../ui/text.ts';
import { choiceIdOf } from '../shops.ts';
import { CopiedText } from './copied-text.tsx';
import { instructionsFor } from './instructions.tsx';
import { orderSnippet } from './samples.ts';
import { SecretForm } from './secret-form.tsx';
import { Step } from './step.tsx';
import { type Check, useCheck } from './use-check.ts';
import { WaitForEvent } from './wait-for-event.tsx';

interface SetupProps {
  connector: ListedConnector;
  onShowEvent(eventId: string): void;
}

/** Setup of a connector, in the order in which a person does it. */
export const Setup = (props: SetupProps) =>
  props.connector.poll === null ? <SetupOfWebhooks {...props} /> : <SetupOfReport {...props} />;

/** Setup for Steam, which sends nothing, so that there is no address to enter. */
function SetupOfReport({ connector, onShowEvent }: SetupProps) {
  const check = useCheck(connector);
  return (
    <Stack gap="sm" maw={760}>
      <Step number={1} title={t('Enter the Publisher Web API key')} isDone={connector.hasSecret}>
        <SecretForm
          connector={connector}
          where={t(
            'In Steamworks, create a group that contains only this game, and create a key for it. The key can read and refund orders, so don’t give it access to other games.',
          )}
          onSaved={check.startAfterSecret}
        />
      </Step>
      <Step number={2} title={t('Send the creator code of each order in advance')} isDone={check.isCodeFound}>
        <Text size="sm">
          {t(
            'Steam’s orders can’t contain a creator code. Before your back end calls InitTxn, have it send the order’s code here with a secret API key. Or turn on “Fall back to the player’s code” under Settings.',
          )}
        </Text>
        <CopiedText text={orderSnippet(connector)} label={t('Copy command')} />
      </Step>
      <Step
        number={3}
        title={t('Wait for an order')}
        isDone={check.isPassed || connector.lastRecordedAt !== null}
        progress={sampleProgress(connector, check)}
      >
        <WaitForEvent
          connector={connector}
          how={t('Buy something in the game. The report is read once a minute.')}
          check={check}
          onShowEvent={onShowEvent}
        />
      </Step>
    </Stack>
  );
}

function SetupOfWebhooks({ connector, onShowEvent }: SetupProps) {
  const address = `${window.location.origin}${connector.path}`;
  const { title, secret, code, test, ...texts } = instructionsFor(connector, address);
  const check = useCheck(connector);
  // An event from the provider proves that its requests arrive, for example through a tunnel.
  const problem = connector.lastEventAt === null ? problemOfAddress() : null;
  return (
    <Stack gap="sm" maw={760}>
      <Step number={1} title={title} isDone={check.hasArrived && problem === null}>
        <CopiedText text={address} label={t('Copy address')} />
        {problem !== null && <AddressWarning problem={problem} isOwnShop={choiceIdOf(connector) === 'own'} />}
        {texts.address}
      </Step>
      <Step number={2} title={t('Enter the signing secret')} isDone={connector.hasSecret}>
        <SecretForm connector={connector} where={secret} onSaved={check.startAfterSecret} />
      </Step>
      <Step number={3} title={t('Send the creator code with each order')} isDone={check.isCodeFound}>
        {code}
      </Step>
      <Step
        number={4}
        title={t('Wait for a test event')}
        isDone={check.isPassed || connector.lastRecordedAt !== null}
        progress={sampleProgress(connector, check)}
      >
        <WaitForEvent connector={connector} how={test} check={check} onShowEvent={onShowEvent} />
      </Step>
    </Stack>
  );
}

/** Says that a sample passed, in this check or before. */
const sampleProgress = ({ counts }: ListedConnector, { isSamplePassed }: Check): string | undefined =>
  isSamplePassed || counts.samples > 0 ? t('Sample passed') : undefined;

type AddressProblem = 'loopback' | 'no TLS';

/** Returns why a shop can't use the address, which is that of the dashboard; null if it can. */
function problemOfAddress(): AddressProblem | null {
  const { protocol, hostname } = window.location;
  if (/^(localhost|.+\.localhost|127\..+|\[::1\])$/.test(hostname)) return 'loopback';
  return protocol === 'https:' ? null : 'no TLS';
}

/** Warns that the shop can't use the address. */
function AddressWarning({ problem, isOwnShop }: { problem: AddressProblem; isOwnShop: boolean }) {
  const isLoopback = problem === 'loopback';
  return (
    <Alert color="yellow" icon={<Icon name="alert" />} title={warningOf(isLoopback, isOwnShop)}>
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

function warningOf(isLoopback: boolean, isOwnShop: boolean): string {
  if (isOwnShop)
    return isLoopback ? t('Your shop can’t reach this address') : t('Your shop may reject this address');
  return isLoopback ? t('The provider can’t reach this address') : t('The provider may reject this address');
}
