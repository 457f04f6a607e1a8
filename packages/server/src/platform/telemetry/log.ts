import { type Logger, pino } from 'pino';
import type { Clock } from '../clock.ts';

/** Log of a process about itself. */
export type Log = Logger;

/**
 * The one log of a process, for requests, workers and connections alike: JSON, an object a line, with `level`, `time`
 * and `msg`. At the level `silent` nothing is written.
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
