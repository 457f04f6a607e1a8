import { type Driver, Kysely, type PostgresPool } from 'kysely';
import type pg from 'pg';
import { FairTurns } from '../../work/fair-turns.ts';
import { BoundedDialect, fairPool } from '../connections/fair-dialect.ts';
import { type Limits, readinessLimits } from '../connections/limits.ts';
import { openPools } from '../connections/open-pool.ts';
import type { Session } from '../connections/session.ts';
import type { OpenTables } from '../program-tables.ts';
import { ReadDialect } from './read-driver.ts';
import { type ReadFrom, type ReplicaState, ReplicaWatch } from './replica-watch.ts';

export interface ReplicaOptions {
  connection: pg.ClientConfig;
  /** A replica further behind is not read from. */
  maxAgeMs: number;
  /** True when lists of purchases are read from it too, besides sums and files. */
  servesLists: boolean;
  /** Told when it is read from no longer, and when it is again. */
  onChange: (message: string) => void;
}

/** State of a replica. */
export interface Replica {
  state(): ReplicaState;
  ageMs(): number | null;
  seenAtMs(): number;
  /** Statements of this process, by where they were answered. */
  counts(): Readonly<Record<ReadFrom, number>>;
}

export interface OpenReplica extends Replica {
  readonly reports: Kysely<OpenTables>;
  close(): Promise<void>;
}

interface Primary {
  /** A driver of its own over what requests use. */
  driver: Driver;
  /** Pool that the watch uses. */
  readiness: pg.Pool;
  applicationName: string;
  /** Connections to the replica, as many as requests have to the primary. */
  poolSize: number;
  waitingPlaces: number;
  limits: Limits;
}

/** Begins to look at the replica at once; it is read from when it was found to be near enough. */
export function openReplica(
  { connection, maxAgeMs, onChange }: ReplicaOptions,
  { driver, readiness, applicationName, poolSize, waitingPlaces, limits }: Primary,
): OpenReplica {
  const session: Session = { isPooled: false, isReadOnly: true };
  const pools = openPools({ connection, session, applicationName });
  const turns = new FairTurns({ places: poolSize, waitingPlaces });
  const pool: PostgresPool = fairPool(pools.open(poolSize, limits, true), turns, limits.connectMs);
  const watch = new ReplicaWatch({
    primary: readiness,
    replica: pools.open(1, readinessLimits),
    maxAgeMs,
    onChange,
  });
  const replica = new BoundedDialect(pool, session, limits).createDriver();
  const sides = { primary: driver, replica, watch, statementMs: limits.statementMs };
  watch.start();
  return {
    reports: new Kysely<OpenTables>({ dialect: new ReadDialect({ pool }, sides) }),
    state: () => watch.state(),
    ageMs: () => watch.ageMs(),
    seenAtMs: () => watch.seenAtMs(),
    counts: () => watch.counts(),
    async close() {
      watch.stop();
      await pools.close();
    },
  };
}
