import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId, MembershipId, StatementId } from '../../platform/database/tables.generated.ts';
import { isRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Statement, StatementPayout, StatementPayoutState } from './statement.ts';

/** Number of statements in a list: a creator with two groups and two currencies has 48 in a year. */
const maxStatements = 1_000;

/**
 * Lists the statements of memberships, the latest month first.
 * @param groupId only those of this group; null for all
 * @returns also whether older statements were left out
 */
export async function listStatements(
  db: Db,
  publisherId: string,
  membershipIds: readonly MembershipId[],
  groupId: string | null = null,
): Promise<{ statements: Statement[]; areMore: boolean }> {
  if (membershipIds.length === 0) return { statements: [], areMore: false };
  const rows = await read(
    db,
    publisherId,
    sql`and membership_id = any(${[...membershipIds]}::uuid[]) ${groupId === null ? sql`` : sql`and group_id = ${groupId}`}
        order by month desc, group_id, currency, membership_id
        limit ${maxStatements + 1}`,
  );
  return { statements: rows.slice(0, maxStatements), areMore: rows.length > maxStatements };
}

/**
 * Reads a statement of one of the memberships.
 * @param notFound message of the error
 * @throws Refusal NotFound, also for a statement of another member
 */
export async function getStatement(
  db: Db,
  publisherId: string,
  {
    statementId,
    membershipIds,
    notFound,
  }: { statementId: string; membershipIds: readonly MembershipId[]; notFound: string },
): Promise<Statement> {
  const [statement] = isRowId(statementId)
    ? await read(
        db,
        publisherId,
        sql`and statement_id = ${statementId}::uuid and membership_id = any(${[...membershipIds]}::uuid[])`,
      )
    : [];
  if (statement === undefined) throw new Refusal('NotFound', notFound);
  return statement;
}

interface Row {
  statement_id: StatementId;
  publisher_name: string;
  group_id: string;
  group_name: string;
  membership_id: MembershipId;
  membership_ids: MembershipId[];
  account_id: AccountId;
  account_name: string;
  currency: string;
  month: string;
  entries_from: Date;
  entries_before: Date;
  issued_at: Date;
  payouts: StoredPayout[];
  opening_minor: string;
  earned_minor: string;
  bounties_minor: string;
  reversed_minor: string;
  clawed_back_minor: string;
  reinstated_minor: string;
  to_payouts_minor: string;
  from_payouts_minor: string;
  claimed_minor: string;
  closing_minor: string;
}

interface StoredPayout {
  number: number;
  reference: string;
  createdAt: string;
  amountMinor: string;
  toPayoutMinor: string;
  fromPayoutMinor: string;
  state: StatementPayoutState;
  paidAt: string | null;
}

async function read(db: Db, publisherId: string, rest: RawBuilder<unknown>): Promise<Statement[]> {
  const { rows } = await sql<Row>`
    select statement_id, publisher_name, group_id, group_name, membership_id, membership_ids::text[] as membership_ids,
           account_id, account_name, currency, to_char(month, 'YYYY-MM') as month, entries_from, entries_before, issued_at,
           payouts, opening_minor, earned_minor, bounties_minor, reversed_minor, clawed_back_minor, reinstated_minor,
           to_payouts_minor, from_payouts_minor, claimed_minor, closing_minor
    from statement
    where publisher_id = ${publisherId} ${rest}`.execute(db);
  return rows.map((row) => toStatement(publisherId, row));
}

const toStatement = (publisherId: string, row: Row): Statement => ({
  statementId: row.statement_id,
  publisherId,
  publisherName: row.publisher_name,
  groupId: row.group_id,
  groupName: row.group_name,
  membershipId: row.membership_id,
  membershipIds: row.membership_ids,
  accountId: row.account_id,
  accountName: row.account_name,
  currency: row.currency,
  month: row.month,
  entriesFrom: row.entries_from,
  entriesBefore: row.entries_before,
  issuedAt: row.issued_at,
  openingMinor: BigInt(row.opening_minor),
  earnedMinor: BigInt(row.earned_minor),
  bountiesMinor: BigInt(row.bounties_minor),
  reversedMinor: BigInt(row.reversed_minor),
  clawedBackMinor: BigInt(row.clawed_back_minor),
  reinstatedMinor: BigInt(row.reinstated_minor),
  toPayoutsMinor: BigInt(row.to_payouts_minor),
  fromPayoutsMinor: BigInt(row.from_payouts_minor),
  claimedMinor: BigInt(row.claimed_minor),
  closingMinor: BigInt(row.closing_minor),
  payouts: row.payouts.map(toPayout),
});

const toPayout = (payout: StoredPayout): StatementPayout => ({
  ...payout,
  createdAt: new Date(payout.createdAt),
  amountMinor: BigInt(payout.amountMinor),
  toPayoutMinor: BigInt(payout.toPayoutMinor),
  fromPayoutMinor: BigInt(payout.fromPayoutMinor),
  paidAt: payout.paidAt === null ? null : new Date(payout.paidAt),
});
