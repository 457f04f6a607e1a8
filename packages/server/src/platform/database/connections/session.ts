import type pg from 'pg';
import type { Cancellable } from './cancel-query.ts';
import type { Limits } from './limits.ts';

/** Properties of the connection to the database. */
export interface Session {
  /** To a replica: should somebody promote it, nothing is written there all the same. */
  readonly isReadOnly?: boolean;
  /** True when a pooler stands between: a connection's settings would reach other clients. */
  isPooled: boolean;
}

/** Settings that our statements rely on, whatever the defaults of database and role are. */
export const reliedOn = {
  DateStyle: 'ISO, MDY',
  TimeZone: 'UTC',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  extra_float_digits: '1',
} as const;

/** Interval at which the server checks, during a statement, that its client is still connected. */
const lookForClientMs = 5_000;

/**
 * Makes a new connection independent of the defaults of database and role, and sets its limits. Behind a pooler,
 * which is known by its telling another process than the one that answers, nothing is set.
 */
export async function prepareSession(client: pg.ClientBase, session: Session, limits: Limits): Promise<void> {
  const { processID } = client as unknown as Cancellable;
  const settings = Object.entries({
    ...reliedOn,
    jit: 'off', // compiling a query only ever takes longer: what is read is read by key
    lock_timeout: limits.lockMs,
    statement_timeout: limits.statementMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    ...(session.isReadOnly && { default_transaction_read_only: 'on' }),
  });
  const { rows } = await client.query<{ is_direct: boolean }>(
    `select pg_backend_pid() = ${Number(processID)} as is_direct,
            case when pg_backend_pid() = ${Number(processID)} then
              (select count(set_config(name, value, false)) from (values ${settings
                .map(([name, value]) => `('${name}', '${value}')`)
                .join(', ')}) as s (name, value))
            end`,
  );
  session.isPooled = rows[0]?.is_direct !== true;
  // Not every system that PostgreSQL runs on can look.
  if (!session.isPooled)
    await client.query(`set client_connection_check_interval = ${lookForClientMs}`).catch(() => undefined);
}
