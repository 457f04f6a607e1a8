import type pg from 'pg';
import { OperatorError } from '../operator-error.ts';
import type { Cancellable } from './cancel-query.ts';
import type { Limits } from './limits.ts';

/** What is known of the way to the database. */
export interface Session {
  /** Whether a pooler stands between: settings of a connection would become somebody else's. */
  isPooled: boolean;
}

/** What our statements rely on, whatever a database's or a role's defaults are. */
const reliedOn = {
  DateStyle: 'ISO, MDY',
  TimeZone: 'UTC',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  extra_float_digits: '1',
} as const;

/** How often the server looks, during a statement, whether who asked is still there. */
const lookForClientMs = 1_000;

/**
 * Makes a new connection independent of the defaults of database and role, and sets its limits. Behind a pooler,
 * which is known by its telling another process than the one that answers, nothing is set.
 */
export async function prepareSession(client: pg.ClientBase, session: Session, limits: Limits): Promise<void> {
  const { processID } = client as unknown as Cancellable;
  const settings = Object.entries({
    ...reliedOn,
    lock_timeout: limits.lockMs,
    statement_timeout: limits.statementMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
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

/** What `problemsBehindPooler` found, and the statement that mends it. */
export interface SessionProblem {
  name: string;
  value: string;
  mend: string;
}

/** Behind a pooler the defaults of the role are what counts. @returns those that the service cannot work with */
export async function problemsBehindPooler(client: pg.ClientBase): Promise<SessionProblem[]> {
  const { processID } = client as unknown as Cancellable;
  const { rows } = await client.query<{ pid: number; role: string; name: string; value: string }>(
    `select pg_backend_pid() as pid, quote_ident(current_user) as role, name, setting as value
     from pg_settings
     where name = any($1)
     order by name`,
    [[...Object.keys(reliedOn), ...Object.keys(shortestMs)]],
  );
  if (rows[0]?.pid === processID) return [];
  return rows
    .filter(({ name, value }) => !suits(name, value))
    .map(({ role, name, value }) => ({
      name,
      value,
      mend: `alter role ${role} set ${name} = ${wanted(name)}`,
    }));
}

/** @throws OperatorError when a pooler's connections have defaults that the service cannot work with */
export async function refuseWrongDefaults(client: pg.ClientBase): Promise<void> {
  const problems = await problemsBehindPooler(client);
  if (problems.length > 0) throw new OperatorError(wrongDefaults(problems));
}

export const wrongDefaults = (problems: readonly SessionProblem[]): string =>
  `Behind a pooler a connection has the defaults of its role, and ${problems
    .map(({ name, value }) => `${name} is ${value}`)
    .join(', ')}. Run, and make the pooler connect anew: ${problems.map(({ mend }) => `${mend};`).join(' ')}`;

/** Limits below these would cut off what is all right. */
const shortestMs = { lock_timeout: 1_000, statement_timeout: 4_000 } as const;

function wanted(name: string): string {
  if (name in shortestMs) return "'60s'";
  const value = reliedOn[name as keyof typeof reliedOn];
  return value
    .split(', ')
    .map((word) => `'${word}'`)
    .join(', ');
}

/** What only reading is sensitive to, and how finely. */
function suits(name: string, value: string): boolean {
  switch (name) {
    case 'DateStyle':
      return value.startsWith('ISO');
    case 'TimeZone':
      return true; // nothing we send or read leaves its offset out
    case 'extra_float_digits':
      return Number(value) >= 1;
    case 'lock_timeout':
    case 'statement_timeout':
      return value === '0' || Number(value) >= shortestMs[name];
    default:
      return value === reliedOn[name as keyof typeof reliedOn];
  }
}
