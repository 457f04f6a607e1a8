import {
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  type TransactionSettings,
} from 'kysely';
import { leftMs, noteSeen } from '../connections/request-budget.ts';
import { NoConnectionError, sqlState, unavailability } from '../database-errors.ts';
import type { ReplicaWatch } from './replica-watch.ts';

interface Sides {
  primary: Driver;
  replica: Driver;
  watch: ReplicaWatch;
  /** Maximum duration of a statement on the replica, enforced by the server. */
  statementMs: number;
}

/**
 * Dialect that reads from the replica while it keeps up, and otherwise from the primary. If a statement fails because
 * the replica is gone or canceled it to apply changes, it is retried once on the primary. Transactions run on the
 * primary.
 */
export class ReadDialect extends PostgresDialect {
  readonly #sides: Sides;

  constructor(config: PostgresDialectConfig, sides: Sides) {
    super(config);
    this.#sides = sides;
  }

  override createDriver(): ReadDriver {
    return new ReadDriver(this.#sides);
  }
}

interface Held {
  driver: Driver;
  connection: DatabaseConnection;
}

class ReadDriver implements Driver {
  readonly #sides: Sides;

  constructor(sides: Sides) {
    this.#sides = sides;
  }

  async init(): Promise<void> {
    await this.#sides.primary.init();
    await this.#sides.replica.init();
  }

  async acquireConnection(): Promise<ReadConnection> {
    const { primary, replica, watch } = this.#sides;
    if (watch.isUsable()) {
      try {
        const connection = await replica.acquireConnection();
        return new ReadConnection(this.#sides, { driver: replica, connection });
      } catch (error) {
        // All of this process's connections to the replica are in use. The overload must not move to the
        // primary.
        if (error instanceof NoConnectionError || leftMs() <= 0) throw error;
        watch.fail(error);
      }
    }
    return new ReadConnection(this.#sides, {
      driver: primary,
      connection: await primary.acquireConnection(),
    });
  }

  async beginTransaction(connection: ReadConnection, settings: TransactionSettings): Promise<void> {
    await this.#sides.primary.beginTransaction(await connection.onPrimary(), settings);
  }

  async commitTransaction(connection: ReadConnection): Promise<void> {
    await this.#sides.primary.commitTransaction(await connection.onPrimary());
  }

  async rollbackTransaction(connection: ReadConnection): Promise<void> {
    await this.#sides.primary.rollbackTransaction(await connection.onPrimary());
  }

  releaseConnection(connection: ReadConnection): Promise<void> {
    return connection.release();
  }

  /** Does nothing, because the pools are closed by the caller that opened them. */
  async destroy(): Promise<void> {}
}

class ReadConnection implements DatabaseConnection {
  readonly #sides: Sides;
  #held: Held;

  constructor(sides: Sides, held: Held) {
    this.#sides = sides;
    this.#held = held;
  }

  executeQuery: DatabaseConnection['executeQuery'] = async (query, options) => {
    const { primary, watch, statementMs } = this.#sides;
    const { driver, connection } = this.#held;
    if (driver === primary) {
      watch.count('primary');
      return connection.executeQuery(query, options);
    }
    const startedAtMs = performance.now();
    const seenAtMs = watch.seenAtMs();
    try {
      const answer = await connection.executeQuery<never>(query, options);
      watch.count('replica');
      noteSeen(seenAtMs);
      return answer;
    } catch (error) {
      const tookMs = performance.now() - startedAtMs;
      if (leftMs() <= 0 || !isReplicaError(error, tookMs < 0.9 * statementMs)) throw error;
      if (unavailability(error) === 'unreachable') watch.fail(error);
      watch.count('primary');
      return (await this.onPrimary()).executeQuery(query, options);
    }
  };

  /** Not supported, because reports are read a page at a time. */
  // biome-ignore lint/correctness/useYield: it always throws
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('reports are read page by page');
  }

  async onPrimary(): Promise<DatabaseConnection> {
    const { primary } = this.#sides;
    if (this.#held.driver !== primary) {
      const { driver, connection } = this.#held;
      const next = await primary.acquireConnection();
      this.#held = { driver: primary, connection: next };
      await driver.releaseConnection(connection);
    }
    return this.#held.connection;
  }

  release(): Promise<void> {
    return this.#held.driver.releaseConnection(this.#held.connection);
  }
}

/**
 * Returns whether an error is specific to the replica, in which case the primary may succeed. A statement
 * canceled early conflicted with a change being applied. A statement that hit its time limit would take just
 * as long on the primary.
 */
function isReplicaError(error: unknown, wasEarly: boolean): boolean {
  const state = sqlState(error);
  if (state === '40001') return true;
  if (state === '57014') return wasEarly;
  return unavailability(error) === 'unreachable';
}
