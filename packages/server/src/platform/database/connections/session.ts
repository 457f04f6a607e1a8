import type pg from 'pg';
import type { Cancellable } from './cancel-query.ts';
import type { Limits } from './limits.ts';

export interface Session {
  /** True for a replica, which must not be written to even after a promotion. */
  readonly isReadOnly?: boolean;
  /** True behind a pooler, where a connection's settings would affect other clients. */
  isPooled: boolean;
}

/** Settings that our statements rely on. The database's and role's defaults may differ. */
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

/** Interval at which the server checks that its client is still connected during a statement. */
const clientCheckMs = 5_000;

/**
 * Makes a new connection independent of the defaults of the database and role, and sets its limits. Behind a
 * pooler, no settings are changed. A pooler is in use if the process id reported when the connection started
 * differs from the id of the process that runs the query.
 */
export async function prepareSession(client: pg.ClientBase, session: Session, limits: Limits): Promise<void> {
  const { processID } = client as unknown as Cancellable;
  const settings = Object.entries({
    ...reliedOn,
    jit: 'off', // queries look up rows by key, so JIT compilation only costs time
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
  // Not all platforms that PostgreSQL runs on support this setting.
  if (!session.isPooled)
    await client.query(`set client_connection_check_interval = ${clientCheckMs}`).catch(() => undefined);
}
