import type pg from 'pg';
import { OperatorError } from '../../operator-error.ts';
import type { Cancellable } from './cancel-query.ts';
import { reliedOn } from './session.ts';

/**
 * Unsuitable default setting of a database or role. It takes effect behind a pooler, where the service doesn't change
 * connection settings.
 */
export interface PoolerDefault {
  /** Setting and value, as shown in a message. */
  found: string;
  fix: string;
  /** True if the service can't work with this default; false if only a limit is missing. */
  isWrong: boolean;
}

/**
 * Minimum useful limits. Shorter ones would cancel healthy statements. Without limits, abandoned statements would keep
 * running.
 */
const limits: Readonly<Record<string, { minMs: number; wanted: string }>> = {
  lock_timeout: { minMs: 1_000, wanted: "'10s'" },
  statement_timeout: { minMs: 4_000, wanted: "'60s'" },
  client_connection_check_interval: { minMs: 1, wanted: "'1s'" },
};

/** @returns null if there is no pooler */
export async function defaultsBehindPooler(client: pg.ClientBase): Promise<PoolerDefault[] | null> {
  const { processID } = client as unknown as Cancellable;
  const { rows } = await client.query<{ pid: number; role: string; name: string; value: string }>(
    `select pg_backend_pid() as pid, quote_ident(current_user) as role, name, setting as value
     from pg_settings
     where name = any($1)
     order by name`,
    [[...Object.keys(reliedOn), ...Object.keys(limits)]],
  );
  if (rows[0]?.pid === processID) return null;
  return rows.flatMap(({ role, name, value }) => judge(name, value, role));
}

/** @throws OperatorError if the service can't work with the defaults */
export async function refuseWrongDefaults(client: pg.ClientBase): Promise<void> {
  const wrong = (await defaultsBehindPooler(client))?.filter(({ isWrong }) => isWrong) ?? [];
  if (wrong.length > 0) throw new OperatorError(describePoolerDefaults(wrong));
}

export const describePoolerDefaults = (defaults: readonly PoolerDefault[]): string =>
  `Behind a pooler, connections use the defaults of the database and role, and ${defaults.map(({ found }) => found).join(', ')}. ` +
  `Run these statements, then make the pooler reconnect: ${defaults.map(({ fix }) => `${fix};`).join(' ')}`;

function judge(name: string, value: string, role: string): PoolerDefault[] {
  const limit = limits[name];
  if (limit !== undefined) {
    if (Number(value) >= limit.minMs) return [];
    const isWrong = value !== '0';
    const found = isWrong ? `${name} is ${value} ms` : `${name} is off`;
    return [{ found, fix: `alter role ${role} set ${name} = ${limit.wanted}`, isWrong }];
  }
  const relied = reliedOn[name as keyof typeof reliedOn];
  if (isHarmless(name, value) || value === relied) return [];
  const words = relied.split(', ').map((word) => `'${word}'`);
  return [
    {
      found: `${name} is ${value}`,
      fix: `alter role ${role} set ${name} = ${words.join(', ')}`,
      isWrong: true,
    },
  ];
}

/**
 * Returns whether a setting's value still renders times in ISO order with an offset, and numbers with all their
 * digits.
 */
function isHarmless(name: string, value: string): boolean {
  if (name === 'TimeZone') return true;
  if (name === 'DateStyle') return value.startsWith('ISO');
  return name === 'extra_float_digits' && Number(value) >= 1;
}
