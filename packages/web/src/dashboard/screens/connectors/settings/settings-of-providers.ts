import type { Connector } from '../../../../client/types.gen.ts';

type Provider = Connector['provider'];

const withRenewals: readonly Provider[] = ['xsolla', 'paddle', 'fastspring', 'tebex', 'steam'];
const withUndatedRenewals: readonly Provider[] = ['paddle', 'steam'];
const withTestAccounts: readonly Provider[] = ['paddle', 'tebex', 'steam'];

/** Returns whether a provider's orders have metadata, whose fields have names. */
export const hasMetadata = (provider: Provider): boolean => provider !== 'generic' && provider !== 'steam';

/** Returns whether a provider's events say that a payment renews a subscription. */
export const hasRenewals = (provider: Provider): boolean => withRenewals.includes(provider);

/** Returns whether renewals don't say when the subscription started, so that their months can't be counted. */
export const hasUndatedRenewals = (provider: Provider): boolean => withUndatedRenewals.includes(provider);

/** Returns whether a provider's events don't say that they are tests. */
export const hasTestAccounts = (provider: Provider): boolean => withTestAccounts.includes(provider);
