import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DiskReserve, isOutOfRoom } from './disk-reserve.ts';

export interface KeepRunningOptions {
  /** Starts a server, and resolves when it answers. @param isReadOnly whether it takes no writes */
  start(isReadOnly: boolean): Promise<ChildProcess>;
  /** Ends a server: in order, or when that takes longer than `patienceMs`, at once. */
  end(child: ChildProcess, patienceMs: number): Promise<void>;
  disk: DiskReserve;
  /** True to hold a reserve on the disk; a short-lived process does not. */
  keepsReserve: boolean;
  /** Told what happens to the database, and what is done about it. */
  onChange(message: string): void;
}

const firstPauseMs = 200;
const longestPauseMs = 5_000;
/** A server that ran for so long is not one that dies again and again. */
const steadyMs = 5_000;
const lookAtDiskEveryMs = 1_000;
const stopPatienceMs = 30_000;
/** Without room a server may not come to its end. */
const changePatienceMs = 5_000;

/**
 * Keeps a server running: one that dies is started again, with growing pauses, for as long as it takes. While the disk
 * is full it runs read-only, on what the reserve leaves it: what can be read is read, and nothing has to crash for want
 * of room. When there is room it takes writes again, by itself.
 * @returns the function that stops it for good
 * @throws what the first start throws
 */
export async function keepRunning(options: KeepRunningOptions): Promise<() => Promise<void>> {
  const server = new KeptServer(options);
  await server.begin();
  return () => server.stop();
}

class KeptServer {
  readonly #options: KeepRunningOptions;
  readonly #stopped = new AbortController();
  #child: ChildProcess | null = null;
  #isReadOnly = false;
  /** True while it is being ended on purpose, to be restarted with other settings. */
  #isChanging = false;
  #pauseMs = 0;
  #startedMs = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(options: KeepRunningOptions) {
    this.#options = options;
  }

  async begin(): Promise<void> {
    await this.#start();
    void this.#lookAtDisk();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#work;
    if (this.#child !== null) await this.#options.end(this.#child, stopPatienceMs);
  }

  /** Read-only when there is no room, whether that is known before or from the attempt. */
  async #start(): Promise<void> {
    const { disk, start, keepsReserve } = this.#options;
    const attempt = async (isReadOnly: boolean): Promise<void> => {
      if (isReadOnly) disk.release();
      const child = await start(isReadOnly);
      this.#child = child;
      this.#isReadOnly = isReadOnly;
      this.#startedMs = performance.now();
      child.once('exit', (code, signal) => this.#exited(child, signal ?? `exit code ${code}`));
    };
    const isFull = disk.isFull();
    try {
      await attempt(isFull);
    } catch (error) {
      if (isFull || !(isOutOfRoom(error) || disk.isFull())) throw error;
      await attempt(true);
    }
    if (this.#isReadOnly) this.#options.onChange(`${noRoom}; the database is read-only until there is some`);
    else if (keepsReserve) void disk.make();
  }

  #exited(child: ChildProcess, how: string): void {
    if (this.#stopped.signal.aborted || this.#isChanging || child !== this.#child) return;
    this.#options.onChange(`the embedded database stopped (${how}); starting it again`);
    if (performance.now() - this.#startedMs > steadyMs) this.#pauseMs = 0;
    this.#work = this.#restart();
  }

  async #restart(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await sleep(this.#pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      this.#pauseMs = Math.min(Math.max(this.#pauseMs * 2, firstPauseMs), longestPauseMs);
      try {
        await this.#start();
        return;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        this.#options.onChange(`${reason}; trying again in ${this.#pauseMs / 1_000} s`);
      }
    }
  }

  /** Before a full disk makes it crash, it stops writing; when there is room, it writes again. */
  async #lookAtDisk(): Promise<void> {
    const { disk, onChange } = this.#options;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await sleep(lookAtDiskEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
      await this.#work;
      if (signal.aborted) return;
      if (this.#isReadOnly ? !disk.hasRoom() : !disk.isFull()) continue;
      if (this.#isReadOnly) onChange('there is room on the disk again; the database takes writes again');
      this.#work = this.#change();
    }
  }

  async #change(): Promise<void> {
    const { end } = this.#options;
    this.#isChanging = true;
    try {
      // It may need some room to end in order, too.
      if (!this.#isReadOnly) this.#options.disk.release();
      if (this.#child !== null) await end(this.#child, changePatienceMs);
    } finally {
      this.#isChanging = false;
    }
    this.#pauseMs = 0;
    await this.#restart();
  }
}

const noRoom = 'there is no room on the disk of the database';
