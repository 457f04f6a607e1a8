import { type RawBuilder, sql } from 'kysely';
import { joinMember } from '../../../members/standing.ts';
import type { Db } from '../../../platform/database/database.ts';
import type {
  AccountId,
  MembershipId,
  PayeeMethodId,
  PayoutBatchId,
  PayoutItemId,
} from '../../../platform/database/tables.generated.ts';
import type { Page, PageKey, Pages } from '../../../platform/page.ts';
import { type LineResult, resultOf } from '../results/result.ts';
import { isInNoFile } from './read-without-file.ts';

export interface LineMethod {
  methodId: PayeeMethodId;
  kind: string;
  hint: string;
}

export interface PayoutItem {
  itemId: PayoutItemId;
  /** Reference of the line, such as 1042-00017; unique for the publisher. */
  reference: string;
  memberId: AccountId;
  name: string;
  playerId: string | null;
  rowCount: number;
  paymentsMinor: bigint;
  rewardCount: number;
  rewardsMinor: bigint;
  adjustmentsMinor: bigint;
  amountMinor: bigint;
  /** Payout method that the line is paid with; null if the member had none that could be used. */
  method: LineMethod | null;
  /** True if no payment file contains the line. */
  isWithoutFile: boolean;
  /** Result of the line; null while it is not known. */
  result: LineResult | null;
  /** Note and time of the result; null for a result that comes from the payout. */
  resultNote: string | null;
  resultAt: Date | null;
}

export interface ItemFilter {
  publisherId: string;
  batchId: PayoutBatchId;
  /** Part of a reference, case-insensitive; empty for all items. */
  reference?: string | undefined;
  /** Result of the items; `None` for those without one. Absent for all items. */
  result?: LineResult | 'None' | undefined;
  /** True for only the items that no payment file contains. */
  withoutFile?: boolean | undefined;
}

/**
 * Lists one page of a batch's items, largest amount first. Items never change but are shown with their current member,
 * so a member whose memberships have since been merged can have two.
 * @param size 1 … 1,000
 * @throws Refusal InvalidCursor
 */
