import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { isCode } from '../read/judge-code.ts';
import { foldCode } from '../read/resolve-codes.ts';

/**
 * State of a code for an applicant. A taken code isn't distinguished from a reserved one, and no one learns who has it.
 * `own`: the applicant already has it.
 */
export const wantedCodeStates = ['free', 'own', 'taken', 'invalid'] as const;
export type WantedCodeState = (typeof wantedCodeStates)[number];

interface WantedCode {
  publisherId: string;
  groupId: string;
  /** Codes that no applicant gets, in lower case. */
  reservedCodes: readonly string[];
  /** Applicant's account; null for one that doesn't exist yet. */
  accountId: AccountId | null;
  /** Code as typed. */
  code: string;
}

/**
 * Judges a code that an applicant wants in a group. It must also differ from all global codes of other creators, because a
 * group code takes precedence over them.
 */
export async function judgeWantedCode(
  db: Db | Tx,
  { publisherId, groupId, reservedCodes, accountId, code }: WantedCode,
): Promise<WantedCodeState> {
  if (!isCode(code)) return 'invalid';
  const folded = foldCode(code);
  const { rows } = await sql<{ account_id: AccountId }>`
    select m.account_id
    from group_code own
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = own.membership_id
    where own.publisher_id = ${publisherId} and own.group_id = ${groupId} and own.code_folded = ${folded}
    union all
    select c.account_id
    from global_code c
    where c.code_folded = ${folded}`.execute(db);
  if (rows.some(({ account_id }) => account_id !== accountId)) return 'taken';
  if (rows.length > 0) return 'own';
  return reservedCodes.includes(folded) ? 'taken' : 'free';
}
