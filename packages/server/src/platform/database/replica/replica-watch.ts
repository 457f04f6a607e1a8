import type pg from 'pg';
import { connectionWords } from '../connections/connection-words.ts';
import {
  type Identity,
  identitySql,
  isCopyOf,
  notReplicaWords,
  ofReplica,
  otherDatabaseWords,
} from './replica-identity.ts';

export interface WatchOptions {
  /** One connection each, which nothing else uses. */
  primary: pg.Pool;
  replica: pg.Pool;
  /** A replica further behind is not read from. */
  maxAgeMs: number;
  /** Told when it is read from no longer, and when it is again. */
  onChange: (message: string) => void;
  /** Interval between checks of the replica; a second when absent. */
  lookEveryMs?: number;
}

export type ReadFrom = 'replica' | 'primary';
export type ReplicaState = 'used' | 'late' | 'away';

interface Sample {
  /** Position that the primary had written its log up to. */
  lsn: bigint;
  /** On performance.now()'s clock, taken before it was asked. */
  atMs: number;
}

/** Pause after a failure before the replica is checked again. */
const restMs = 2_000;
/** Ten minutes of looks: a replica further behind catches up without our knowing how far it is. */
const samplesKept = 600;

/**
 * Age of a replica's data, by what it has replayed: once a second the primary's log position is read, and a replica that
 * has reached it has everything committed before that read. Neither clocks nor an idle primary distort it, and a replica
 * that receives nothing more is seen to grow old.
 */
export class ReplicaWatch {
  readonly #options: WatchOptions;
  readonly #counts: Record<ReadFrom, number> = { replica: 0, primary: 0 };
  #samples: Sample[] = [];
  /** It has all that was committed at this moment; null when nobody knows. */
  #freshAtMs: number | null = null;
  /** Why it is not read from, however fresh it is. */
  #flaw: string | null = 'it was not looked at yet';
  #restsUntilMs = 0;
  #told: ReplicaState | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  start(): void {
    const look = async (): Promise<void> => {
      if (performance.now() >= this.#restsUntilMs) await this.#look();
      if (this.#isStopped) return;
      this.#tell();
      this.#timer = setTimeout(() => void look(), this.#options.lookEveryMs ?? 1_000).unref();
    };
    void look();
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  isUsable(): boolean {
    return this.state() === 'used';
  }

  state(): ReplicaState {
    if (this.#flaw !== null) return 'away';
    const ageMs = this.ageMs();
    return ageMs !== null && ageMs <= this.#options.maxAgeMs ? 'used' : 'late';
  }

  /** @returns how old what it shows is, at most; null when nobody knows */
  ageMs(): number | null {
    return this.#freshAtMs === null ? null : performance.now() - this.#freshAtMs;
  }

  /** @returns the moment of which it has everything, on performance.now()'s clock */
  seenAtMs(): number {
    return this.#freshAtMs ?? performance.now() - this.#options.maxAgeMs;
  }

  /** It did not answer: everybody is spared it until a look finds it well. */
  fail(error: unknown): void {
    this.#flaw = ofReplica(connectionWords(error) ?? String(error));
    this.#restsUntilMs = performance.now() + restMs;
    this.#tell();
  }

  /** Statements, by where they were answered. */
  count(from: ReadFrom): void {
    this.#counts[from] += 1;
  }

  counts(): Readonly<Record<ReadFrom, number>> {
    return this.#counts;
  }

  async #look(): Promise<void> {
    const primary = await this.#askPrimary();
    try {
      const { rows } = await this.#options.replica.query<Identity & { replayed: string | null }>(
        `${identitySql}, pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text as replayed`,
      );
      const [found] = rows;
      if (this.#isStopped || found === undefined) return;
      this.#flaw = flawOf(found, primary);
      this.#advance(found.replayed);
    } catch (error) {
      if (!this.#isStopped) this.fail(error);
    }
  }

  /** @returns null when the primary does not answer: then what is known of the replica grows old by itself */
  async #askPrimary(): Promise<Identity | null> {
    const atMs = performance.now();
    try {
      const { rows } = await this.#options.primary.query<Identity & { written: string }>(
        `${identitySql}, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as written`,
      );
      const [found] = rows;
      if (found === undefined) return null;
      const lsn = BigInt(found.written);
      const last = this.#samples.at(-1);
      // The log of a primary that another one took the place of may be shorter: then nothing is known any more.
      if (last !== undefined && last.lsn > lsn) this.#forget();
      if (last?.lsn === lsn) this.#samples.pop();
      this.#samples.push({ lsn, atMs });
      if (this.#samples.length > samplesKept) this.#samples.shift();
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
    // The last one stays, to be compared with the next.
    this.#samples = this.#samples.slice(Math.min(reached + 1, this.#samples.length - 1));
  }

  #tell(): void {
    const state = this.state();
    const before = this.#told;
    if (state === before || this.#isStopped) return;
    this.#told = state;
    const behind = this.ageMs();
    if (state === 'used') {
      if (before !== null) this.#options.onChange('reports are read from the replica again');
    } else if (state === 'late') {
      const words = behind === null ? 'not known how far' : `${Math.ceil(behind / 1_000)} s`;
      this.#options.onChange(`the replica is behind (${words}); reports are read from the primary`);
    } else
      this.#options.onChange(`the replica is not used, reports are read from the primary: ${this.#flaw}`);
  }
}

function flawOf(found: Identity, primary: Identity | null): string | null {
  if (primary !== null && !isCopyOf(found, primary)) return otherDatabaseWords;
  return found.isReplica ? null : notReplicaWords;
}
