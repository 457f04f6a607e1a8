import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type {
  MembershipId,
  PayoutBatchId,
  PayoutItemId,
} from '../../../platform/database/tables.generated.ts';
import { isRowId } from '../../../platform/ids.ts';
import type { Page, Pages } from '../../../platform/page.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { laterBy } from '../../../publishers/publisher-time.ts';
import { type LineResult, lineResults, resultOf } from '../results/result.ts';
import { type PayoutBatch, readBatches } from './read-payouts.ts';

/**
 * States of a creator's line in a payout. created: in a payout that isn't paid yet. canceled: the payout was canceled, and
 * the amount is owed again. The others are the line's result.
 */
export const ownPayoutStates = ['created', 'sent', 'paid', 'failed', 'returned', 'canceled'] as const;
export type OwnPayoutState = (typeof ownPayoutStates)[number];

/** Creator's line in a payout. */
export interface OwnPayout {
  lineId: PayoutItemId;
  membershipId: MembershipId;
  number: number;
  reference: string;
  currency: string;
  amountMinor: bigint;
  state: OwnPayoutState;
  createdAt: Date;
  /** Time of the state. */
  stateAt: Date;
  /** Note to the creator about the line's result. */
  note: string | null;
  method: { kind: string; hint: string } | null;
  /** Time by which the creator must collect a payment by email; null if there is none to collect. */
  collectBy: Date | null;
  purchaseCount: number;
  purchasesMinor: bigint;
  rewardCount: number;
  rewardsMinor: bigint;
  /** Everything that was taken back from or added to the amount. */
  adjustmentsMinor: bigint;
}

/** Days within which a creator must collect a payment, by the kind of the method. Then the money comes back. */
const daysToCollect: Readonly<Record<string, number>> = { paypal: 30, 'wise-email': 7 };
const dayMs = 86_400_000;

/**
 * Lists one page of a creator's lines in payouts, newest payout first.
 * @param membershipIds memberships with all of the creator's history
 * @throws Refusal InvalidCursor
 */
