import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../platform/config.ts';

/**
 * Returns the path of the file with the service's process id and address. The address is valid only while the
 * lock file contains the same process id.
 */
const addressFile = ({ dataDir }: Config): string => join(dataDir, 'attribution.address');
const lockFile = ({ dataDir }: Config): string => join(dataDir, 'attribution.lock');

/**
 * Records the dashboard's origin for commands that use the same DATA_DIR. @returns a function that removes
 * the record
 */
export function recordServedOrigin(config: Config, origin: string): () => void {
  const path = addressFile(config);
  try {
    writeFileSync(path, `${process.pid} ${origin}\n`, { mode: 0o600 });
  } catch {
    return () => undefined; // on a full disk, commands report that the address is unknown
  }
  return () => rmSync(path, { force: true });
}

export interface DashboardOrigin {
  origin: string;
  /** Warning that the origin is a guess; null when the origin is known. */
  doubt: string | null;
}

/**
 * Finds the dashboard's origin: PUBLIC_URL, or else the address of the service that is running in DATA_DIR. A
 * service with an external database may be running on another machine, so its address is a guess.
 */
export function findDashboard(config: Config): DashboardOrigin {
  if (config.publicUrl !== null) return { origin: config.publicUrl, doubt: null };
  const served = config.databaseUrl === null ? readServedOrigin(config) : null;
  if (served !== null) return { origin: served, doubt: null };
  const origin = `http://localhost:${config.port}`;
  const reason =
    config.databaseUrl === null
      ? `No service is running in ${config.dataDir}`
      : "The service's address is not known here";
  return {
    origin,
    doubt: `${reason}, so the link points to ${origin}. If the dashboard has another address, replace that part of the link. Next time, set PUBLIC_URL to that address, or PORT to the service's port.`,
  };
}

function readServedOrigin(config: Config): string | null {
  try {
    const [pid, origin] = readFileSync(addressFile(config), 'utf8').trim().split(' ');
    const [holder] = readFileSync(lockFile(config), 'utf8').split(' ');
    return pid === holder && origin !== undefined && URL.canParse(origin) ? origin : null;
  } catch {
    return null;
  }
}
