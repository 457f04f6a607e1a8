import { personalData } from '../personal-data.ts';
import { inCreatorFile, lists } from '../register/entry.ts';

/** Table whose rows about a creator are in the creator's file. */
export interface FileTable {
  table: string;
  /** Column that leads from the creator to the rows. */
  by: 'account_id' | 'membership_id' | 'user_id';
  /** Columns that order the rows of one creator, with their types. They are unique for the creator. */
  order: readonly (readonly [column: string, type: string])[];
}

/** Tables about a person's sign-in. */
export const personTables: readonly FileTable[] = [
  { table: 'portal_user', by: 'user_id', order: [['user_id', 'text']] },
  { table: 'portal_email', by: 'user_id', order: [['email', 'text']] },
  { table: 'portal_session', by: 'user_id', order: [['session_id', 'text']] },
  { table: 'portal_provider_account', by: 'user_id', order: [['sign_in_method_id', 'text']] },
  { table: 'portal_passkey', by: 'user_id', order: [['sign_in_method_id', 'text']] },
  { table: 'portal_user_account', by: 'user_id', order: [['account_id', 'text']] },
  { table: 'erasure_request', by: 'user_id', order: [['user_id', 'text']] },
  { table: 'stream_alert', by: 'user_id', order: [['publisher_id', 'text']] },
];

/** Tables about an account at all publishers. */
export const accountTables: readonly FileTable[] = [
  { table: 'creator_account', by: 'account_id', order: [['account_id', 'text']] },
  {
    table: 'creator_identity',
    by: 'account_id',
    order: [
      ['provider', 'text'],
      ['provider_account_id', 'text'],
    ],
  },
  { table: 'global_code', by: 'account_id', order: [['code_folded', 'text']] },
];

/** Tables about an account at one publisher. */
export const publisherTables: readonly FileTable[] = [
  { table: 'payee_method', by: 'account_id', order: [['method_id', 'uuid']] },
  { table: 'payment_hold', by: 'account_id', order: [['hold_id', 'uuid']] },
  { table: 'payee_gate', by: 'account_id', order: [['gate_id', 'uuid']] },
  { table: 'portal_invitation', by: 'account_id', order: [['created_at', 'timestamptz']] },
  {
    table: 'terms_acceptance',
    by: 'account_id',
    order: [
      ['group_id', 'text'],
      ['version', 'integer'],
    ],
  },
];

/** Tables about a membership, which belongs to one publisher. */
export const membershipTables: readonly FileTable[] = [
  { table: 'membership', by: 'membership_id', order: [['membership_id', 'uuid']] },
  {
    table: 'former_player',
    by: 'membership_id',
    order: [
      ['group_id', 'text'],
      ['player_id', 'text'],
    ],
  },
  { table: 'creator_application', by: 'membership_id', order: [['application_id', 'uuid']] },
  {
    table: 'group_code',
    by: 'membership_id',
    order: [
      ['group_id', 'text'],
      ['code_folded', 'text'],
    ],
  },
  { table: 'member_balance', by: 'membership_id', order: [['currency', 'text']] },
  {
    table: 'statement',
    by: 'membership_id',
    order: [
      ['month', 'date'],
      ['currency', 'text'],
    ],
  },
  { table: 'payout_item', by: 'membership_id', order: [['item_id', 'uuid']] },
  { table: 'reward_payment', by: 'membership_id', order: [['progress_reward_id', 'uuid']] },
  { table: 'bounty_progress', by: 'membership_id', order: [['progress_id', 'uuid']] },
  {
    table: 'earning_rollup',
    by: 'membership_id',
    order: [
      ['day', 'date'],
      ['code', 'text'],
      ['currency', 'text'],
    ],
  },
  {
    table: 'ledger_entry',
    by: 'membership_id',
    order: [
      ['currency', 'text'],
      ['subject_id', 'uuid'],
      ['kind', 'text'],
    ],
  },
  {
    table: 'attribution',
    by: 'membership_id',
    order: [
      ['transaction_date', 'timestamptz'],
      ['attribution_id', 'uuid'],
    ],
  },
];

/**
 * Returns the columns of a table that the file contains: those without personal data, ids, and the creator's own. Columns with
 * buyers, staff, secrets and the publisher's texts are left out.
 */
export function columnsInFile(table: string): string[] {
  const registered = personalData[table];
  if (registered === undefined) throw new Error(`${table} is not in the register of personal data`);
  const { none, ids } = lists(registered);
  const own = Object.entries(registered.columns ?? {})
    .filter(([, { exported }]) => exported === inCreatorFile)
    .map(([column]) => column);
  return [...none, ...ids, ...own];
}
