import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statfsSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';

const mebibyte = 1_048_576;
/** Two segments of PostgreSQL's log, which it needs to start after a crash, and a little for the rest. */
const reserveBytes = 34 * mebibyte;
/** With less it may crash at the next commit: it takes a segment of 16 MiB at a time. */
const fullBytes = 20 * mebibyte;
/** Free space, beside the reserve, that makes it worth taking writes again. */
const roomBytes = 48 * mebibyte;
/** A reserve is for disks on which it is a trifle. */
const leastFreeBytes = 3 * reserveBytes;

/** Free space on a data folder's disk, and a file that is given up when there is none. */
export class DiskReserve {
  readonly #folder: string;
  readonly #path: string;
  #isMaking = false;
  #isReleased = false;

  /** @param folder the data folder, in which `reserve` is kept */
  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, 'reserve');
  }

  /** Returns true when so little is left that the database must not write; space that the reserve gave up does not count. */
  isFull(): boolean {
    return this.#isReleased ? !this.hasRoom() : this.#freeBytes() < fullBytes;
  }

  /** Returns true when there is space to write again. */
  hasRoom(): boolean {
    return this.#freeBytes() >= reserveBytes + roomBytes;
  }

  /** Gives the reserve up. */
  release(): void {
    this.#isReleased = true;
    rmSync(this.#path, { force: true });
    rmSync(`${this.#path}.new`, { force: true });
  }

  /** Makes the reserve where there is none and there is room for it. A disk that does not take it does without. */
  async make(): Promise<void> {
    this.#isReleased = false;
    if (this.#isMaking || existsSync(this.#path) || this.#freeBytes() < leastFreeBytes) return;
    this.#isMaking = true;
    try {
      // Written in full and not just promised, of bytes that no file system can shrink; named when it is whole.
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

/** @returns whether an error, or what PostgreSQL said, is that there is no room on the disk */
export const isOutOfRoom = (error: unknown): boolean =>
  /ENOSPC|EDQUOT|No space left|quota exceeded/i.test(error instanceof Error ? error.message : String(error));
