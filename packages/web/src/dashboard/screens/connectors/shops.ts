import type { Connector, NewConnector } from '../../../client/types.gen.ts';
import { msg, t } from '../../../ui/text.ts';

type Settings = NonNullable<NewConnector['settings']>;

/** Shop or payment provider that a person can choose, with the provider and preset that stand for it. */
export interface ShopChoice {
  id: string;
  name: string;
  about: string;
  provider: Connector['provider'];
  settings: Settings;
  /** Choice that many shops have to make, and the settings for a yes. */
  option?: { label: string; settings: Settings };
  /** True if the connector needs the App ID of a game at Steam. */
  needsAppId?: true;
}

const preset = (id: NonNullable<NonNullable<Settings['generic']>['preset']>, name: string): ShopChoice => ({
  id,
  name,
  about: msg('A preset. Check it with a test event.'),
  provider: 'generic',
  settings: { generic: { preset: id } },
});

export const shopChoices: readonly ShopChoice[] = [
  {
    id: 'stripe',
    name: msg('Stripe'),
    about: msg('Checkout sessions or PaymentIntents, refunds, and disputes.'),
    provider: 'stripe',
    settings: {},
    option: {
      label: msg('I don’t use Checkout. Each PaymentIntent is a purchase.'),
      settings: { stripeSales: 'payment_intent' },
    },
  },
  {
    id: 'xsolla',
    name: msg('Xsolla'),
    about: msg('Your game relays a copy of each webhook.'),
    provider: 'xsolla',
    settings: {},
    option: {
      label: msg('Xsolla sends webhooks directly to this address'),
      settings: { isShopAddress: true },
    },
  },
  {
    id: 'paddle',
    name: msg('Paddle'),
    about: msg('Transactions and approved adjustments.'),
    provider: 'paddle',
    settings: {},
    option: { label: msg('This is a Paddle sandbox account'), settings: { isTestAccount: true } },
  },
  {
    id: 'fastspring',
    name: msg('FastSpring'),
    about: msg('Orders and returns.'),
    provider: 'fastspring',
    settings: {},
  },
  {
    id: 'tebex',
    name: msg('Tebex'),
    about: msg('Payments, full refunds, and disputes.'),
    provider: 'tebex',
    settings: {},
  },
  {
    id: 'steam',
    name: msg('Steam'),
    about: msg('Its order report, read once a minute.'),
    provider: 'steam',
    settings: {},
    option: { label: msg('Read Steam’s sandbox, for test accounts only'), settings: { isTestAccount: true } },
    needsAppId: true,
  },
  preset('stash', msg('Stash')),
  preset('neon', msg('Neon')),
  preset('aghanim', msg('Aghanim')),
  preset('appcharge', msg('Appcharge')),
  {
    id: 'own',
    name: msg('Your own shop'),
    about: msg('A simple JSON format, or your own format.'),
    provider: 'generic',
    settings: {},
  },
];

export const choiceNamed = (id: string): ShopChoice | undefined => shopChoices.find((each) => each.id === id);

/** Returns the id of the choice that a connector was added with. */
export const choiceIdOf = ({ provider, settings }: Pick<Connector, 'provider' | 'settings'>): string =>
  provider === 'generic' ? (settings.generic?.preset ?? 'own') : provider;

/** Returns the name of a preset; of one's own shop for an empty id. */
export function presetName(id: string): string {
  const choice = choiceNamed(id || 'own');
  return choice === undefined ? id : t(choice.name);
}

export function shopName(connector: Pick<Connector, 'provider' | 'settings'>): string {
  const choice = choiceNamed(choiceIdOf(connector));
  return choice === undefined ? connector.provider : t(choice.name);
}
