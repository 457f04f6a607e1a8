import { type ControlledTransaction, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { OpenTables } from '../../platform/database/program-tables.ts';

export interface PieceLimits {
  /** Rows of a piece at most, each with its payment and entries; and a quarter of them at first. */
  rows: number;
  /** A snapshot older than this is left: it holds vacuum back. The piece under way is finished first. */
  snapshotMs: number;
}

export const pieceLimits: PieceLimits = { rows: 20_000, snapshotMs: 400 };
const fewestRows = 500;
const slowMs = 300;
const quickMs = 80;

/** How many of something one piece takes: more while pieces are quick, fewer when they are slow. */
export class PieceSize {
  value: number;
  readonly #least: number;
  readonly #most: number;

  constructor(least: number, most: number) {
    this.value = Math.ceil(most / 4);
    this.#least = Math.min(least, most);
    this.#most = most;
  }

  /** @param taken how many the piece had; a small one says nothing about a larger */
  learn(taken: number, ms: number): void {
    if (ms > slowMs) this.value = Math.max(this.#least, Math.floor(this.value / 2));
    else if (ms < quickMs && taken >= this.value / 2) this.value = Math.min(this.#most, this.value * 2);
  }
}

/**
 * Reads a database piece by piece. A piece sees one moment of it, and small ones share theirs; nothing is kept open
 * for longer than some pieces take, and nobody is locked out.
 */
export class Snapshots {
  /** Rows that a piece looks at. */
  readonly rows: PieceSize;
  /** Days of a group whose rollups are added up. */
  readonly days = new PieceSize(10, 1_000);
  /** Recordings that postings name, which are looked through without their rows. */
  readonly recordings = new PieceSize(10_000, 500_000);
  readonly #db: Db;
  readonly #snapshotMs: number;
  #tx: ControlledTransaction<OpenTables> | null = null;
  #openedAt = 0;
  #later: ((db: Db) => Promise<void>)[] = [];

  constructor(db: Db, { rows, snapshotMs }: PieceLimits) {
    this.#db = db;
    this.rows = new PieceSize(fewestRows, rows);
    this.#snapshotMs = snapshotMs;
  }

  async read<Result>(
    size: PieceSize,
    piece: (tx: Tx) => Promise<Result & { taken: number }>,
  ): Promise<Result> {
    const tx = await this.#open();
    const startedAt = performance.now();
    try {
      const result = await piece(tx);
      size.learn(result.taken, performance.now() - startedAt);
      if (performance.now() - this.#openedAt > this.#snapshotMs) await this.leave();
      return result;
    } catch (error) {
      this.#tx = null;
      this.#later = [];
      // The first error is the one to tell.
      await tx
        .rollback()
        .execute()
        .catch(() => undefined);
      throw error;
    }
  }

  /** Writes something down once the moment that is read has been left. */
  later(write: (db: Db) => Promise<void>): void {
    this.#later.push(write);
  }

  /** Ends the moment that is read, if one is, for a run that goes no further: nothing is written down. */
  async drop(): Promise<void> {
    const tx = this.#tx;
    this.#tx = null;
    this.#later = [];
    await tx
      ?.rollback()
      .execute()
      .catch(() => undefined);
  }

  async leave(): Promise<void> {
    const tx = this.#tx;
    this.#tx = null;
    if (tx !== null) await tx.commit().execute();
    const writes = this.#later;
    this.#later = [];
    for (const write of writes) await write(this.#db);
  }

  async #open(): Promise<ControlledTransaction<OpenTables>> {
    if (this.#tx !== null) return this.#tx;
    const tx = await this.#db
      .startTransaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute();
    this.#tx = tx;
    this.#openedAt = performance.now();
    // A piece names its rows by key: reading whole tables for it, or compiling its query, only ever takes longer, and
    // one processor is enough for it.
    await sql`
      select set_config('enable_seqscan', 'off', true), set_config('random_page_cost', '1.1', true),
             set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`.execute(
      tx,
    );
    return tx;
  }
}
