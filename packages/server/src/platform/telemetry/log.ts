import { type Logger, pino } from 'pino';
import type { Clock } from '../clock.ts';

export type Log = Logger;

/**
 * Creates a process's log, shared by its requests, workers and connections. Each line is a JSON object with `level`,
 * `time` and `msg`. Level `silent` disables logging.
 * @param processName name among several processes, which is in each line
 */
export const createLog = (
  level: string,
  clock: Clock,
  write: (line: string) => void,
  processName: string | null = null,
): Log =>
  pino(
    {
      level,
      base: processName === null ? null : { process: processName },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"time":"${clock.now().toISOString()}"`,
    },
    { write },
  );
