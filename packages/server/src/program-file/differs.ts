import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a row has other values than these in some column, so that what is as it should be is not written again.
 * @param json texts of JSON that were stored as such
 */
export function differs(
  table: string,
  values: Readonly<Record<string, unknown>>,
  json: Readonly<Record<string, string | undefined>> = {},
): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const conditions = [
    ...Object.entries(values).map(([name, value]) => sql`${column(name)} is distinct from ${value}`),
    ...Object.entries(json)
      .filter(([, text]) => text !== undefined)
      .map(([name, text]) => sql`${column(name)}::text is distinct from ${text}`), // it has no equality of its own
  ];
  return sql`(${sql.join(conditions, sql` or `)})`;
}
