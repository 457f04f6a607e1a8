import { type ControlledTransaction, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { OpenTables } from '../../platform/database/program-tables.ts';

export interface PieceLimits {
  /** Maximum number of rows per piece, with their payments and entries. The first piece has a quarter of that. */
  rows: number;
  /** Age at which a snapshot is closed (after the current piece), because an open snapshot holds back vacuum. */
  snapshotMs: number;
}

export const pieceLimits: PieceLimits = { rows: 20_000, snapshotMs: 400 };
const minRows = 500;
const slowMs = 300;
const quickMs = 80;

/** Number of items per piece, adjusted to how long pieces take. */
export class PieceSize {
  value: number;
  readonly #min: number;
  readonly #max: number;

  constructor(min: number, max: number) {
    this.value = Math.ceil(max / 4);
    this.#min = Math.min(min, max);
    this.#max = max;
  }

  /**
   * Adjusts the size to how long a piece took.
   * @param taken number of items in the piece; a small piece never increases the size
   */
  adjust(taken: number, ms: number): void {
    if (ms > slowMs) this.value = Math.max(this.#min, Math.floor(this.value / 2));
    else if (ms < quickMs && taken >= this.value / 2) this.value = Math.min(this.#max, this.value * 2);
  }
}

/**
 * Reads a database in pieces. Each piece sees one snapshot, and small pieces share one. Snapshots don't take locks and
 * stay open for only a few pieces.
 */
export class Snapshots {
  readonly rows: PieceSize;
  readonly days = new PieceSize(10, 1_000);
  /** Number of recordings per piece when searching postings for recordings, which doesn't read any rows. */
  readonly recordings = new PieceSize(10_000, 500_000);
  readonly #db: Db;
  readonly #snapshotMs: number;
  #tx: ControlledTransaction<OpenTables> | null = null;
  #openedAt = 0;
  #writes: ((db: Db) => Promise<void>)[] = [];

  constructor(db: Db, { rows, snapshotMs }: PieceLimits) {
    this.#db = db;
    this.rows = new PieceSize(minRows, rows);
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
      size.adjust(result.taken, performance.now() - startedAt);
      if (performance.now() - this.#openedAt > this.#snapshotMs) await this.close();
      return result;
    } catch (error) {
      this.#tx = null;
      this.#writes = [];
      // Only the first error is worth reporting.
      await tx
        .rollback()
        .execute()
        .catch(() => undefined);
      throw error;
    }
  }

  afterSnapshot(write: (db: Db) => Promise<void>): void {
    this.#writes.push(write);
  }

  async abort(): Promise<void> {
    const tx = this.#tx;
    this.#tx = null;
    this.#writes = [];
    await tx
      ?.rollback()
      .execute()
      .catch(() => undefined);
  }

  async close(): Promise<void> {
    const tx = this.#tx;
    this.#tx = null;
    if (tx !== null) await tx.commit().execute();
    const writes = this.#writes;
    this.#writes = [];
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
    // A piece reads its rows by key. Sequential scans, JIT compilation and parallel workers would only slow it down.
    await sql`
      select set_config('enable_seqscan', 'off', true), set_config('random_page_cost', '1.1', true),
             set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`.execute(
      tx,
    );
    return tx;
  }
}
