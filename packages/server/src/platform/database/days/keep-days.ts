import { startRepeating, type Worker } from '../../work/repeat.ts';
import type { Db } from '../database.ts';
import { makeDays } from './make-days.ts';

const everyMs = 3_600_000;
const soonMs = 60_000;

/**
 * Makes the partitions of the next days, at once and then every hour, and keeps this process's ids within those that there
 * are. Where none can be made (a full disk, a right that is missing) the service runs all the same.
 */
export async function keepDays(db: Db, warn: (message: string) => void): Promise<Worker> {
  const make = (): Promise<boolean> =>
    makeDays(db).then(
      () => true,
      (error: unknown) => {
        warn(
          `no partitions could be made for the days to come: ${error instanceof Error ? error.message : error}`,
        );
        return false;
      },
    );
  let isMade: boolean | null = await make();
  return startRepeating(
    async () => {
      isMade ??= await make();
      const pauseMs = isMade ? everyMs : soonMs;
      isMade = null;
      return pauseMs;
    },
    () => undefined,
  );
}
