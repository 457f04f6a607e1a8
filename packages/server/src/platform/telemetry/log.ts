import { type Logger, pino } from 'pino';
import type { Clock } from '../clock.ts';

export type Log = Logger;

/**
 * Creates a process's log, shared by its requests, workers and connections. Each line is a JSON object with `level`,
 * `time` and `msg`. Level `silent` disables logging.
 */
export const createLog = (level: string, clock: Clock, write: (line: string) => void): Log =>
  pino(
    {
      level,
      base: null,
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"time":"${clock.now().toISOString()}"`,
    },
    { write },
  );
