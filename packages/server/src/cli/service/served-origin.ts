import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../platform/config.ts';

/** Beside the lock, which has the same process in its first line while that one serves. */
const addressFile = ({ dataDir }: Config): string => join(dataDir, 'attribution.address');
const lockFile = ({ dataDir }: Config): string => join(dataDir, 'attribution.lock');

/** Records where people open the dashboard of the service that runs in DATA_DIR. @returns what takes that away */
export function recordServedOrigin(config: Config, origin: string): () => void {
  const path = addressFile(config);
  try {
    writeFileSync(path, `${process.pid} ${origin}\n`, { mode: 0o600 });
  } catch {
    return () => undefined; // on a full disk commands say that they do not know it
  }
  return () => rmSync(path, { force: true });
}

/** Where links lead that a command prints. */
export interface DashboardPlace {
  origin: string;
  /** What to tell whoever gets the link; null where the service is known to answer there. */
  doubt: string | null;
}

/**
 * Finds where people open the dashboard: PUBLIC_URL, or else where the service listens that runs in DATA_DIR. A service on
 * another database may run on another machine, and listen anywhere.
 */
export function findDashboard(config: Config): DashboardPlace {
  if (config.publicUrl !== null) return { origin: config.publicUrl, doubt: null };
  const served = config.databaseUrl === null ? readServedOrigin(config) : null;
  if (served !== null) return { origin: served, doubt: null };
  const origin = `http://localhost:${config.port}`;
  const why =
    config.databaseUrl === null
      ? `No service runs in ${config.dataDir} at this moment`
      : 'The address of the service is not known here';
  return {
    origin,
    doubt: `${why}, so the link leads to ${origin}. If people open the dashboard at another address, put that in front of the link's path, and set PUBLIC_URL to it (or PORT to the service's) for the next one.`,
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
