import { statfsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { embeddedBufferBytes, serverSettings } from '../server-settings.ts';

/** Docker's own default. PostgreSQL needs a mebibyte to start, and room for what parallel queries share. */
const leastSharedMemoryBytes = 64 * 1_024 ** 2;

/**
 * Settings of the embedded PostgreSQL, `name=value`. What is not here is as PostgreSQL has it: fsync and
 * full_page_writes stay on.
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
  'log_filename=postgres-%a.log', // one file a weekday, started over after a week
  'log_truncate_on_rotation=on',
  'log_rotation_age=1d',
  'log_min_messages=warning',
  ...sharedMemorySettings(),
];

const differences = {
  /** The binaries are built without LZ4. */
  wal_compression: 'pglz',
  /** The disk is not the database's alone. */
  max_wal_size: '4GB',
};

/**
 * Settings for a system whose /dev/shm has no room for what PostgreSQL's processes share, as in some containers:
 * files in its own folder take its place. Making the cluster needs them, too.
 */
export function sharedMemorySettings(): string[] {
  try {
    const { blocks, bsize } = statfsSync('/dev/shm');
    return blocks * bsize < leastSharedMemoryBytes ? ['dynamic_shared_memory_type=mmap'] : [];
  } catch {
    // macOS has no such folder, and does not need one.
    return [];
  }
}

/** In a container its limit, which Node gives as 0 or as more than there is where there is none. */
function memoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
