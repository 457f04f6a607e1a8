import { useQueryClient } from '@tanstack/react-query';
import { getErasureQueryKey } from '../../../client/portal/@tanstack/react-query.gen.ts';
import type { Erasure } from '../../../client/portal/types.gen.ts';

/** Returns a function that shows a changed erasure. */
export function useErasure(): (erasure: Erasure) => void {
  const client = useQueryClient();
  return (erasure) => client.setQueryData(getErasureQueryKey(), erasure);
}
