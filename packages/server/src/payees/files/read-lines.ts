import { sql } from 'kysely';
import { joinMember } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId, PayoutBatchId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { isInNoFile } from '../../settlement/payouts/read/read-without-file.ts';
import { accountDeleted } from '../delete-accounts.ts';
import { type MethodKind, openDestination } from '../destination.ts';
import type { PaymentLine } from './payment-line.ts';

interface PayoutKey {
  publisherId: string;
  batchId: PayoutBatchId;
}

export interface KindTotal {
  kind: MethodKind;
  lineCount: number;
  sumMinor: bigint;
}

/** Counts and adds up the lines of a payout by the kind of method that they are paid with. */
export async function readKindTotals(db: Db, { publisherId, batchId }: PayoutKey): Promise<KindTotal[]> {
  const { rows } = await sql<{ kind: MethodKind; n: bigint; sum: string }>`
    select p.kind, count(*) as n, sum(i.amount_minor)::text as sum
    from payout_item i
    join payee_method p on p.publisher_id = ${publisherId} and p.method_id = i.method_id
    where i.publisher_id = ${publisherId} and i.batch_id = ${batchId}::uuid and not ${isInNoFile(publisherId)}
    group by p.kind
    order by p.kind`.execute(db);
  return rows.map(({ kind, n, sum }) => ({ kind, lineCount: Number(n), sumMinor: BigInt(sum) }));
}

/** Reason why a file can no longer be generated. */
export const fileDeleted = `The file can no longer be generated, because it needs deleted accounts. ${accountDeleted}`;

/** Reads the kinds of those methods of a payout's lines whose accounts were deleted. */
export async function readDeletedKinds(
  db: Db,
  { publisherId, batchId }: PayoutKey,
): Promise<ReadonlySet<MethodKind>> {
  const { rows } = await sql<{ kind: MethodKind }>`
    select distinct p.kind
    from payout_item i
    join payee_method p on p.publisher_id = ${publisherId} and p.method_id = i.method_id
    where i.publisher_id = ${publisherId} and i.batch_id = ${batchId}::uuid and p.sealed is null`.execute(db);
  return new Set(rows.map(({ kind }) => kind));
}

/**
 * Reads a range of a payout's lines that are paid with one kind of method, in the order of their references.
 * @throws Refusal Conflict when the account of one of the lines was deleted
 */
export async function readLines(
  db: Db,
  sealer: Sealer,
  { publisherId, batchId }: PayoutKey,
  { kind, from, count }: { kind: MethodKind; from: number; count: number },
): Promise<PaymentLine[]> {
  const { rows } = await sql<{
    reference: string;
    amount_minor: string;
    account_id: AccountId;
    sealed: string | null;
  }>`
    select i.reference, i.amount_minor, p.account_id, p.sealed
    from payout_item i
    join payee_method p on p.publisher_id = ${publisherId} and p.method_id = i.method_id
    where i.publisher_id = ${publisherId} and i.batch_id = ${batchId}::uuid and p.kind = ${kind} and not ${isInNoFile(publisherId)}
    order by i.membership_id
    offset ${from}
    limit ${count}`.execute(db);
  return rows.map(({ reference, amount_minor, account_id: accountId, sealed }) => {
    if (sealed === null) throw new Refusal('Conflict', fileDeleted);
    return {
      reference,
      amountMinor: BigInt(amount_minor),
      destination: openDestination(sealer, { publisherId, accountId }, sealed),
    };
  });
}

export interface LeftOutLine {
  reference: string;
  memberId: AccountId;
  name: string;
  amountMinor: bigint;
  /** NoMethod: the creator had no usable method when the payout was created. */
  reason: 'NoMethod' | 'AmountTooLarge';
}

export interface LeftOut {
  lineCount: number;
  sumMinor: bigint;
  /** First lines, at most `maxLeftOut`. */
  lines: LeftOutLine[];
}

/** Maximum number of lines to list. The payout's export has all of them. */
const maxLeftOut = 1_000;

/** Reads the lines of a payout that no payment file contains. */
export async function readLeftOut(db: Db, { publisherId, batchId }: PayoutKey): Promise<LeftOut> {
  const { rows } = await sql<{
    reference: string;
    account_id: AccountId;
    name: string;
    amount_minor: string;
    has_method: boolean;
    n: bigint;
    sum: string;
  }>`
    select i.reference, m.account_id, a.name, i.amount_minor, i.has_method, i.n, i.sum
    from (
      select i.publisher_id, i.membership_id, i.reference, i.amount_minor, p.method_id is not null as has_method,
             count(*) over () as n, (sum(i.amount_minor) over ())::text as sum
      from payout_item i
      left join payee_method p on p.publisher_id = ${publisherId} and p.method_id = i.method_id
      where i.publisher_id = ${publisherId} and i.batch_id = ${batchId}::uuid and ${isInNoFile(publisherId)}
      order by i.membership_id
      limit ${maxLeftOut}
    ) i
    ${joinMember('i')}
    join creator_account a on a.account_id = m.account_id
    order by i.membership_id`.execute(db);
  return {
    lineCount: Number(rows[0]?.n ?? 0),
    sumMinor: BigInt(rows[0]?.sum ?? 0),
    lines: rows.map((row) => ({
      reference: row.reference,
      memberId: row.account_id,
      name: row.name,
      amountMinor: BigInt(row.amount_minor),
      reason: row.has_method ? 'AmountTooLarge' : 'NoMethod',
    })),
  };
}
