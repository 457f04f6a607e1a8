import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { getFirstStepsOptions } from '../../client/@tanstack/react-query.gen.ts';
import { usePublisher } from '../session/session.ts';

const FirstSteps = lazy(() => import('./first-steps.tsx').then((found) => ({ default: found.FirstSteps })));

const pollMs = 5_000;

/**
 * First steps for a new publisher. For any other publisher, makes a single request and then renders nothing.
 */
export function FirstStepsGate() {
  const { publisherId } = usePublisher();
  const { data } = useQuery({
    ...getFirstStepsOptions({ path: { publisherId } }),
    refetchInterval: ({ state }) => (state.data?.isWanted === true ? pollMs : false),
    staleTime: ({ state }) => (state.data?.isWanted === false ? Number.POSITIVE_INFINITY : 0),
  });
  if (data?.isWanted !== true) return null;
  return (
    <Suspense>
      <FirstSteps steps={data.steps} />
    </Suspense>
  );
}
