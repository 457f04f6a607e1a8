import { Box, Text } from '@mantine/core';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useSyncExternalStore } from 'react';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { t } from '../../../ui/text.ts';

/** What the parts of the screen ask for; what is asked most often stands last, so that the notice does not change with it. */
const asked = ['getOverview', 'getAttention', 'listTopCreators', 'listRollups', 'tail'];

const nameOf = ({ queryKey: [first] }: Query): string =>
  typeof first === 'string' ? first : ((first as { _id?: string } | undefined)?._id ?? '');

const isMissing = ({ state }: Query): boolean =>
  state.error !== null || (state.status === 'pending' && state.errorUpdateCount > 0);

/** One notice for all parts of the screen that could not be asked for, and one way to try again. */
export function Trouble() {
  const client = useQueryClient();
  // A part that is asked for anew has no error meanwhile; the notice stays until an answer has come.
  const known = useRef(new Map<string, Error>());
  const cache = client.getQueryCache();
  const failing = useCallback(
    () =>
      cache
        .findAll({ type: 'active', predicate: (query) => asked.includes(nameOf(query)) })
        .filter(isMissing),
    [cache],
  );
  const subscribe = useCallback((changed: () => void) => cache.subscribe(changed), [cache]);
  const firstError = useCallback(() => {
    const [first] = failing().sort((one, other) => asked.indexOf(nameOf(one)) - asked.indexOf(nameOf(other)));
    for (const { queryHash, state } of failing())
      if (state.error !== null) known.current.set(queryHash, state.error);
    return first === undefined ? null : (known.current.get(first.queryHash) ?? null);
  }, [failing]);
  const error = useSyncExternalStore(subscribe, firstError);
  if (error === null) return null;
  const tryAgain = async (): Promise<void> => {
    await Promise.all(
      failing().map((query) => client.refetchQueries({ queryKey: query.queryKey, exact: true })),
    );
  };
  return (
    <Box mb="md">
      <ErrorNotice
        error={error}
        title={t('Not everything here could be asked for')}
        onRetry={() => void tryAgain()}
      />
    </Box>
  );
}

/** In the place of a part that is not known; why stands above, once. */
export const NotKnown = () => (
  <Text size="sm" c="dimmed">
    {t('Not known for the moment.')}
  </Text>
);
