import type { PolledProvider, Provider, WebhookProvider } from '../provider.ts';
import { fastspring } from './fastspring.ts';
import { generic } from './generic.ts';
import { paddle } from './paddle.ts';
import { steam } from './steam.ts';
import { stripe } from './stripe.ts';
import { tebex } from './tebex.ts';
import { xsolla } from './xsolla.ts';

export const webhookProviders: readonly WebhookProvider[] = [
  stripe,
  xsolla,
  paddle,
  fastspring,
  tebex,
  generic,
];
export const polledProviders: readonly PolledProvider[] = [steam];

export const providers: readonly Provider[] = [...webhookProviders, ...polledProviders];

export const providerIds: readonly string[] = providers.map(({ id }) => id);
export const polledIds: readonly string[] = polledProviders.map(({ id }) => id);

export function providerOf(id: string): Provider {
  const found = providers.find((provider) => provider.id === id);
  if (found === undefined) throw new Error(`unknown provider ${id}`);
  return found;
}

/** Returns the provider if it sends events; null if its report is read. */
export const webhookProviderOf = (id: string): WebhookProvider | null =>
  webhookProviders.find((provider) => provider.id === id) ?? null;

/** Returns the provider if its report is read; null if it sends events. */
export const polledProviderOf = (id: string): PolledProvider | null =>
  polledProviders.find((provider) => provider.id === id) ?? null;
