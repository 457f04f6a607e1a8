import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { MembershipId, PayoutBatchId } from '../../../platform/database/tables.generated.ts';
import { savePayouts } from '../checkpoint.ts';
import type { Check } from './check.ts';
import { highestId, lowestId } from './look-up.ts';
import { brokenItems, type ItemKey } from './payout-rules.ts';
import { piecesOf } from './pieces-of.ts';
import { brokenReductions } from './reduction-rules.ts';
import { type Finding, firstFinding } from './rules.ts';

const payoutsPerRead = 1_000;

/** Payout as of the start of its check, with the rows and rewards counted since then. */
export interface Payout {
  batchId: PayoutBatchId;
  status: string;
  members: number;
  rows: number;
  hasMoved: boolean;
  /** Number of lines whose money came back. */
  returns: bigint;
  assignedRows: bigint;
  assignedRewards: bigint;
}

/**
 * Compares payouts with their items, and the items with the rows, rewards and clawbacks assigned to the payout. A
 * payout is compared again only if it has been canceled, or the money of some of its lines came back, since the last time.
 * @returns the first difference, or null
 */
export async function checkPayouts(check: Check): Promise<Finding | null> {
  for (let after: Payout | null = null; ; ) {
    const { payouts, next }: Payouts = await readPayouts(check, after);
    check.coverage.ofPayouts += payouts.length;
    const moved = payouts.filter(({ hasMoved }) => hasMoved);
    for (const some of piecesOf(moved, ({ members }) => members, check.snapshots.rows.value)) {
      const finding = (await checkItems(check, some)) ?? (await checkTotals(check, some));
      if (finding !== null) return finding;
      check.coverage.payouts += some.length;
      check.progress();
    }
    if (next === null) return null;
    after = next;
  }
}

export interface Payouts {
  payouts: Payout[];
  /** Payout to continue after; null when there are no more payouts. */
  next: Payout | null;
}

/**
 * Reads the next payouts. Those being created or canceled always count as changed, because they are never saved as
 * compared.
 */
export function readPayouts({ snapshots, publisherId, all }: Check, after: Payout | null): Promise<Payouts> {
  return snapshots.read(snapshots.rows, async (tx) => {
    const { rows } = await sql<{
      batch_id: PayoutBatchId;
      status: string;
      member_count: number;
      row_count: bigint;
      has_moved: boolean;
      returns: bigint;
    }>`
      select b.batch_id, b.status, b.member_count, b.row_count, r.returns,
             ${all} or case b.status
               when 'Created' then (c.is_cancelled, c.return_count) is distinct from (false, r.returns)
               when 'Paid' then (c.is_cancelled, c.return_count) is distinct from (false, r.returns)
               when 'Cancelled' then c.is_cancelled is distinct from true
               else true
             end as has_moved
      from payout_batch b
      left join ledger_check_payout c on c.publisher_id = ${publisherId} and c.batch_id = b.batch_id
      cross join lateral (
        select count(*) as returns
        from payout_return r
        where r.publisher_id = ${publisherId} and r.from_batch_id = b.batch_id
      ) r
      where b.publisher_id = ${publisherId} and (${after === null} or b.batch_id > ${after?.batchId ?? null}::uuid)
      order by b.batch_id
      limit ${payoutsPerRead}`.execute(tx);
    const payouts = rows.map((row) => ({
      batchId: row.batch_id,
      status: row.status,
      members: row.member_count,
      rows: Number(row.row_count),
      hasMoved: row.has_moved,
      returns: row.returns,
      assignedRows: 0n,
      assignedRewards: 0n,
    }));
    return { payouts, next: payouts.length < payoutsPerRead ? null : (payouts.at(-1) ?? null), taken: 0 };
  });
}

