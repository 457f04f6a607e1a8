import { Text } from '@mantine/core';
import type { Connector } from '../../../../client/types.gen.ts';
import { t } from '../../../../ui/text.ts';
import { CopiedText } from './copied-text.tsx';
import type { Instructions } from './provider-instructions.ts';
import { codeFieldOf, fastspringEvents, paddleEvents, playerFieldOf } from './samples.ts';

/** Instructions for providers where the connector is one receiver of webhooks among several. */
export function receiverOf(connector: Connector): Instructions | undefined {
  if (connector.provider === 'paddle') return paddle(connector);
  if (connector.provider === 'fastspring') return fastspring(connector);
  return connector.provider === 'tebex' ? tebex(connector) : undefined;
}

const paddle = ({ settings }: Connector): Instructions => ({
  title: t('Add the address in Paddle'),
  address: (
    <>
      <Text size="sm">{t('Add a notification destination with this address and these events:')}</Text>
      <CopiedText text={paddleEvents} label={t('Copy events')} />
    </>
  ),
  secret: t('Paddle shows it at the notification destination.'),
  code: <Fields place="custom_data" settings={settings} />,
  test:
    settings.isTestAccount === true
      ? t('Buy something in Paddle’s sandbox.')
      : t('Paddle’s sandbox is another account. To test there, add a connector of its own for it.'),
});

const fastspring = ({ settings }: Connector): Instructions => ({
  title: t('Add the address in FastSpring'),
  address: (
    <>
      <Text size="sm">
        {t(
          'Add a webhook with this address, an HMAC SHA256 secret, and these events. For renewals, also choose subscription.charge.completed with Webhook Expansion.',
        )}
      </Text>
      <CopiedText text={fastspringEvents} label={t('Copy events')} />
    </>
  ),
  secret: t('Enter the secret that you set at FastSpring. Without one, it doesn’t sign.'),
  code: <Fields place="tags" settings={settings} />,
  test: t('Make a test order at FastSpring.'),
});

const tebex = ({ settings }: Connector): Instructions => ({
  title: t('Add the address in Tebex'),
  address: (
    <Text size="sm">
      {t(
        'Add a webhook endpoint with this address for the events about payments, disputes, and recurring payments. Tebex sends a first question, which the connector answers once the secret is saved.',
      )}
    </Text>
  ),
  secret: t('Tebex shows it at the webhook endpoint.'),
  code: (
    <>
      <Fields place="custom" settings={settings} />
      <Text size="sm">{t('The basket’s own creator code isn’t in the events.')}</Text>
    </>
  ),
  test: t('Make a test payment at Tebex.'),
});

const Fields = ({ place, settings }: { place: string; settings: Connector['settings'] }) => (
  <Text size="sm">
    {t('Put {code} and {player} into {place} of each order.', {
      code: codeFieldOf(settings),
      player: playerFieldOf(settings),
      place,
    })}
  </Text>
);
