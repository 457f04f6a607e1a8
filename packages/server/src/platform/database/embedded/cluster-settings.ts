import { statfsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { embeddedBufferBytes, serverSettings } from '../server-settings.ts';

/**
 * Minimum useful size of /dev/shm, which is also Docker's default. PostgreSQL needs 1 MiB to start, and more for
 * parallel queries.
 */
const minSharedMemoryBytes = 64 * 1_024 ** 2;

/**
 * Returns the embedded PostgreSQL's settings, as `name=value`. All others have PostgreSQL's defaults. In particular,
 * fsync and full_page_writes remain on.
 */
export const clusterSettings = (): string[] => [
  'listen_addresses=',
  'unix_socket_permissions=0700',
  'max_connections=120',
  ...Object.entries({ ...serverSettings, ...differences }).map(([name, value]) => `${name}=${value}`),
  `shared_buffers=${Math.floor(embeddedBufferBytes(memoryBytes()) / 1_024)}kB`,
  'jit=off',
  'logging_collector=on',
  'log_directory=log',
  'log_filename=postgres-%a.log', // one file per weekday, overwritten after a week
  'log_truncate_on_rotation=on',
  'log_rotation_age=1d',
  'log_min_messages=warning',
  ...sharedMemorySettings(),
];

const differences = {
  /** The binaries are built without LZ4. */
  wal_compression: 'pglz',
  /** The database may share its disk with other data. */
  max_wal_size: '4GB',
};

/**
 * Returns settings for a system whose /dev/shm is too small for PostgreSQL's shared memory, as in some
 * containers. With these settings, PostgreSQL uses files in its data folder instead. They are also needed to
 * create the cluster.
 */
export function sharedMemorySettings(): string[] {
  try {
    const { blocks, bsize } = statfsSync('/dev/shm');
    return blocks * bsize < minSharedMemoryBytes ? ['dynamic_shared_memory_type=mmap'] : [];
  } catch {
    // macOS doesn't have this folder and doesn't need it.
    return [];
  }
}

/**
 * Returns the container's memory limit, or else the machine's memory. If there is no limit, Node reports 0 or a huge
 * number.
 */
function memoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
