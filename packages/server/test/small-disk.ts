import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** File system that can be filled. */
export interface SmallDisk {
  readonly path: string;
  /**
   * Fills the free space to the last block.
   * @param atMost maximum in bytes, so that space freed in the meantime stays free
   */
  fill(atMost?: number): void;
  freeBytes(): number;
  /** Frees the space that `fill` used. */
  empty(): void;
  remove(): void;
}

/** @returns null if mounting is not possible */
export function mountSmallDisk(mebibytes: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'attribution-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=711`, 'tmpfs', path]);
  if (mounted.status !== 0) {
    rmdirSync(path);
    return null;
  }
  chmodSync(path, 0o711);
  const filler = join(path, 'filler');
  return {
    path,
    fill(atMost = Number.POSITIVE_INFINITY) {
      const file = openSync(filler, 'a');
      let written = 0;
      try {
        for (let size = 1_048_576; size >= 512 && written + size <= atMost; )
          try {
            const taken = writeSync(file, Buffer.alloc(size));
            written += taken;
            // A short write means that there was space for part of the data.
            if (taken < size) size /= 2;
          } catch {
            size /= 2;
          }
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
    freeBytes() {
      const { bavail, bsize } = statfsSync(path);
      return bavail * bsize;
    },
    empty: () => rmSync(filler, { force: true }),
    remove() {
      spawnSync('umount', ['-l', path]);
      rmdirSync(path);
    },
  };
}
