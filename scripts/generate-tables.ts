import type pg from 'pg';

const typeOf: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'Date',
  int2: 'number',
  int4: 'number',
  int8: 'bigint',
  json: 'Json',
  jsonb: 'Json',
  numeric: 'string',
  text: 'string',
  _int8: 'string[]', // always read with a cast
  _text: 'string[]',
  _uuid: 'string[]',
  timestamptz: 'Date',
  uuid: 'string',
};

/** Ids that each have their own type, so that they cannot be mixed up. */
const branded = [
  'account_id',
  'attribution_id',
  'bounty_id',
  'completion_id',
  'endpoint_id',
  'event_id',
  'gate_id',
  'hold_id',
  'key_id',
  'membership_id',
  'note_id',
  'objective_id',
  'pay_run_id',
  'payee_method_id',
  'payout_batch_id',
  'payout_item_id',
  'posting_id',
  'progress_id',
  'progress_reward_id',
  'recording_id',
  'refund_id',
  'reinstatement_id',
  'reward_id',
  'schedule_id',
  'statement_id',
  'tag_id',
  'tier_id',
  'verification_id',
  'view_id',
  'worker_id',
];

/** Columns that contain such an id under another name. */
const otherNames: Readonly<Record<string, string>> = {
  batch_id: 'payout_batch_id',
  from_batch_id: 'payout_batch_id',
  claimed_by: 'account_id',
  item_id: 'payout_item_id',
  merged_into: 'membership_id',
  method_id: 'payee_method_id',
  requires_id: 'bounty_id',
  row_id: 'attribution_id',
};

/**
 * Columns that contain a different id than their name suggests, such as a publisher's event id or a
 * provider's account id.
 */
const unbranded: readonly string[] = ['bounty_event.event_id', 'staff_account.account_id'];

interface Column {
  table_name: string;
  column_name: string;
  udt_name: string;
  is_nullable: 'YES' | 'NO';
  has_default: boolean;
}

/** Generates the TypeScript types of a migrated database's tables, for Kysely. */
export async function generateTables(client: pg.Client): Promise<string> {
  const { rows } = await client.query<Column>(`
    select table_name, column_name, udt_name, is_nullable, column_default is not null as has_default
    from information_schema.columns
    where table_schema = 'public'
      -- Partitions are read and written through their table.
      and not exists (select 1 from pg_class c
                      where c.oid = format('%I.%I', table_schema, table_name)::regclass and c.relispartition)
    order by table_name, ordinal_position`);
  const tables = Map.groupBy(rows, ({ table_name }) => table_name);
  const interfaces = [...tables].map(
    ([name, columns]) => `export interface ${pascalCase(name)} {\n${columns.map(property).join('')}}\n`,
  );
  const brands = branded.map(
    (name) => `export type ${pascalCase(name)} = string & { readonly [brand]: '${pascalCase(name)}' };\n`,
  );
  const index = [...tables.keys()].map((name) => `  ${name}: ${pascalCase(name)};\n`).join('');
  return `// Generated from the migrations by \`npm run generate\`. Do not edit.
import type { Generated } from 'kysely';

type Json = unknown;

declare const brand: unique symbol;
${brands.join('')}
${interfaces.join('\n')}
export interface Tables {
${index}}
`;
}

function property({ table_name, column_name, udt_name, is_nullable, has_default }: Column): string {
  const type = brandOf(table_name, column_name) ?? typeOf[udt_name];
  if (type === undefined) throw new Error(`no TypeScript type for PostgreSQL's ${udt_name} (${column_name})`);
  const nullable = is_nullable === 'YES' ? `${type} | null` : type;
  return `  ${column_name}: ${has_default ? `Generated<${nullable}>` : nullable};\n`;
}

/** @returns the type of an id column by its name; undefined if it has no type of its own */
function brandOf(table: string, column: string): string | undefined {
  const one = column.replace(/_ids$/, '_id');
  const name = otherNames[one] ?? one;
  if (!branded.includes(name) || unbranded.includes(`${table}.${column}`)) return undefined;
  return one === column ? pascalCase(name) : `${pascalCase(name)}[]`;
}

const pascalCase = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