export async function listPayoutItems(
  db: Db,
  pages: Pages,
  { publisherId, batchId, reference = '', result, withoutFile = false }: ItemFilter,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<PayoutItem>> {
  const part = reference.trim().toUpperCase();
  const listing = ['payout items', publisherId, batchId, part, result ?? null, withoutFile];
  const after = pages.after(listing, cursor);
  const current = resultOf(publisherId, 'i', { status: statusOf(publisherId, batchId) });
  // Conditions that every item meets would still make the planner expect to read more items for a page.
  const filter = sql`${part === '' ? sql`true` : sql`strpos(i.reference, ${part}) > 0`}
    and ${result === undefined ? sql`true` : sql`coalesce(${current}, 'None') = ${result}`}
    and ${withoutFile ? isInNoFile(publisherId) : sql`true`}`;
  const batch = { publisherId, batchId };
  const rows = await readItems(db, batch, largestFirst(batch, after, filter, size + 1));
  const page = pages.cut(listing, rows, size, ({ amount_minor, membership_id }) => [
    String(amount_minor),
    membership_id,
  ]);
  return { ...page, rows: page.rows.map(toItem) };
}

const noMembership = '00000000-0000-0000-0000-000000000000';
const itemsPerRead = 1_000;

/** Yields all items in a batch by membership id, a thousand at a time to limit memory use. */
export async function* pagesOfItems(
  db: Db,
  publisherId: string,
  batchId: PayoutBatchId,
): AsyncGenerator<PayoutItem[]> {
  const batch = { publisherId, batchId };
  for (let after: string = noMembership; ; ) {
    const rows = await readItems(db, batch, nextByMembership(batch, after, itemsPerRead));
    if (rows.length > 0) yield rows.map(toItem);
    const last = rows.at(-1);
    if (last === undefined || rows.length < itemsPerRead) return;
    after = last.membership_id;
  }
}

const statusOf = (publisherId: string, batchId: PayoutBatchId): RawBuilder<unknown> => sql`
  (select b.status from payout_batch b where b.publisher_id = ${publisherId} and b.batch_id = ${batchId}::uuid)`;

interface ItemRow {
  item_id: PayoutItemId;
  reference: string;
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
  method_id: PayeeMethodId | null;
  method_kind: string | null;
  method_hint: string | null;
  is_without_file: boolean;
  result: LineResult | null;
  note: string | null;
  recorded_at: Date | null;
}

interface Batch {
  publisherId: string;
  batchId: PayoutBatchId;
}

/** Selects a range of a batch's items in the order in which they are read. */
interface Range {
  items: RawBuilder<unknown>;
  by: RawBuilder<unknown>;
}

const nextByMembership = ({ publisherId, batchId }: Batch, after: string, limit: number): Range => {
  const by = sql`i.membership_id`;
  return {
    items: sql`
      select i.*
      from payout_item i
      where i.publisher_id = ${publisherId} and i.batch_id = ${batchId}::uuid and i.membership_id > ${after}::uuid
      order by ${by}
      limit ${limit}`,
    by,
  };
};

/**
 * Selects a page in the order of the index `payout_item_by_amount`. It contains negative amounts, so that amounts and ids
 * ascend together, and the position after the cursor is one comparison, even if most items have the same amount. Ids are
 * selected first, from the index alone. Otherwise, the planner, which expects far fewer items in a batch, may read and
 * sort all of them.
 */
const largestFirst = (
  { publisherId, batchId }: Batch,
  after: PageKey | null,
  filter: RawBuilder<unknown>,
  limit: number,
): Range => {
  const by = sql`-i.amount_minor, i.membership_id`;
  const rest = after === null ? sql`true` : sql`(${by}) > (-(${after[0]}::numeric), ${after[1]}::uuid)`;
  return {
    items: sql`
      select one.*
      from (
        select i.item_id
        from payout_item i
        where i.publisher_id = ${publisherId} and i.batch_id = ${batchId}::uuid and ${rest} and ${filter}
        order by ${by}
        limit ${limit}
      ) key
      cross join lateral (
        select i.*
        from payout_item i
        where i.publisher_id = ${publisherId} and i.item_id = key.item_id
        offset 0
      ) one`,
    by,
  };
};

/** Reads items, joining members only for the items of the range. */
async function readItems(db: Db, of: Batch, { items, by }: Range): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    select i.item_id, i.reference, i.membership_id, m.account_id, a.name, m.player_id, i.row_count, i.payments_minor,
           i.reward_count, i.rewards_minor, i.adjustments_minor, i.amount_minor, p.method_id, p.kind as method_kind,
           p.hint as method_hint, ${isInNoFile(of.publisherId)} as is_without_file, current.result, s.note, s.recorded_at
    from (${items}) i
    ${joinMember('i')}
    join creator_account a on a.account_id = m.account_id
    cross join lateral (
      select ${resultOf(of.publisherId, 'i', { status: statusOf(of.publisherId, of.batchId) })} as result
    ) current
    left join payee_method p on p.publisher_id = ${of.publisherId} and p.method_id = i.method_id
    left join payout_result s
      on s.publisher_id = ${of.publisherId} and s.item_id = i.item_id and s.result = current.result
    order by ${by}`.execute(db);
  return rows;
}

const toItem = (row: ItemRow): PayoutItem => ({
  itemId: row.item_id,
  reference: row.reference,
  memberId: row.account_id,
  name: row.name,
  playerId: row.player_id,
  rowCount: Number(row.row_count),
  paymentsMinor: BigInt(row.payments_minor),
  rewardCount: Number(row.reward_count),
  rewardsMinor: BigInt(row.rewards_minor),
  adjustmentsMinor: BigInt(row.adjustments_minor),
  amountMinor: BigInt(row.amount_minor),
  method:
    row.method_id === null
      ? null
      : { methodId: row.method_id, kind: row.method_kind ?? '', hint: row.method_hint ?? '' },
  isWithoutFile: row.is_without_file,
  result: row.result,
  resultNote: row.note,
  resultAt: row.recorded_at,
});
