import { useQuery } from '@tanstack/react-query';
import { listProvidersOptions } from '../client/portal/@tanstack/react-query.gen.ts';
import type { Provider } from '../client/portal/types.gen.ts';
import { t } from '../ui/text.ts';

/** Returns the providers that creators can sign in with. Empty until they are known, because emailed codes always work. */
export function useProviders(): readonly Provider[] {
  const { data } = useQuery({ ...listProvidersOptions(), staleTime: 600_000 });
  return data?.rows ?? [];
}

/** Returns the name of a provider in a URL. */
export const nameIn = (providers: readonly Provider[], id: string | undefined): string =>
  providers.find(({ provider }) => provider === id)?.name ?? t('The provider');
