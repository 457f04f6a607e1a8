import type { ColumnType, Selectable, Transaction } from 'kysely';
import type { Tables } from './tables.generated.ts';

/**
 * Tables, or single columns, that move a program's version, and so are written only in a transaction of
 * `changingProgram`.
 */
export const programTables = {
  creator_account: 'all',
  creator_group: 'all',
  creator_identity: 'all',
  global_code: 'all',
  group_code: 'all',
  membership: 'all',
  // All but what publishers were told of it.
  scheduled_share: ['starts_at', 'ends_at', 'share_millionths', 'deleted_at'],
  scheduled_tier_share: 'all',
  sku_share: 'all',
  tier: 'all',
  // What endpoints are told of, and so which there are; recording knows nothing of their secrets and their health.
  webhook_endpoint: ['event_kinds'],
} as const satisfies { readonly [Table in keyof Tables]?: 'all' | readonly (keyof Tables[Table])[] };

type ProgramTables = typeof programTables;

/** The columns of a table that only such a transaction writes. */
type Guarded<Table extends keyof Tables> = Table extends keyof ProgramTables
  ? ProgramTables[Table] extends readonly (infer Column)[]
    ? Column
    : keyof Tables[Table]
  : never;

declare const inProgramTx: unique symbol;

/** Value that cannot be made: it keeps a column from being written here. Take a ProgramTx. */
interface NeedsProgramTx {
  readonly [inProgramTx]: true;
}

/** The tables as everybody has them: what is of the program can be read, and not written. */
export type OpenTables = {
  [Table in keyof Tables]: {
    [Column in keyof Tables[Table]]: Column extends Guarded<Table> & keyof Selectable<Tables[Table]>
      ? ColumnType<Selectable<Tables[Table]>[Column], NeedsProgramTx, NeedsProgramTx>
      : Tables[Table][Column];
  };
};

/** Writer of all these tables. */
export type ProgramWriter = Pick<Transaction<Tables>, 'insertInto' | 'updateTable' | 'deleteFrom'>;