/** Compares the given payouts' items, in pieces whose size depends on the items' row counts. */
async function checkItems(check: Check, payouts: readonly Payout[]): Promise<Finding | null> {
  const { snapshots, publisherId } = check;
  for (let after: ItemKey | null = null; ; ) {
    const walk: Walk = { publisherId, payouts, after };
    const { finding, piece } = await snapshots.read(snapshots.rows, async (tx) => {
      const piece = await nextItems(tx, walk, snapshots.rows.value);
      const finding =
        piece.items.length === 0 ? null : await firstFinding(tx, brokenItems(publisherId, piece.items));
      await countAssigned(tx, walk, piece);
      return { finding, piece, taken: piece.rows };
    });
    if (finding !== null) return finding;
    check.coverage.rows += piece.rows;
    check.progress();
    if (piece.isLast) return null;
    after = piece.items.at(-1) ?? null;
  }
}

interface Walk {
  publisherId: string;
  payouts: readonly Payout[];
  /** Last item in the previous piece; null before the first piece. */
  after: ItemKey | null;
}

interface Piece {
  items: ItemKey[];
  rows: number;
  /** True if no items follow. */
  isLast: boolean;
}

async function nextItems(tx: Tx, { publisherId, payouts, after }: Walk, size: number): Promise<Piece> {
  const { rows } = await sql<{ batch_id: PayoutBatchId; membership_id: MembershipId; weight: bigint }>`
    select i.batch_id, i.membership_id, i.row_count + i.reward_count + 1 as weight
    from (
      select batch_id
      from unnest(${payouts.map(({ batchId }) => batchId)}::uuid[]) as b (batch_id)
      where ${after === null} or batch_id >= ${after?.batchId ?? null}::uuid
      order by batch_id
    ) b
    cross join lateral (
      select batch_id, membership_id, row_count, reward_count
      from payout_item
      where publisher_id = ${publisherId} and batch_id = b.batch_id
        and (${after === null} or (batch_id, membership_id) > (${after?.batchId ?? null}::uuid, ${after?.membershipId ?? null}::uuid))
      order by membership_id
    ) i
    limit ${size}`.execute(tx);
  const [first = []] = piecesOf(rows, ({ weight }) => Number(weight), size);
  return {
    items: first.map(({ batch_id, membership_id }) => ({ batchId: batch_id, membershipId: membership_id })),
    rows: first.reduce((sum, { weight }) => sum + Number(weight), 0),
    isLast: first.length === rows.length && rows.length < size,
  };
}

/**
 * Counts the rows and rewards assigned to a piece's payouts for members after the previous piece's last member, up to
 * and including this piece's last member. The pieces together count each row and reward once. Other transactions don't
 * affect the count, because a created payout keeps its rows.
 */
async function countAssigned(
  tx: Tx,
  { publisherId, payouts, after }: Walk,
  { items, isLast }: Piece,
): Promise<void> {
  const last = items.at(-1);
  const touched = new Set(items.map(({ batchId }) => batchId));
  const open = isLast ? undefined : last?.batchId;
  // The previous piece's last payout may have no items left.
  if (after !== null) touched.add(after.batchId);
  const counted = payouts.filter(({ batchId }) => touched.has(batchId));
  const { rows } = await sql<{ batch_id: PayoutBatchId; row_count: bigint; reward_count: bigint }>`
    select b.batch_id,
      (select count(*) from payment
       where publisher_id = ${publisherId} and payout_batch_id = b.batch_id
         and membership_id > b.low and membership_id <= b.high) as row_count,
      (select count(*) from reward_payment
       where publisher_id = ${publisherId} and payout_batch_id = b.batch_id
         and membership_id > b.low and membership_id <= b.high) as reward_count
    from unnest(
      ${counted.map(({ batchId }) => batchId)}::uuid[],
      ${counted.map(({ batchId }) => (batchId === after?.batchId ? after.membershipId : lowestId))}::uuid[],
      ${counted.map(({ batchId }) => (batchId === open ? last?.membershipId : highestId))}::uuid[]
    ) as b (batch_id, low, high)`.execute(tx);
  const found = new Map(rows.map((row) => [row.batch_id, row]));
  for (const payout of counted) {
    payout.assignedRows += found.get(payout.batchId)?.row_count ?? 0n;
    payout.assignedRewards += found.get(payout.batchId)?.reward_count ?? 0n;
  }
}

