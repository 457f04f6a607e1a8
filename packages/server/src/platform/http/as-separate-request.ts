import type { Database } from '../database/database.ts';

/**
 * Runs part of a request's work as if it were a separate request from the publisher, with its own turn for a
 * connection and its own time limit. A long export or calculation can exceed the limit for one request.
 * `beginStep` isn't enough here, because it extends only the current step, not the limit for the whole
 * request.
 */
export const asSeparateRequest = <Result>(
  { forPublisher }: Pick<Database, 'forPublisher'>,
  publisherId: string,
  work: () => Promise<Result>,
): Promise<Result> =>
  new Promise((resolve, reject) => forPublisher(publisherId, () => void work().then(resolve, reject)));
