import type pg from 'pg';
import { explainConnectionError } from '../connections/explain-connection-error.ts';
import {
  type Identity,
  identitySql,
  isCopyOf,
  notReplicaMessage,
  ofReplica,
  otherDatabaseMessage,
} from './replica-identity.ts';

export interface WatchOptions {
  /** Pools used only to check the replica, with one connection each. */
  primary: pg.Pool;
  replica: pg.Pool;
  /** Maximum lag at which the replica is still used. */
  maxAgeMs: number;
  /** Called with a message when the service stops or resumes using the replica. */
  onChange: (message: string) => void;
  /** Defaults to one second. */
  checkEveryMs?: number;
}

export type ReadFrom = 'replica' | 'primary';
export type ReplicaState = 'used' | 'late' | 'away';

interface Sample {
  /** Position that the primary had written its WAL up to. */
  lsn: bigint;
  /** Time just before the query started, from `performance.now()`. */
  atMs: number;
}

/** Pause after a failure before the replica is checked again. */
const pauseMs = 2_000;
/**
 * Maximum number of samples, which cover ten minutes. If the replica is further behind, its lag is unknown until it
 * catches up.
 */
const maxSamples = 600;

/**
 * Measures the age of a replica's data by the WAL that the replica has replayed. The primary's WAL position
 * is read once a second. A replica that has reached this position has everything committed before the
 * position was read. Clock differences and an idle primary don't distort the measurement, and the age
 * increases when a replica no longer receives WAL.
 */
export class ReplicaWatch {
  readonly #options: WatchOptions;
  readonly #counts: Record<ReadFrom, number> = { replica: 0, primary: 0 };
  #samples: Sample[] = [];
  /** Time up to which the replica has all commits; null if unknown. */
  #freshAtMs: number | null = null;
  /** Reason why the replica can't be used regardless of its lag. */
  #problem: string | null = 'it has not been checked yet';
  #pausedUntilMs = 0;
  #reported: ReplicaState | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  start(): void {
    const check = async (): Promise<void> => {
      if (performance.now() >= this.#pausedUntilMs) await this.#check();
      if (this.#isStopped) return;
      this.#report();
      this.#timer = setTimeout(() => void check(), this.#options.checkEveryMs ?? 1_000).unref();
    };
    void check();
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  isUsable(): boolean {
    return this.state() === 'used';
  }

  state(): ReplicaState {
    if (this.#problem !== null) return 'away';
    const ageMs = this.ageMs();
    return ageMs !== null && ageMs <= this.#options.maxAgeMs ? 'used' : 'late';
  }

  /** Returns an upper bound on the age of the replica's data, or null if unknown. */
  ageMs(): number | null {
    return this.#freshAtMs === null ? null : performance.now() - this.#freshAtMs;
  }

  /** Returns the time up to which the replica has all commits, as a value of `performance.now()`. */
  seenAtMs(): number {
    return this.#freshAtMs ?? performance.now() - this.#options.maxAgeMs;
  }

  /** Stops using the failed replica until a check succeeds. */
  fail(error: unknown): void {
    this.#problem = ofReplica(explainConnectionError(error) ?? String(error));
    this.#pausedUntilMs = performance.now() + pauseMs;
    this.#report();
  }

  count(from: ReadFrom): void {
    this.#counts[from] += 1;
  }

  counts(): Readonly<Record<ReadFrom, number>> {
    return this.#counts;
  }

  async #check(): Promise<void> {
    const primary = await this.#samplePrimary();
    try {
      const { rows } = await this.#options.replica.query<Identity & { replayed: string | null }>(
        `${identitySql}, pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text as replayed`,
      );
      const [found] = rows;
      if (this.#isStopped || found === undefined) return;
      this.#problem = problemOf(found, primary);
      this.#advance(found.replayed);
    } catch (error) {
      if (!this.#isStopped) this.fail(error);
    }
  }

  /**
   * Reads the primary's WAL position.
   * @returns null if the primary doesn't respond, in which case the measured age of the replica's data increases
   */
  async #samplePrimary(): Promise<Identity | null> {
    const atMs = performance.now();
    try {
      const { rows } = await this.#options.primary.query<Identity & { written: string }>(
        `${identitySql}, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as written`,
      );
      const [found] = rows;
      if (found === undefined) return null;
      const lsn = BigInt(found.written);
      const last = this.#samples.at(-1);
      // After a failover, the new primary's WAL may be shorter, so the samples no longer apply.
      if (last !== undefined && last.lsn > lsn) this.#forget();
      if (last?.lsn === lsn) this.#samples.pop();
      this.#samples.push({ lsn, atMs });
      if (this.#samples.length > maxSamples) this.#samples.shift();
      return found;
    } catch {
      return null;
    }
  }

  #forget(): void {
    this.#samples = [];
    this.#freshAtMs = null;
  }

  #advance(replayed: string | null): void {
    if (replayed === null) return;
    const at = BigInt(replayed);
    const reached = this.#samples.findLastIndex(({ lsn }) => lsn <= at);
    if (reached === -1) return;
    this.#freshAtMs = this.#samples[reached]?.atMs ?? this.#freshAtMs;
    // Keep the last sample, which is compared with the next one.
    this.#samples = this.#samples.slice(Math.min(reached + 1, this.#samples.length - 1));
  }

  #report(): void {
    const state = this.state();
    const before = this.#reported;
    if (state === before || this.#isStopped) return;
    this.#reported = state;
    const behind = this.ageMs();
    if (state === 'used') {
      if (before !== null) this.#options.onChange('reports are read from the replica again');
    } else if (state === 'late') {
      const lag = behind === null ? 'by an unknown amount' : `by ${Math.ceil(behind / 1_000)} s`;
      this.#options.onChange(`the replica is behind ${lag}; reports are read from the primary`);
    } else
      this.#options.onChange(
        `the replica is unavailable; reports are read from the primary: ${this.#problem}`,
      );
  }
}

function problemOf(found: Identity, primary: Identity | null): string | null {
  if (primary !== null && !isCopyOf(found, primary)) return otherDatabaseMessage;
  return found.isReplica ? null : notReplicaMessage;
}
