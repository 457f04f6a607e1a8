import { type ControlledTransaction, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { Tables } from '../../platform/database/tables.generated.ts';

/** A snapshot older than this is left: what runs in it holds vacuum back. The piece under way is finished first. */
const snapshotMs = 400;
const slowMs = 300;
const quickMs = 80;

/** How many of something one piece takes: more while pieces are quick, fewer when they are slow. */
export class PieceSize {
  value: number;
  readonly #least: number;
  readonly #most: number;

  constructor(least: number, most: number) {
    this.value = least * 4;
    this.#least = least;
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
  /** Rows that a piece looks at, each with its payment and entries. */
  readonly rows = new PieceSize(500, 20_000);
  /** Days of a group whose rollups are added up. */
  readonly days = new PieceSize(10, 1_000);
  readonly #db: Db;
  #tx: ControlledTransaction<Tables> | null = null;
  #openedAt = 0;
  #later: ((db: Db) => Promise<void>)[] = [];

  constructor(db: Db) {
    this.#db = db;
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
      if (performance.now() - this.#openedAt > snapshotMs) await this.leave();
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

  async leave(): Promise<void> {
    const tx = this.#tx;
    this.#tx = null;
    if (tx !== null) await tx.commit().execute();
    const writes = this.#later;
    this.#later = [];
    for (const write of writes) await write(this.#db);
  }

  async #open(): Promise<ControlledTransaction<Tables>> {
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
