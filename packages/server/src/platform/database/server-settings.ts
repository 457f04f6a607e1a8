import { OperatorError } from '../operator-error.ts';

/**
 * PostgreSQL settings for an installation with millions of purchases. The documentation, `deploy/` and the
 * embedded database use these settings, and the gate checks that all of them agree.
 */
export const serverSettings = {
  /**
   * The first change to a page after a checkpoint causes PostgreSQL to write the whole page to WAL, so fewer
   * checkpoints mean less WAL.
   */
  checkpoint_timeout: '30min',
  /** With a smaller limit, a busy half hour triggers a checkpoint long before the timeout. */
  max_wal_size: '8GB',
  /** Halves the size of full-page images in WAL and uses less CPU time than the other methods. */
  wal_compression: 'lz4',
  /**
   * SSDs read random pages as fast as sequential pages. With the default of 4, the planner avoids indexes.
   */
  random_page_cost: '1.1',
  autovacuum: 'on',
  /** With the default of 200, vacuuming ten million rows and their indexes takes hours. */
  autovacuum_vacuum_cost_limit: '1000',
} as const;

/** Section of the documentation that explains how to change these settings. */
export const serverSettingsPage = 'docs/operating.md#what-to-set';

/** Divisor that turns a dedicated server's memory into `shared_buffers`, as recommended by PostgreSQL. */
const serverDivisor = 4;
/** Divisor for the embedded database, which shares the machine with the service and often with a desktop. */
const embeddedDivisor = 8;
const embeddedBytes = { min: 128 * 1_024 ** 2, max: 1_024 ** 3 };

/** Returns the value of `shared_buffers`, in bytes, for a dedicated server with the given memory. */
export const serverBufferBytes = (memoryBytes: number): number => memoryBytes / serverDivisor;

/**
 * Returns the value of `shared_buffers`, in bytes, for an embedded database on a machine with the given
 * memory.
 */
export const embeddedBufferBytes = (memoryBytes: number): number =>
  Math.min(Math.max(memoryBytes / embeddedDivisor, embeddedBytes.min), embeddedBytes.max);

const units = ['', 'k', 'm', 'g', 't'];

/**
 * Parses a size in the formats of PostgreSQL (`8GB`), Compose (`2g`) and Kubernetes (`4Gi`).
 * @throws OperatorError if it isn't a size
 */
export function bytesOf(size: string): number {
  const found = /^(\d+)\s*([kmgt]?)(?:i|b)?$/i.exec(size);
  const [, number = '', unit = ''] = found ?? [];
  if (found === null) throw new OperatorError(`${size} is not a size`);
  return Number(number) * 1_024 ** units.indexOf(unit.toLowerCase());
}