export async function listOwnPayouts(
  db: Db,
  pages: Pages,
  { publisherId, membershipIds }: { publisherId: string; membershipIds: readonly MembershipId[] },
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<OwnPayout>> {
  const listing = ['own payouts', publisherId, [...membershipIds].sort()];
  const [number, itemId] = pages.after(listing, cursor) ?? [];
  const after =
    number === undefined ? sql`` : sql`and (b.number, i.item_id) < (${number}::bigint, ${itemId}::uuid)`;
  const rows = await read(
    db,
    { publisherId, membershipIds },
    sql`${after} order by b.number desc, i.item_id desc limit ${size + 1}`,
  );
  return pages.cut(listing, rows, size, (row) => [String(row.number), row.lineId]);
}

/** Line with everything that happened to it. */
export interface OwnPayoutDetail extends OwnPayout {
  /** Results, in the order in which the line had them. */
  results: { result: LineResult; at: Date; note: string | null }[];
  /** Amount that is owed again because the payment failed or came back, and the payout that contains it. */
  owedAgain: { amountMinor: bigint; payoutNumber: number | null } | null;
}

/**
 * Reads one of a creator's lines in payouts.
 * @throws Refusal NotFound for an id that isn't one of the creator's lines
 */
export async function readOwnPayout(
  db: Db,
  { publisherId, membershipIds }: { publisherId: string; membershipIds: readonly MembershipId[] },
  lineId: string,
): Promise<OwnPayoutDetail> {
  const [found] = isRowId(lineId)
    ? await read(db, { publisherId, membershipIds }, sql`and i.item_id = ${lineId}::uuid`)
    : [];
  if (found === undefined)
    throw new Refusal('NotFound', 'None of your payouts at this publisher has this id.');
  const results = await db
    .selectFrom('payout_result')
    .select(['result', 'recorded_at', 'note'])
    .where('publisher_id', '=', publisherId)
    .where('item_id', '=', found.lineId)
    .execute();
  return {
    ...found,
    results: results
      .map(({ result, recorded_at, note }) => ({ result: result as LineResult, at: recorded_at, note }))
      .sort((one, other) => lineResults.indexOf(one.result) - lineResults.indexOf(other.result)),
    owedAgain: await readOwedAgain(db, publisherId, found.lineId),
  };
}

async function readOwedAgain(
  db: Db,
  publisherId: string,
  lineId: PayoutItemId,
): Promise<OwnPayoutDetail['owedAgain']> {
  const { rows } = await sql<{ amount_minor: string; number: bigint | null }>`
    select r.amount_minor::text, b.number
    from payout_return r
    left join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = r.payout_batch_id
    where r.publisher_id = ${publisherId} and r.item_id = ${lineId}::uuid`.execute(db);
  const [row] = rows;
  return row === undefined
    ? null
    : {
        amountMinor: BigInt(row.amount_minor),
        payoutNumber: row.number === null ? null : Number(row.number),
      };
}

interface Row {
  item_id: PayoutItemId;
  batch_id: PayoutBatchId;
  membership_id: MembershipId;
  reference: string;
  amount_minor: string;
  row_count: bigint;
  payments_minor: string;
  reward_count: bigint;
  rewards_minor: string;
  adjustments_minor: string;
  method_kind: string | null;
  method_hint: string | null;
  result: LineResult | null;
  note: string | null;
  recorded_at: Date | null;
}

async function read(
  db: Db,
  { publisherId, membershipIds }: { publisherId: string; membershipIds: readonly MembershipId[] },
  rest: RawBuilder<unknown>,
): Promise<OwnPayout[]> {
  if (membershipIds.length === 0) return [];
  // A payout that is still being filled, or was undone before it was complete, never was one.
  const { rows } = await sql<Row>`
    select i.item_id, i.batch_id, i.membership_id, i.reference, i.amount_minor, i.row_count, i.payments_minor,
           i.reward_count, i.rewards_minor, i.adjustments_minor, p.kind as method_kind, p.hint as method_hint,
           current.result, s.note, s.recorded_at
    from (
      select i.*, b.number, b.status
      from payout_item i
      join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = i.batch_id
      where i.publisher_id = ${publisherId} and i.membership_id = any(${[...membershipIds]}::uuid[])
        and b.status <> 'Preparing' and not b.was_undone ${rest}
    ) i
    cross join lateral (select ${resultOf(publisherId, 'i', { status: sql`i.status` })} as result) current
    left join payee_method p on p.publisher_id = ${publisherId} and p.method_id = i.method_id
    left join payout_result s
      on s.publisher_id = ${publisherId} and s.item_id = i.item_id and s.result = current.result
    order by i.number desc, i.item_id desc`.execute(db);
  const ids = [...new Set(rows.map(({ batch_id }) => batch_id))];
  const batches = new Map(
    (await readBatches(db, publisherId, sql`and batch_id = any(${ids}::uuid[])`)).map((batch) => [
      batch.batchId,
      batch,
    ]),
  );
  return rows.map((row) => toOwnPayout(row, batches.get(row.batch_id)));
}

function toOwnPayout(row: Row, batch: PayoutBatch | undefined): OwnPayout {
  if (batch === undefined) throw new Error(`the payout of line ${row.item_id} doesn't exist`);
  const state = stateOf(row, batch);
  const days = state === 'sent' ? daysToCollect[row.method_kind ?? ''] : undefined;
  const stateAt = timeOf(state, row, batch);
  return {
    lineId: row.item_id,
    membershipId: row.membership_id,
    number: batch.number,
    reference: row.reference,
    currency: batch.currency,
    amountMinor: BigInt(row.amount_minor),
    state,
    createdAt: batch.createdAt,
    stateAt,
    note: row.note,
    method: row.method_kind === null ? null : { kind: row.method_kind, hint: row.method_hint ?? '' },
    collectBy: days === undefined ? null : laterBy(stateAt, days * dayMs),
    purchaseCount: Number(row.row_count),
    purchasesMinor: BigInt(row.payments_minor),
    rewardCount: Number(row.reward_count),
    rewardsMinor: BigInt(row.rewards_minor),
    adjustmentsMinor: BigInt(row.adjustments_minor),
  };
}

function stateOf({ result }: Row, { status }: PayoutBatch): OwnPayoutState {
  if (status === 'Cancelled' || status === 'Cancelling') return 'canceled';
  return result === null ? 'created' : (result.toLowerCase() as Lowercase<LineResult>);
}

function timeOf(state: OwnPayoutState, row: Row, { createdAt, paidAt, cancelledAt }: PayoutBatch): Date {
  if (state === 'created') return createdAt;
  return (state === 'canceled' ? cancelledAt : (row.recorded_at ?? paidAt)) ?? createdAt;
}
