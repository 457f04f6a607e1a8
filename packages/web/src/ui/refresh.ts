import type { QueryClient } from '@tanstack/react-query';

/** Reloads the data of these operations wherever it is shown. */
export const refresh = (queryClient: QueryClient, ...operations: string[]): Promise<unknown> =>
  Promise.all(operations.map((_id) => queryClient.invalidateQueries({ queryKey: [{ _id }] })));
