import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DiskReserve, isOutOfRoom } from './disk-reserve.ts';

export interface KeepRunningOptions {
  /** Resolves when the server accepts connections. */
  start(isReadOnly: boolean): Promise<ChildProcess>;
  /** Shuts down a server, and kills it if the shutdown takes longer than `patienceMs`. */
  end(child: ChildProcess, patienceMs: number): Promise<void>;
  disk: DiskReserve;
  /** True to keep a reserve on the disk; false for short-lived processes. */
  keepsReserve: boolean;
  onChange(message: string): void;
}

const firstPauseMs = 200;
const maxPauseMs = 5_000;
/** Uptime after which a crash counts as the first one again. */
const steadyMs = 5_000;
const checkDiskEveryMs = 1_000;
const stopPatienceMs = 30_000;
/** Time allowed for a shutdown when the disk is full, which the server may be unable to finish. */
const changePatienceMs = 5_000;

/**
 * Keeps a server running. After a crash, restarts it as often as necessary, with increasingly long pauses. While the
 * disk is full, the server runs read-only in the space freed by the reserve, so that reads work and it doesn't crash.
 * Once there is space again, it accepts writes.
 * @returns a function that stops the server permanently
 * @throws the error of the first start
 */
export async function keepRunning(options: KeepRunningOptions): Promise<() => Promise<void>> {
  const server = new SupervisedServer(options);
  await server.begin();
  return () => server.stop();
}

class SupervisedServer {
  readonly #options: KeepRunningOptions;
  readonly #stopped = new AbortController();
  #child: ChildProcess | null = null;
  #isReadOnly = false;
  /** True while the server is being stopped to be restarted with other settings. */
  #isChanging = false;
  #pauseMs = 0;
  #startedMs = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(options: KeepRunningOptions) {
    this.#options = options;
  }

  async begin(): Promise<void> {
    await this.#start();
    void this.#watchDisk();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#work;
    if (this.#child !== null) await this.#options.end(this.#child, stopPatienceMs);
  }

  /** Starts the server, read-only if the disk is full or the first attempt fails for that reason. */
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
    if (this.#isReadOnly) this.#options.onChange(diskIsFull);
    else if (keepsReserve) void disk.make();
  }

  #exited(child: ChildProcess, how: string): void {
    if (this.#stopped.signal.aborted || this.#isChanging || child !== this.#child) return;
    this.#options.onChange(`the embedded database stopped (${how}); restarting it`);
    if (performance.now() - this.#startedMs > steadyMs) this.#pauseMs = 0;
    this.#work = this.#restart();
  }

  async #restart(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await sleep(this.#pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      this.#pauseMs = Math.min(Math.max(this.#pauseMs * 2, firstPauseMs), maxPauseMs);
      try {
        await this.#start();
        return;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        this.#options.onChange(`${reason}; retrying in ${this.#pauseMs / 1_000} s`);
      }
    }
  }

  /** Switches the server to read-only before a full disk makes it crash, and back once there is space. */
  async #watchDisk(): Promise<void> {
    const { disk, onChange } = this.#options;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await sleep(checkDiskEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
      await this.#work;
      if (signal.aborted) return;
      if (this.#isReadOnly ? !disk.hasRoom() : !disk.isFull()) continue;
      if (this.#isReadOnly) onChange('the disk has free space again; the database accepts writes again');
      this.#work = this.#change();
    }
  }

  async #change(): Promise<void> {
    const { end } = this.#options;
    this.#isChanging = true;
    try {
      // A clean shutdown may also need some space.
      if (!this.#isReadOnly) this.#options.disk.release();
      if (this.#child !== null) await end(this.#child, changePatienceMs);
    } finally {
      this.#isChanging = false;
    }
    this.#pauseMs = 0;
    await this.#restart();
  }
}

const diskIsFull = "the database's disk is full; the database is read-only until there is free space";
