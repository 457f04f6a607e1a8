import { type RawBuilder, sql } from 'kysely';
import { joinMember } from '../../../members/standing.ts';
import type { Db } from '../../../platform/database/database.ts';
import type {
  AccountId,
  MembershipId,
  PayoutBatchId,
  PayoutItemId,
} from '../../../platform/database/tables.generated.ts';
import type { Page, PageKey, Pages } from '../../../platform/page.ts';

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
 * Lists one page of a batch's items, largest amount first. Items never change, but each is shown with its
 * current member. A member whose memberships have since been merged may therefore have two items.
 * @param size 1 … 1,000
 * @throws Refusal InvalidCursor
 */
export async function listPayoutItems(
  db: Db,
  pages: Pages,
  { publisherId, batchId }: { publisherId: string; batchId: PayoutBatchId },
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<PayoutItem>> {
  const listing = ['payout items', publisherId, batchId];
  const after = pages.after(listing, cursor);
  const rows = await readItems(db, { publisherId, batchId, limit: size + 1 }, largestFirst(after));
  const page = pages.cut(listing, rows, size, ({ amount_minor, membership_id }) => [
    String(amount_minor),
    membership_id,
  ]);
  return { ...page, rows: page.rows.map(toItem) };
}

const noMembership = '00000000-0000-0000-0000-000000000000';
const itemsPerRead = 1_000;

/**
 * Yields all items in a batch in the order of their memberships, reading a thousand at a time to bound
 * memory.
 */
export async function* payoutItems(
  db: Db,
  publisherId: string,
  batchId: PayoutBatchId,
): AsyncGenerator<PayoutItem> {
  for (let after: string = noMembership; ; ) {
    const rows = await readItems(db, { publisherId, batchId, limit: itemsPerRead }, byMembership(after));
    for (const row of rows) yield toItem(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < itemsPerRead) return;
    after = last.membership_id;
  }
}

interface ItemRow {
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
}

interface Order {
  rest: RawBuilder<unknown>;
  by: RawBuilder<unknown>;
}

const byMembership = (after: string): Order => ({
  rest: sql`i.membership_id > ${after}::uuid`,
  by: sql`i.membership_id`,
});

/** No index has this order, so a page is selected from all items in the batch: 10 ms for 10,000 items. */
const largestFirst = (after: PageKey | null): Order => ({
  rest:
    after === null
      ? sql`true`
      : sql`(-i.amount_minor, i.membership_id) > (-(${after[0]}::numeric), ${after[1]}::uuid)`,
  by: sql`i.amount_minor desc, i.membership_id`,
});

/** Reads one page of items, joining members only for the items on the page. */
async function readItems(
  db: Db,
  of: { publisherId: string; batchId: PayoutBatchId; limit: number },
  { rest, by }: Order,
): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    select i.item_id, i.membership_id, m.account_id, a.name, m.player_id, i.row_count, i.payments_minor,
           i.reward_count, i.rewards_minor, i.adjustments_minor, i.amount_minor
    from (
      select i.*
      from payout_item i
      where i.publisher_id = ${of.publisherId} and i.batch_id = ${of.batchId}::uuid and ${rest}
      order by ${by}
      limit ${of.limit}
    ) i
    ${joinMember('i')}
    join creator_account a on a.account_id = m.account_id
    order by ${by}`.execute(db);
  return rows;
}

const toItem = (row: ItemRow): PayoutItem => ({
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
});
