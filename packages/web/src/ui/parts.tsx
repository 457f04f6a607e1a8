import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';
import { t } from './text.ts';

type Part = Pick<
  UseQueryResult<unknown, unknown>,
  'data' | 'error' | 'isPending' | 'fetchStatus' | 'refetch'
>;

interface PartsProps {
  /** Queries of all parts. Disabled ones are left out. */
  queries: readonly Part[];
  /** True while the parts can't be shown yet, although some have loaded. */
  isLoading?: boolean;
  /** Placeholder shown while the parts load. If absent, each part has its own. */
  loading?: ReactNode;
  /** Parts. Each shows its own error if only some of them fail. */
  children: ReactNode;
}

/** Parts of a page that load separately. If all of them fail, there is one error, with one button that retries all. */
export function Parts({ queries, isLoading = false, loading, children }: PartsProps) {
  const asked = queries.filter(({ isPending, fetchStatus }) => !isPending || fetchStatus !== 'idle');
  const isNoneLoaded = asked.every(({ data }) => data === undefined);
  if (isLoading || (isNoneLoaded && asked.some(({ isPending }) => isPending))) return loading ?? children;
  const [first] = asked;
  if (first === undefined || !isNoneLoaded) return children;
  const retry = (): void => {
    for (const { refetch } of asked) void refetch();
  };
  return <ErrorNotice error={first.error} title={t('Couldn’t load this page')} onRetry={retry} />;
}
