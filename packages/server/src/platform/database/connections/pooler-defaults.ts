import type pg from 'pg';
import { OperatorError } from '../../operator-error.ts';
import type { Cancellable } from './cancel-query.ts';
import { reliedOn } from './session.ts';

/** A default of database or role that counts behind a pooler, where connections set nothing for themselves. */
export interface PoolerDefault {
  /** The setting and its value, in words. */
  found: string;
  /** The statement that mends it. */
  mend: string;
  /** True when the service cannot work with it; false when it only lacks limits. */
  isWrong: boolean;
}

/** Limits below these would cut off what is all right; without any, what was given up goes on in the database. */
const limits: Readonly<Record<string, { leastMs: number; wanted: string }>> = {
  lock_timeout: { leastMs: 1_000, wanted: "'10s'" },
  statement_timeout: { leastMs: 4_000, wanted: "'60s'" },
  client_connection_check_interval: { leastMs: 1, wanted: "'1s'" },
};

/** @returns what should be another default; null when there is no pooler */
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

/** @throws OperatorError when a pooler's connections have defaults that the service cannot work with */
export async function refuseWrongDefaults(client: pg.ClientBase): Promise<void> {
  const wrong = (await defaultsBehindPooler(client))?.filter(({ isWrong }) => isWrong) ?? [];
  if (wrong.length > 0) throw new OperatorError(poolerWords(wrong));
}

export const poolerWords = (defaults: readonly PoolerDefault[]): string =>
  `Behind a pooler a connection has the defaults of its database and role, and ${defaults.map(({ found }) => found).join(', ')}. ` +
  `Run this, and make the pooler connect anew: ${defaults.map(({ mend }) => `${mend};`).join(' ')}`;

function judge(name: string, value: string, role: string): PoolerDefault[] {
  const limit = limits[name];
  if (limit !== undefined) {
    if (Number(value) >= limit.leastMs) return [];
    const isWrong = value !== '0';
    const found = isWrong ? `${name} is ${value} ms` : `${name} is off`;
    return [{ found, mend: `alter role ${role} set ${name} = ${limit.wanted}`, isWrong }];
  }
  const relied = reliedOn[name as keyof typeof reliedOn];
  if (isHarmless(name, value) || value === relied) return [];
  const words = relied.split(', ').map((word) => `'${word}'`);
  return [
    {
      found: `${name} is ${value}`,
      mend: `alter role ${role} set ${name} = ${words.join(', ')}`,
      isWrong: true,
    },
  ];
}

/** Returns true for settings under which values name their offset, are in ISO order and have all their digits. */
function isHarmless(name: string, value: string): boolean {
  if (name === 'TimeZone') return true;
  if (name === 'DateStyle') return value.startsWith('ISO');
  return name === 'extra_float_digits' && Number(value) >= 1;
}
