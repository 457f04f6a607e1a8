import type pg from 'pg';

const rights = ['select', 'insert', 'update', 'delete'] as const;
type Right = (typeof rights)[number];

/**
 * Rights that the service's role must not have, by table. `attribution migrate` enforces this list, and `doctor` and
 * `serve` check it. Otherwise, the role may select, insert, update and delete in every table, but may not truncate or
 * alter any. The owner of the tables revokes the same rights from itself, except on its bookkeeping tables, so that
 * financial records can be changed only after a deliberate grant.
 */
export const forbiddenRights: Readonly<Record<string, readonly Right[]>> = {
  attribution: ['delete'],
  payment: ['delete'],
  payout_batch: ['delete'],
  payout_number: ['delete'],
  payout_item: ['update', 'delete'],
  payout_result: ['update', 'delete'],
  payout_return: ['delete'],
  payout_reduction: ['update', 'delete'],
  pay_run: ['delete'],
  pay_run_line: ['delete'],
  clawback: ['delete'],
  reward_payment: ['delete'],
  member_balance: ['delete'],
  earning_rollup: ['delete'],
  group_rollup: ['delete'],
  transaction_count: ['delete'],
  bounty_completion: ['delete'],
  progress_reward: ['delete'],
  membership: ['delete'],
  group_terms: ['update', 'delete'],
  creator_application: ['delete'],
  terms_acceptance: ['update', 'delete'],
  bounty_objective: ['delete'],
  refund_record: ['update', 'delete'],
  purchase_refund: ['update', 'delete'],
  purchase_reinstatement: ['update', 'delete'],
  reinstatement: ['update', 'delete'],
  reinstatement_adjustment: ['delete'],
  payment_hold: ['update', 'delete'],
  payment_hold_release: ['update', 'delete'],
  payee_gate: ['update', 'delete'],
  payee_gate_end: ['update', 'delete'],
  ledger_entry: ['update', 'delete'],
  posting: ['update', 'delete'],
  statement: ['update', 'delete'],
  statement_progress: ['delete'],
  payee_settings: ['delete'],
  payee_method: ['delete'],
  clock_move: ['update', 'delete'],
  audit_entry: ['update', 'delete'],
  schema_migration: ['insert', 'update', 'delete'],
};

const counted = ['row_count', 'gross_minor', 'share_minor'];
const reversed = ['reversed_count', 'reversed_gross_minor', 'reversed_share_minor'];
const byStatus = ['all_count', 'test_count', 'refund_count', 'fraud_count', 'chargeback_count'];

/**
 * Columns that the service updates in tables with financial records. If the service's role isn't the owner, it may
 * update only these columns, because a purchase and its share are written once. A function that runs with the owner's
 * rights updates the totals of a payout that is being filled.
 */
export const updatedColumns: Readonly<Record<string, readonly string[]>> = {
  attribution: ['status', 'player_id', 'player_name', 'metrics', 'code'],
  payment: [
    ...['is_fraud', 'payout_batch_id', 'payable_at', 'reversed_at', 'has_holds'],
    ...['subtotal_minor', 'refunded_minor', 'reversed_minor', 'part_at', 'reinstated_at'],
  ],
  payout_batch: [
    ...['status', 'cancelled_at', 'worked_until', 'was_undone'],
    ...['paid_at', 'paid_by_kind', 'paid_by_id', 'paid_by_name'],
  ],
  payout_number: ['last_number'],
  pay_run: ['ended_at', 'lease_id', 'worked_until', 'attempts'],
  pay_run_line: [
    ...['total_minor', 'is_exact', 'requested_by_kind', 'requested_by_id', 'requested_by_name'],
    ...['payout_batch_id', 'failure_code', 'failure_message', 'payout_change'],
  ],
  clawback: ['payout_batch_id', 'payable_at'],
  payout_return: ['payout_batch_id', 'payable_at'],
  reinstatement_adjustment: ['payout_batch_id', 'payable_at'],
  reward_payment: ['payout_batch_id', 'payable_at'],
  payee_method: [
    ...[
      'sealed',
      'hint',
      'fingerprint',
      'usable_from',
      'approved_at',
      'approved_by_kind',
      'approved_by_id',
      'approved_by_name',
    ],
    ...['ended_at', 'ended_reason', 'ended_by_kind', 'ended_by_id', 'ended_by_name'],
  ],
  member_balance: ['balance_minor', 'unpaid_from'],
  earning_rollup: ['code', ...counted, ...reversed, ...byStatus, 'part_count'],
  group_rollup: [...counted, ...reversed],
  transaction_count: byStatus,
  bounty_completion: ['progress_id', 'number'],
  progress_reward: ['reward_completed', 'reward_reference_id'],
};

/** Append-only tables. Changing one of their rows would alter earned or paid amounts, or the audit log. */
export const appendOnly: readonly string[] = [
  ...['refund_record', 'purchase_refund', 'purchase_reinstatement', 'reinstatement'],
  ...['payment_hold', 'payment_hold_release', 'payee_gate', 'payee_gate_end'],
  ...['ledger_entry', 'posting', 'payout_result', 'payout_reduction', 'statement', 'audit_entry'],
];

const bookkeeping = 'schema_migration';

/**
 * Function that adds to the totals of payouts. With Citus, it runs as its caller, which has the necessary
 * rights on the table there.
 */