/**
 * Compares the payouts' totals with their items, assigned rows and reductions, and saves the payouts that agree. Called
 * after the last piece.
 */
async function checkTotals(check: Check, payouts: readonly Payout[]): Promise<Finding | null> {
  const { snapshots, publisherId } = check;
  const { wrong, reduced, now } = await snapshots.read(snapshots.rows, async (tx) => {
    const now = await readTotals(tx, publisherId, payouts);
    const wrong = payouts.find((payout) => !addsUp(payout, now.get(payout.batchId)));
    const batchIds = payouts.map(({ batchId }) => batchId);
    const reduced = await firstFinding(tx, brokenReductions(publisherId, batchIds));
    return { wrong, reduced, now, taken: 0 };
  });
  if (wrong !== undefined) return { rule: 'payout', row: `payout ${wrong.batchId}` };
  if (reduced !== null) return reduced;
  const finished = payouts.filter(
    ({ batchId, status }) => isDone(status) && isDone(now.get(batchId)?.status),
  );
  if (check.savesProgress && finished.length > 0)
    snapshots.afterSnapshot((db) =>
      savePayouts(
        db,
        publisherId,
        finished.map(({ batchId, status, returns }) => ({
          batchId,
          isCancelled: status === 'Cancelled',
          returns,
        })),
      ),
    );
  return null;
}

interface Totals {
  status: string;
  is_sum: boolean;
  is_carried: boolean;
  row_count: bigint;
  reward_count: bigint;
}

const isComplete = (status: string | undefined): boolean => status === 'Created' || status === 'Paid';
const isDone = (status: string | undefined): boolean => isComplete(status) || status === 'Cancelled';

/**
 * Returns whether a payout's totals add up. Ignores the counts of assigned rows while the payout is being created or
 * canceled, or if it was canceled after the check started.
 */
function addsUp(payout: Payout, totals: Totals | undefined): boolean {
  if (totals === undefined || !totals.is_sum) return false;
  if (totals.status === 'Cancelled') return !totals.is_carried;
  if (!isComplete(payout.status) || !isComplete(totals.status)) return true;
  return payout.assignedRows === totals.row_count && payout.assignedRewards === totals.reward_count;
}

async function readTotals(
  tx: Tx,
  publisherId: string,
  payouts: readonly Payout[],
): Promise<Map<PayoutBatchId, Totals>> {
  const carries = (table: string): RawBuilder<unknown> => sql`
    exists (select 1 from ${sql.table(table)} where publisher_id = ${publisherId} and payout_batch_id = b.batch_id)`;
  const { rows } = await sql<Totals & { batch_id: PayoutBatchId }>`
    select b.batch_id, b.status, b.row_count, coalesce(i.reward_count, 0)::bigint as reward_count,
           (b.member_count, b.row_count, b.total_minor)
             is not distinct from (coalesce(i.members, 0), coalesce(i.row_count, 0), coalesce(i.amount, 0))
             and not exists (
               select 1
               from payout_return r
               where r.publisher_id = ${publisherId} and r.from_batch_id = b.batch_id
                 and not exists (
                   select 1
                   from payout_item item
                   where item.publisher_id = ${publisherId} and item.item_id = r.item_id
                     and item.batch_id = b.batch_id)) as is_sum,
           b.status = 'Cancelled' and (${carries('payment')} or ${carries('reward_payment')} or ${carries('clawback')}
                                      or ${carries('payout_return')} or ${carries('reinstatement_adjustment')})
             as is_carried
    from payout_batch b
    left join (
      select batch_id, count(*) as members, sum(row_count) as row_count, sum(reward_count) as reward_count,
             sum(amount_minor) as amount
      from payout_item
      where publisher_id = ${publisherId} and batch_id = any(${payouts.map(({ batchId }) => batchId)}::uuid[])
      group by batch_id
    ) i on i.batch_id = b.batch_id
    where b.publisher_id = ${publisherId} and b.batch_id = any(${payouts.map(({ batchId }) => batchId)}::uuid[])`.execute(
    tx,
  );
  return new Map(rows.map((row) => [row.batch_id, row]));
}
