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
  /** Maximum lag at which the replica is still used. */
  maxAgeMs: number;
  /** True if lists of purchases are read from the replica, in addition to totals and exports. */
  servesLists: boolean;
  /** Called with a message when the service stops or resumes using the replica. */
  onChange: (message: string) => void;
}

export interface Replica {
  state(): ReplicaState;
  ageMs(): number | null;
  seenAtMs(): number;
  /** Returns how many of this process's statements each database has run. */
  counts(): Readonly<Record<ReadFrom, number>>;
}

export interface OpenReplica extends Replica {
  readonly reports: Kysely<OpenTables>;
  close(): Promise<void>;
}

interface Primary {
  driver: Driver;
  readiness: pg.Pool;
  applicationName: string;
  poolSize: number;
  maxWaiting: number;
  limits: Limits;
}

/** Starts checking the replica, which is used as soon as a check shows that it is keeping up. */
export function openReplica(
  { connection, maxAgeMs, onChange }: ReplicaOptions,
  { driver, readiness, applicationName, poolSize, maxWaiting, limits }: Primary,
): OpenReplica {
  const session: Session = { isPooled: false, isReadOnly: true };
  const pools = openPools({ connection, session, applicationName });
  const turns = new FairTurns({ maxRunning: poolSize, maxWaiting });
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
