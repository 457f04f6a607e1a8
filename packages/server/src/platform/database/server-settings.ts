import { OperatorError } from '../operator-error.ts';

/**
 * Settings of PostgreSQL for an installation that keeps millions of purchases. The documents, `deploy/` and the embedded
 * database have the same ones; the gate compares them.
 */
export const serverSettings = {
  /** The first change of a page after a checkpoint writes the whole page to WAL. Fewer checkpoints, fewer pages. */
  checkpoint_timeout: '30min',
  /** With less a busy half hour ends in a checkpoint long before its time. */
  max_wal_size: '8GB',
  /** Halves those pages, for less processor time than any other method takes. */
  wal_compression: 'lz4',
  /** SSDs read any page as fast as the next one; at 4 the planner avoids indexes. */
  random_page_cost: '1.1',
  autovacuum: 'on',
  /** With the default of 200 a vacuum of ten million rows and their indexes lasts for hours. */
  autovacuum_vacuum_cost_limit: '1000',
} as const;

/** Section of the documents that says how to set them. */
export const serverSettingsPage = 'docs/operating.md#what-to-set';

/** Share of a database server's memory for `shared_buffers`: PostgreSQL's own advice for a machine that is its alone. */
const serverShare = 4;
/** The embedded database has the service beside it, and mostly somebody's desktop. */
const embeddedShare = 8;
const embeddedBytes = { least: 128 * 1_024 ** 2, most: 1_024 ** 3 };

/** @returns the `shared_buffers` of a server with so much memory, in bytes */
export const serverBufferBytes = (memoryBytes: number): number => memoryBytes / serverShare;

/** @returns the same of the embedded database */
export const embeddedBufferBytes = (memoryBytes: number): number =>
  Math.min(Math.max(memoryBytes / embeddedShare, embeddedBytes.least), embeddedBytes.most);

const units = ['', 'k', 'm', 'g', 't'];

/**
 * Reads a size as PostgreSQL (`8GB`), Compose (`2g`) and Kubernetes (`4Gi`) write it.
 * @throws OperatorError where it is none
 */
export function bytesOf(size: string): number {
  const found = /^(\d+)\s*([kmgt]?)(?:i|b)?$/i.exec(size);
  const [, number = '', unit = ''] = found ?? [];
  if (found === null) throw new OperatorError(`${size} is no size`);
  return Number(number) * 1_024 ** units.indexOf(unit.toLowerCase());
}
