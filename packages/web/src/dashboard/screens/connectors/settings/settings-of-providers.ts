import type { Connector } from '../../../../client/types.gen.ts';

type Provider = Connector['provider'];

const withRenewals: readonly Provider[] = ['xsolla', 'paddle', 'fastspring', 'tebex'];
const withTestAccounts: readonly Provider[] = ['paddle', 'tebex'];

/** Returns whether a provider's events say that a payment renews a subscription. */
export const hasRenewals = (provider: Provider): boolean => withRenewals.includes(provider);

/** Returns whether a provider's events don't say that they are tests. */
export const hasTestAccounts = (provider: Provider): boolean => withTestAccounts.includes(provider);