export const addToPayouts = 'add_to_payouts(text,uuid[],numeric[],integer[],bigint[])';

/**
 * Functions that run with the owner's rights and that only the service's role may call. The service's role
 * can't create or drop tables, so the first functions create and drop daily partitions for it. The service's
 * role can't update the totals of payouts or the audit log either, so other functions add to the totals, and replace
 * what names an erased creator.
 */
const functionsOfService: readonly string[] = [
  'day_partitions(text)',
  'make_day_partitions(text, integer)',
  'drop_day_partitions(text, date)',
  'drop_webhook_days(date)',
  'without_texts(jsonb, text[])',
  'redact_audit(text, uuid[], text, text[], uuid, text, text, text)',
  addToPayouts,
];

export interface FunctionRights {
  /** Signature in SQL, including the schema. */
  signature: string;
  owner: string;
  /** True if the role may execute the function. */
  isExecuted: boolean;
  /** True if every role may execute the function. */
  isPublic: boolean;
  /** True if the function runs as its owner but should run as its caller, or vice versa. */
  isOfWrongRole: boolean;
}

/** Reads the rights of a role, and of `public`, to execute the service's functions. */
export async function readFunctionRights(client: pg.ClientBase, role: string): Promise<FunctionRights[]> {
  const { rows } = await client.query<FunctionRights>(
    `select p.oid::regprocedure::text as signature, pg_get_userbyid(p.proowner)::text as owner,
            has_function_privilege($1, p.oid, 'execute') as "isExecuted",
            exists (
              select 1 from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
              where a.grantee = 0 and a.privilege_type = 'EXECUTE'
            ) as "isPublic",
            f.signature = $3
              and p.prosecdef = exists (select 1 from pg_extension where extname = 'citus') as "isOfWrongRole"
     from unnest($2::text[]) as f (signature)
     join pg_proc p on p.oid = to_regprocedure(f.signature)
     where p.proowner = ${tablesOwner}`,
    [role, functionsOfService, addToPayouts],
  );
  return rows;
}

export interface TableRights {
  table: string;
  schema: string;
  owner: string;
  /** Rights that the role has, out of select, insert, update, delete and truncate. */
  held: string[];
  /** Columns that the role may update; null with Citus, where rights are granted on whole tables. */
  updates: string[] | null;
}

/**
 * Reads a role's rights on the service's tables, including grants to `public`, grants to roles that the role is a
 * member of, and grants on individual columns. Rights on partitions aren't read, because partitions are accessed
 * through their tables.
 */
export async function readRights(client: pg.ClientBase, role: string): Promise<TableRights[]> {
  const { rows } = await client.query<TableRights>(
    `select c.relname as table, n.nspname as schema, pg_get_userbyid(c.relowner)::text as owner,
            array(
              select r.name from unnest(array['select', 'insert', 'update', 'delete', 'truncate']) as r (name)
              where case when r.name in ('delete', 'truncate') then has_table_privilege($1, c.oid, r.name)
                         else has_any_column_privilege($1, c.oid, r.name) end
            ) as held,
            case when not exists (select 1 from pg_extension where extname = 'citus') then array(
              select a.attname::text from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                and has_column_privilege($1, c.oid, a.attnum, 'update')
              order by a.attnum
            ) end as updates
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = ${tablesSchema} and c.relowner = ${tablesOwner}
     order by c.relname`,
    [role],
  );
  return rows;
}

const tablesSchema = `(select relnamespace from pg_class where oid = to_regclass('${bookkeeping}'))`;
const tablesOwner = `(select relowner from pg_class where oid = to_regclass('${bookkeeping}'))`;

export interface WrongRights {
  table: string;
  schema: string;
  excess: string[];
  lacking: string[];
  /** Columns that the role can update but must not, and columns that it must be able to update but can't. */
  columns: { excess: string[]; lacking: string[] };
}

/**
 * Compares a role's actual rights with those it should have.
 * @param isOwner true for the owner of the tables, which writes to its own bookkeeping tables
 */
export function wrongRights(found: readonly TableRights[], isOwner: boolean): WrongRights[] {
  return found.flatMap(({ table, schema, held, updates }) => {
    const listed: readonly string[] = forbiddenRights[table] ?? [];
    const isUnrestricted = isOwner && (table === bookkeeping || listed.length === 0);
    const forbidden = isUnrestricted ? [] : [...listed, 'truncate'];
    const columns = isOwner || updates === null ? noColumns : wrongColumns(table, updates);
    const isByColumn = !isOwner && updates !== null && updatedColumns[table] !== undefined;
    const excess = held.filter((right) => forbidden.includes(right));
    const lacking = rights.filter(
      (right) => !forbidden.includes(right) && !held.includes(right) && !(isByColumn && right === 'update'),
    );
    const wrong = [excess, lacking, columns.excess, columns.lacking];
    return wrong.every(({ length }) => length === 0) ? [] : [{ table, schema, excess, lacking, columns }];
  });
}

const noColumns: WrongRights['columns'] = { excess: [], lacking: [] };

function wrongColumns(table: string, updates: readonly string[]): WrongRights['columns'] {
  const wanted = updatedColumns[table];
  if (wanted === undefined) return noColumns;
  return {
    excess: updates.filter((column) => !wanted.includes(column)),
    lacking: wanted.filter((column) => !updates.includes(column)),
  };
}
