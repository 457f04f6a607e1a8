import type { Provider } from '../provider.ts';
import { fastspring } from './fastspring.ts';
import { generic } from './generic.ts';
import { paddle } from './paddle.ts';
import { stripe } from './stripe.ts';
import { tebex } from './tebex.ts';
import { xsolla } from './xsolla.ts';

export const providers: readonly Provider[] = [stripe, xsolla, paddle, fastspring, tebex, generic];

export const providerIds: readonly string[] = providers.map(({ id }) => id);

export function providerOf(id: string): Provider {
  const found = providers.find((provider) => provider.id === id);
  if (found === undefined) throw new Error(`unknown provider ${id}`);
  return found;
}
