import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statfsSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';

const mebibyte = 1_048_576;
/** Two WAL segments, which PostgreSQL needs to start after a crash, and a little more. */
const reserveBytes = 34 * mebibyte;
/**
 * Free space below which PostgreSQL may crash on the next commit, because it allocates WAL in segments of 16
 * MiB.
 */
const fullBytes = 20 * mebibyte;
/** Free space required, in addition to the reserve, before writes are accepted again. */
const roomBytes = 48 * mebibyte;
/** Minimum free space for creating a reserve, so that the reserve uses only a small part of the disk. */
const minFreeBytes = 3 * reserveBytes;

/** Free space on the data folder's disk, and a file that is deleted when the disk is full. */
export class DiskReserve {
  readonly #folder: string;
  readonly #path: string;
  #isMaking = false;
  #isReleased = false;

  /**
   * Doesn't create the file.
   * @param folder the data folder, in which `make` creates the file `reserve`
   */
  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, 'reserve');
  }

  /**
   * Returns whether too little disk space is left for the database to write. Space freed by releasing the
   * reserve doesn't count.
   */
  isFull(): boolean {
    return this.#isReleased ? !this.hasRoom() : this.#freeBytes() < fullBytes;
  }

  hasRoom(): boolean {
    return this.#freeBytes() >= reserveBytes + roomBytes;
  }

  release(): void {
    this.#isReleased = true;
    rmSync(this.#path, { force: true });
    rmSync(`${this.#path}.new`, { force: true });
  }

  /** Creates the reserve if it is missing and there is space for it. Failures are ignored. */
  async make(): Promise<void> {
    this.#isReleased = false;
    if (this.#isMaking || existsSync(this.#path) || this.#freeBytes() < minFreeBytes) return;
    this.#isMaking = true;
    try {
      // The bytes are random, so that no file system can compress them or store them sparsely. The file is renamed
      // once it is complete.
      const file = await open(`${this.#path}.new`, 'w', 0o600);
      try {
        const part = randomBytes(mebibyte);
        for (let written = 0; written < reserveBytes; written += mebibyte) await file.write(part);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${this.#path}.new`, this.#path);
    } catch {
      rmSync(`${this.#path}.new`, { force: true });
    } finally {
      this.#isMaking = false;
    }
  }

  #freeBytes(): number {
    return bytesLeft(this.#folder);
  }
}

function bytesLeft(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Returns null if the folder doesn't exist. */
export const freeBytes = (folder: string): number | null => (existsSync(folder) ? bytesLeft(folder) : null);

export const isOutOfRoom = (error: unknown): boolean =>
  /ENOSPC|EDQUOT|No space left|quota exceeded/i.test(error instanceof Error ? error.message : String(error));
