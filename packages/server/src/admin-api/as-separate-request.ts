import type { Database } from '../platform/database/database.ts';

/**
 * Runs part of a request's work as if it were a separate request of the publisher: with its own turn for a connection
 * and its own time limit. A long export or calculation takes longer than one request may.
 */
export const asSeparateRequest = <Result>(
  { forPublisher }: Pick<Database, 'forPublisher'>,
  publisherId: string,
  work: () => Promise<Result>,
): Promise<Result> =>
  new Promise((resolve, reject) => forPublisher(publisherId, () => void work().then(resolve, reject)));
