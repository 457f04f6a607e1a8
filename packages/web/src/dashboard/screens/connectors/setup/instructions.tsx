import { Text } from '@mantine/core';
import type { Connector } from '../../../../client/types.gen.ts';
import { t } from '../../../../ui/text.ts';
import { choiceIdOf, shopName } from '../shops.ts';
import { CopiedText } from './copied-text.tsx';
import type { Instructions } from './provider-instructions.ts';
import { receiverOf } from './receivers.tsx';
import { ownEvent, relaySnippet, stripeEvents, stripeSnippet, xsollaSnippet } from './samples.ts';

export function instructionsFor(connector: Connector, address: string): Instructions {
  const choice = choiceIdOf(connector);
  if (choice === 'stripe') return stripe(connector);
  if (choice === 'xsolla') return xsolla(connector, address);
  const receiver = receiverOf(connector);
  if (receiver !== undefined) return receiver;
  return choice === 'own' ? own(connector) : preset(connector);
}

const stripe = ({ settings }: Connector): Instructions => ({
  title: t('Add the address in Stripe'),
  address: (
    <>
      <Text size="sm">
        {t('In Stripe’s dashboard, add an event destination with this address and these events:')}
      </Text>
      <CopiedText text={stripeEvents(settings)} label={t('Copy events')} />
    </>
  ),
  secret: t('Stripe shows it on the event destination’s page. It starts with whsec_.'),
  code: (
    <>
      <Text size="sm">
        {settings.stripeSales === 'payment_intent'
          ? t(
              'Set this metadata on each PaymentIntent. A PaymentIntent doesn’t say how much is tax, so include the tax in the same unit as the amount.',
            )
          : t('Set this metadata on each Checkout session.')}
      </Text>
      <CopiedText text={stripeSnippet(settings)} label={t('Copy snippet')} />
    </>
  ),
  test: t('Buy something in Stripe’s test mode.'),
});

const xsolla = ({ settings }: Connector, address: string): Instructions => ({
  title:
    settings.isShopAddress === true ? t('Add the address in Xsolla') : t('Relay a copy of Xsolla’s webhooks'),
  address:
    settings.isShopAddress === true ? (
      <Text size="sm">{t('In Xsolla’s project settings, enter this address as the webhook URL.')}</Text>
    ) : (
      <>
        <Text size="sm">
          {t(
            'Keep your game’s address as Xsolla’s webhook URL. In your webhook handler, send a copy here with the same bytes and the same Authorization header. Don’t wait for the response.',
          )}
        </Text>
        <CopiedText text={relaySnippet(address)} label={t('Copy snippet')} />
      </>
    ),
  secret: t('Xsolla shows it in the project’s settings, as the webhook secret key.'),
  code: (
    <>
      <Text size="sm">{t('Put it in the token’s custom parameters.')}</Text>
      <CopiedText text={xsollaSnippet(settings)} label={t('Copy snippet')} />
    </>
  ),
  test: t('Buy something in Xsolla’s sandbox.'),
});

const own = (connector: Connector): Instructions => ({
  title: t('Send your shop’s events to this address'),
  address: (
    <>
      <Text size="sm">
        {connector.settings.generic === undefined
          ? t('Sign the body with HMAC-SHA256, and send the hex digest in the {header} header.', {
              header: connector.signatureHeader,
            })
          : t('Send each event with its signature in the {header} header.', {
              header: connector.signatureHeader,
            })}
      </Text>
      {connector.settings.generic === undefined && (
        <CopiedText text={ownEvent} label={t('Copy example event')} />
      )}
    </>
  ),
  secret: t('Choose a long random string, and sign your events with it.'),
  code: (
    <Text size="sm">
      {t('With each order, send the creator code that the buyer entered, as in the example.')}
    </Text>
  ),
  test: t('Send an event from your shop.'),
});

const preset = (connector: Connector): Instructions => {
  const shop = shopName(connector);
  return {
    title: t('Add the address in {shop}', { shop }),
    address: (
      <Text size="sm">
        {t('Add this address as a webhook endpoint. The signature is read from the {header} header.', {
          header: connector.signatureHeader,
        })}
      </Text>
    ),
    secret: t('Copy the secret that {shop} signs its webhooks with.', { shop }),
    code: (
      <Text size="sm">
        {t(
          'Put the creator code in the order’s metadata. The preset is a starting point. Check it with a test event, and correct whatever differs under Settings.',
        )}
      </Text>
    ),
    test: t('Buy something in {shop}’s test mode.', { shop }),
  };
};
