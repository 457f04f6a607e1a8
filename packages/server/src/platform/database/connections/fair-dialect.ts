import {
  CompiledQuery,
  type DatabaseConnection,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
  type TransactionSettings,
} from 'kysely';
import type pg from 'pg';
import type { FairTurns } from '../../work/fair-turns.ts';
import { NoConnectionError } from '../database-errors.ts';
import type { Limits } from './limits.ts';
import { currentBudget, leftMs } from './request-budget.ts';
import type { Session } from './session.ts';

/** Kysely dialect that enforces the limits of its connections even behind a pooler. */
export class BoundedDialect extends PostgresDialect {
  readonly #pool: PostgresPool;
  readonly #session: Session;
  readonly #limits: Limits;

  constructor(pool: PostgresPool, session: Session, limits: Limits) {
    super({ pool });
    this.#pool = pool;
    this.#session = session;
    this.#limits = limits;
  }

  override createDriver(): PostgresDriver {
    return new BoundedDriver(this.#pool, this.#session, this.#limits);
  }
}

class BoundedDriver extends PostgresDriver {
  readonly #session: Session;
  readonly #limits: Limits;

  constructor(pool: PostgresPool, session: Session, limits: Limits) {
    super({ pool });
    this.#session = session;
    this.#limits = limits;
  }

  /** Set the limits in the transaction, because a connection behind a pooler can't have its own settings. */
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    await super.beginTransaction(connection, settings);
    if (!this.#session.isPooled) return;
    const { lockMs, statementMs, idleInTransactionMs } = this.#limits;
    await connection.executeQuery(
      CompiledQuery.raw(
        `select set_config('lock_timeout', '${lockMs}', true),
                set_config('statement_timeout', '${statementMs}', true),
                set_config('idle_in_transaction_session_timeout', '${idleInTransactionMs}', true)`,
      ),
    );
  }

  /**
   * Ignore a failed rollback, so that the caller gets the original error. Closing the connection rolls back as well.
   */
  override async rollbackTransaction(
    ...args: Parameters<PostgresDriver['rollbackTransaction']>
  ): Promise<void> {
    await super.rollbackTransaction(...args).catch(() => undefined);
  }
}

/** Wraps a pool so that tenants take turns using its connections. Work outside of requests doesn't wait its turn. */
export function fairPool(pool: pg.Pool, turns: FairTurns, waitMs: number): PostgresPool {
  return {
    async connect(): Promise<PostgresPoolClient> {
      const budget = currentBudget();
      if (budget === null) return (await pool.connect()) as unknown as PostgresPoolClient;
      const { tenant } = budget;
      if (!(await turns.take(tenant, Math.min(waitMs, leftMs())))) throw new NoConnectionError();
      try {
        const client = await pool.connect();
        const { release } = client;
        client.release = (error) => {
          turns.giveBack(tenant);
          release(error);
        };
        return client as unknown as PostgresPoolClient;
      } catch (error) {
        turns.giveBack(tenant);
        throw error;
      }
    },
    end: () => pool.end(),
    options: pool.options,
  };
}
