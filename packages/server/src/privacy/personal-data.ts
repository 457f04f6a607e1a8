import { creators } from './register/creators.ts';
import { lists, type PersonalTable } from './register/entry.ts';
import { money } from './register/money.ts';
import { program } from './register/program.ts';
import { purchases } from './register/purchases.ts';
import { staffTables } from './register/staff.ts';

/**
 * Register of personal data: each column of each table, with the person whose data it contains, the way to export it, and
 * the effect of an erasure. `docs/personal-data.md` is generated from it.
 */
export const personalData: Readonly<Record<string, PersonalTable>> = {
  ...purchases,
  ...money,
  ...creators,
  ...staffTables,
  ...program,
};

const actorParts = ['kind', 'id', 'name'] as const;

/** Returns all registered columns of a table. A column that is in several lists is returned as often. */
export function registeredColumns(table: PersonalTable): string[] {
  const { none, ids, actors } = lists(table);
  return [
    ...none,
    ...ids,
    ...actors.flatMap((actor) => actorParts.map((part) => `${actor}_${part}`)),
    ...Object.keys(table.columns ?? {}),
  ];
}
