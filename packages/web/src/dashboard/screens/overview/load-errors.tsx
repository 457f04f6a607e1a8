import { Box, Text } from '@mantine/core';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useRef, useSyncExternalStore } from 'react';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { t } from '../../../ui/text.ts';

/**
 * Operations of the screen. The most frequently polled operation is last, so that the notice doesn't change
 * with each poll.
 */
const operations = [
  'getOverview',
  'getAttention',
  'listTopCreators',
  'listRisingCreators',
  'listRollups',
  'tail',
];

const nameOf = ({ queryKey: [first] }: Query): string =>
  typeof first === 'string' ? first : ((first as { _id?: string } | undefined)?._id ?? '');

const hasFailed = ({ state }: Query): boolean =>
  state.error !== null || (state.status === 'pending' && state.errorUpdateCount > 0);

/**
 * Parts of the screen, below a notice for all of them that couldn't be loaded, with one button to retry them. If none
 * could be loaded, there is only the notice.
 */
export function LoadErrors({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  // A query has no error while it retries, so the notice stays visible until a response arrives.
  const lastErrors = useRef(new Map<string, Error>());
  const cache = client.getQueryCache();
  const parts = useCallback(
    () => cache.findAll({ type: 'active', predicate: (query) => operations.includes(nameOf(query)) }),
    [cache],
  );
  const failing = useCallback(() => parts().filter(hasFailed), [parts]);
  const subscribe = useCallback((changed: () => void) => cache.subscribe(changed), [cache]);
  const firstError = useCallback(() => {
    const [first] = failing().sort(
      (one, other) => operations.indexOf(nameOf(one)) - operations.indexOf(nameOf(other)),
    );
    for (const { queryHash, state } of failing())
      if (state.error !== null) lastErrors.current.set(queryHash, state.error);
    return first === undefined ? null : (lastErrors.current.get(first.queryHash) ?? null);
  }, [failing]);
  const areAll = useCallback(
    () => parts().every((part) => hasFailed(part) && part.state.data === undefined),
    [parts],
  );
  const error = useSyncExternalStore(subscribe, firstError);
  const haveAllFailed = useSyncExternalStore(subscribe, areAll) && error !== null;
  const tryAgain = async (): Promise<void> => {
    await Promise.all(
      failing().map((query) => client.refetchQueries({ queryKey: query.queryKey, exact: true })),
    );
  };
  return (
    <>
      {error !== null && (
        <Box mb="md">
          <ErrorNotice
            error={error}
            title={haveAllFailed ? t('Couldn’t load this page') : t('Couldn’t load parts of this page')}
            onRetry={() => void tryAgain()}
          />
        </Box>
      )}
      {/* Hidden instead of left out, so that the parts keep polling. */}
      <Box hidden={haveAllFailed}>{children}</Box>
    </>
  );
}

/** Placeholder for a part that couldn't be loaded. The notice at the top shows the reason. */
export const NotAvailable = () => (
  <Text size="sm" c="dimmed">
    {t('Not available right now.')}
  </Text>
);
