import { sql } from 'kysely';
import { joinMember } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type {
  AccountId,
  MembershipId,
  PayoutBatchId,
  PayoutItemId,
} from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import { requirePublisher } from '../../publishers/require-publisher.ts';

export interface PayoutBatch {
  batchId: PayoutBatchId;
  groupId: string;
  currency: string;
  /** Preparing and Cancelling: somebody is at it, or died at it. */
  status: 'Preparing' | 'Created' | 'Paid' | 'Cancelling' | 'Cancelled';
  asOf: Date;
  totalMinor: bigint;
  memberCount: number;
  rowCount: number;
  createdAt: Date;
  paidAt: Date | null;
  cancelledAt: Date | null;
}

export interface PayoutItem {
  itemId: PayoutItemId;
  memberId: AccountId;
  name: string;
  playerId: string | null;
  rowCount: number;
  paymentsMinor: bigint;
  rewardCount: number;
  rewardsMinor: bigint;
  adjustmentsMinor: bigint;
  amountMinor: bigint;
}

/**
 * The latest batches of a publisher, newest first.
 * @param limit 1 … 1,000
 * @throws Refusal when there is no such publisher
 */
export async function listPayouts(db: Db, publisherId: string, limit: number): Promise<PayoutBatch[]> {
  await requirePublisher(db, publisherId);
  return readBatches(db, publisherId, sql`order by batch_id desc limit ${limit}`);
}

/**
 * @param named a payout as a person names it: its id, or any other text
 * @throws Refusal when there is no such batch
 */
export async function getPayout(db: Db, publisherId: string, named: string): Promise<PayoutBatch> {
  const [batch] = await readBatches(db, publisherId, sql`and batch_id::text = lower(${named})`);
  if (batch === undefined) throw new Refusal('NotFound', `Publisher ${publisherId} has no payout ${named}.`);
  return batch;
}

const itemsAtOnce = 1_000;

/**
 * A batch's items, read a thousand at a time, so that no batch is too large. An item stays what it was when it
 * was made; who it is for is shown as of now, so a member whose memberships merged since may have two.
 */
export async function* payoutItems(
  db: Db,
  publisherId: string,
  batchId: PayoutBatchId,
): AsyncGenerator<PayoutItem> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await sql<{
      item_id: PayoutItemId;
      membership_id: MembershipId;
      account_id: AccountId;
      name: string;
      player_id: string | null;
      row_count: bigint;
      payments_minor: string;
      reward_count: bigint;
      rewards_minor: string;
      adjustments_minor: string;
      amount_minor: string;
    }>`
      select i.item_id, i.membership_id, m.account_id, a.name, m.player_id, i.row_count, i.payments_minor,
             i.reward_count, i.rewards_minor, i.adjustments_minor, i.amount_minor
      from payout_item i
      ${joinMember('i')}
      join creator_account a on a.account_id = m.account_id
      where i.publisher_id = ${publisherId} and i.batch_id = ${batchId}::uuid and i.membership_id > ${after}::uuid
      order by i.membership_id
      limit ${itemsAtOnce}`.execute(db);
    for (const row of rows) {
      yield {
        itemId: row.item_id,
        memberId: row.account_id,
        name: row.name,
        playerId: row.player_id,
        rowCount: Number(row.row_count),
        paymentsMinor: BigInt(row.payments_minor),
        rewardCount: Number(row.reward_count),
        rewardsMinor: BigInt(row.rewards_minor),
        adjustmentsMinor: BigInt(row.adjustments_minor),
        amountMinor: BigInt(row.amount_minor),
      };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < itemsAtOnce) return;
    after = last.membership_id;
  }
}

/** @param rest further conditions, and the order */
export async function readBatches(
  db: Db | Tx,
  publisherId: string,
  rest: ReturnType<typeof sql>,
): Promise<PayoutBatch[]> {
  const { rows } = await sql<{
    batch_id: PayoutBatchId;
    group_id: string;
    currency: string;
    status: PayoutBatch['status'];
    as_of: Date;
    total_minor: string;
    member_count: number;
    row_count: bigint;
    created_at: Date;
    paid_at: Date | null;
    cancelled_at: Date | null;
  }>`
    select batch_id, group_id, currency, status, as_of, total_minor, member_count, row_count, created_at, paid_at, cancelled_at
    from payout_batch
    where publisher_id = ${publisherId}
    ${rest}`.execute(db);
  return rows.map((row) => ({
    batchId: row.batch_id,
    groupId: row.group_id,
    currency: row.currency,
    status: row.status,
    asOf: row.as_of,
    totalMinor: BigInt(row.total_minor),
    memberCount: row.member_count,
    rowCount: Number(row.row_count),
    createdAt: row.created_at,
    paidAt: row.paid_at,
    cancelledAt: row.cancelled_at,
  }));
}
