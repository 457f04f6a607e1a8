import type { ColumnType, Selectable, Transaction } from 'kysely';
import type { Tables } from './tables.generated.ts';

/**
 * Tables, or single columns, whose changes increment a program's version. They may only be written in a
 * `changingProgram` transaction.
 */
export const programTables = {
  creator_account: 'all',
  creator_group: 'all',
  creator_identity: 'all',
  global_code: 'all',
  group_code: 'all',
  membership: 'all',
  // All columns except the columns about events sent to publishers.
  scheduled_share: ['starts_at', 'ends_at', 'share_millionths', 'deleted_at'],
  scheduled_tier_share: 'all',
  sku_share: 'all',
  tier: 'all',
  // Recording reads the endpoints' existence and event kinds, but not their secrets or health.
  webhook_endpoint: ['event_kinds'],
} as const satisfies { readonly [Table in keyof Tables]?: 'all' | readonly (keyof Tables[Table])[] };

type ProgramTables = typeof programTables;

/** A table's guarded columns, which only a `changingProgram` transaction may write. */
type Guarded<Table extends keyof Tables> = Table extends keyof ProgramTables
  ? ProgramTables[Table] extends readonly (infer Column)[]
    ? Column
    : keyof Tables[Table]
  : never;

declare const inProgramTx: unique symbol;

/** Type that no value has. A guarded column can therefore be written only with a ProgramTx. */
interface NeedsProgramTx {
  readonly [inProgramTx]: true;
}

/** Tables as most code sees them: the tables of `programTables` can be read but not written. */
export type OpenTables = {
  [Table in keyof Tables]: {
    [Column in keyof Tables[Table]]: Column extends Guarded<Table> & keyof Selectable<Tables[Table]>
      ? ColumnType<Selectable<Tables[Table]>[Column], NeedsProgramTx, NeedsProgramTx>
      : Tables[Table][Column];
  };
};

export type ProgramWriter = Pick<Transaction<Tables>, 'insertInto' | 'updateTable' | 'deleteFrom'>;
