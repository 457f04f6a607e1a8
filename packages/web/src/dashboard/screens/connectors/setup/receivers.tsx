import { Code, Text } from '@mantine/core';
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
  secret: t('Paddle shows it on the notification destination’s page.'),
  code: <Fields place="custom_data" settings={settings} />,
  test:
    settings.isTestAccount === true
      ? t('Buy something in Paddle’s sandbox.')
      : t('Paddle’s sandbox is a separate account. To test there, add another connector for it.'),
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
  secret: t(
    'Enter the secret that you set at FastSpring. Without one, FastSpring doesn’t sign its webhooks.',
  ),
  code: <Fields place="tags" settings={settings} />,
  test: t('Place a test order at FastSpring.'),
});

const tebex = ({ settings }: Connector): Instructions => ({
  title: t('Add the address in Tebex'),
  address: (
    <Text size="sm">
      {t(
        'Add a webhook endpoint with this address for events about payments, disputes, and recurring payments. Tebex first sends a validation request, which the connector answers once the secret is saved.',
      )}
    </Text>
  ),
  secret: t('Tebex shows it on the webhook endpoint’s page.'),
  code: (
    <>
      <Text size="sm">
        {t('Put {code} and {player} in each basket’s', {
          code: codeFieldOf(settings),
          player: playerFieldOf(settings),
        })}{' '}
        <Code>custom</Code> {t('object.')}
      </Text>
      <Text size="sm">{t('Events don’t contain the basket’s own creator code.')}</Text>
    </>
  ),
  test: t('Make a test payment at Tebex.'),
});

const Fields = ({ place, settings }: { place: string; settings: Connector['settings'] }) => (
  <Text size="sm">
    {t('Put {code} and {player} in each order’s {place}.', {
      code: codeFieldOf(settings),
      player: playerFieldOf(settings),
      place,
    })}
  </Text>
);
