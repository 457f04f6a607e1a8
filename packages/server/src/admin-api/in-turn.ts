import type { Database } from '../platform/database/database.ts';

/**
 * Runs a step of a long answer with the time of a request of its own: an export takes longer than one may, and each of its
 * pages waits for its publisher's turn.
 */
export const inTurn = <Result>(
  { forPublisher }: Pick<Database, 'forPublisher'>,
  publisherId: string,
  step: () => Promise<Result>,
): Promise<Result> =>
  new Promise((resolve, reject) => forPublisher(publisherId, () => void step().then(resolve, reject)));
