import type { QueryClient } from '@tanstack/react-query';

/** Has what was asked by these operations asked again, wherever it is shown. */
export const refresh = (queryClient: QueryClient, ...operations: string[]): Promise<unknown> =>
  Promise.all(operations.map((_id) => queryClient.invalidateQueries({ queryKey: [{ _id }] })));
