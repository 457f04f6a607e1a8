import { startRepeating, type Worker } from '../../work/repeat.ts';
import type { Db } from '../database.ts';
import { makeDays } from './make-days.ts';

const everyMs = 3_600_000;
const soonMs = 60_000;

/**
 * Creates the partitions for the coming days, immediately and then every hour, and keeps this process's ids within
 * them. The service runs even if the partitions can't be created, for example because the disk is full or a privilege
 * is missing.
 */
export async function keepDays(db: Db, warn: (message: string) => void): Promise<Worker> {
  const make = (): Promise<boolean> =>
    makeDays(db).then(
      () => true,
      (error: unknown) => {
        warn(
          `couldn't create partitions for the coming days: ${error instanceof Error ? error.message : error}`,
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
