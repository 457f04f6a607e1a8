import type { Database } from '../platform/database/database.ts';

/**
 * Does a part of what a request asks for as an errand of its own, with the time that a request has: all of its parts together
 * may take longer.
 */
export const inOwnTime = <Result>(
  { forPublisher }: Pick<Database, 'forPublisher'>,
  publisherId: string,
  work: () => Promise<Result>,
): Promise<Result> =>
  new Promise((resolve, reject) => forPublisher(publisherId, () => void work().then(resolve, reject)));
