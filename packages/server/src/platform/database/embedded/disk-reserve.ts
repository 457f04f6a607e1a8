import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statfsSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';

const mebibyte = 1_048_576;
/** Size of the reserve: two WAL segments, which PostgreSQL needs to start after a crash, and a little more. */
const reserveBytes = 34 * mebibyte;
/** Free space below which PostgreSQL may crash at the next commit, since it allocates WAL in segments of 16 MiB. */
const fullBytes = 20 * mebibyte;
/** Free space, in addition to the reserve, from which it is worth accepting writes again. */
const roomBytes = 48 * mebibyte;
/** Free space from which a reserve is created, so that it takes only a small part of the disk. */
const minFreeBytes = 3 * reserveBytes;

/** Free space on the data folder's disk, and a file that is deleted when the disk is full. */
export class DiskReserve {
  readonly #folder: string;
  readonly #path: string;
  #isMaking = false;
  #isReleased = false;

  /** Creates no file yet. @param folder the data folder, for the file `reserve` */
  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, 'reserve');
  }

  /** Returns true when the database must not write because too little space is left. Space of a released reserve doesn't count. */
  isFull(): boolean {
    return this.#isReleased ? !this.hasRoom() : this.#freeBytes() < fullBytes;
  }

  /** Returns true when there is enough space to write again. */
  hasRoom(): boolean {
    return this.#freeBytes() >= reserveBytes + roomBytes;
  }

  /** Deletes the reserve. */
  release(): void {
    this.#isReleased = true;
    rmSync(this.#path, { force: true });
    rmSync(`${this.#path}.new`, { force: true });
  }

  /** Creates the reserve if it is missing and there is space for it. A failure is ignored. */
  async make(): Promise<void> {
    this.#isReleased = false;
    if (this.#isMaking || existsSync(this.#path) || this.#freeBytes() < minFreeBytes) return;
    this.#isMaking = true;
    try {
      // Random bytes, which no file system can compress or leave sparse. Renamed once the file is complete.
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

/** Returns the free bytes of a data folder's disk; null when there is no folder. */
export const freeBytes = (folder: string): number | null => (existsSync(folder) ? bytesLeft(folder) : null);

/** Returns true when an error, or PostgreSQL's output, says that the disk is full. */
export const isOutOfRoom = (error: unknown): boolean =>
  /ENOSPC|EDQUOT|No space left|quota exceeded/i.test(error instanceof Error ? error.message : String(error));
