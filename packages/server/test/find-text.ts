import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';

/**
 * Searches every row of every table for a text, as a search in a plain dump would. Also finds the text in columns with
 * bytes.
 * @returns the tables that contain it, with the first row that does
 */
export async function findText(connection: pg.ClientConfig, text: string): Promise<string[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
    );
    if (tables.length < 100) throw new Error(`only ${tables.length} tables were found`);
    const found: string[] = [];
    const inJson = JSON.stringify(text).slice(1, -1);
    const forms = [text, inJson, ...[text, inJson].map((form) => Buffer.from(form).toString('hex'))];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `select t::text as row
         from ${client.escapeIdentifier(name)} t
         where exists (
           select 1
           from jsonb_each_text(to_jsonb(t)) c, unnest($1::text[]) as sought (form)
           where strpos(c.value, form) > 0)
         limit 1`,
        [forms],
      );
      found.push(...rows.map(({ row }) => `${name}: ${row}`));
    }
    return found;
  } finally {
    await client.end();
  }
}

/** Returns a query for everything about money, to compare before and after a change that must not move any. */
export const allMoney: RawBuilder<Record<string, unknown>> = sql`
  select (select jsonb_agg(to_jsonb(e) order by e.publisher_id, e.subject_id, e.kind) from ledger_entry e) as entries,
         (select jsonb_agg(to_jsonb(b) order by b.publisher_id, b.membership_id, b.currency) from member_balance b) as balances,
         (select jsonb_agg(to_jsonb(r) - 'code' order by (to_jsonb(r) - 'code')::text) from earning_rollup r) as rollups,
         (select jsonb_agg(to_jsonb(a) - 'player_id' - 'player_name' - 'metrics' - 'code' order by a.attribution_id) from attribution a) as rows`;
