import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { AttributionId, TierId } from '../platform/database/tables.generated.ts';
import { resolveShare, type ShareRule } from '../revenue-shares/resolve-share.ts';
import { roundShare } from '../revenue-shares/round-share.ts';

export interface SimulatedSchedule {
  publisherId: string;
  groupId: string;
  /** Start of the window of past purchases. The end (`until`) is exclusive. */
  from: Date;
  until: Date;
  /** Share for all members, in millionths; null if only tiers have a share. */
  shareMillionths: number | null;
  tierShares: ReadonlyMap<TierId, number>;
}

export interface SimulationBounds {
  rows: number;
  pageRows: number;
  /** Called between pages. Returns false once the caller is no longer waiting for the result. */
  mayContinue(): boolean;
}

export interface SimulatedCell {
  currency: string;
  tierId: TierId | null;
  rows: number;
  grossMinor: bigint;
  /** Amount the members earned. */
  beforeMinor: bigint;
  /** Amount the members would have earned under the schedule. */
  afterMinor: bigint;
  /**
   * Number of rows that no schedule affects, because the purchase was sent with a percentage or the SKU has its own
   * share.
   */
  sentRows: number;
  skuRows: number;
}

export interface Simulation {
  cells: SimulatedCell[];
  /** Number of reversed rows that were read. They aren't in any cell, because they earned nothing. */
  reversedRows: number;
  /** Number of rows read, excluding Test rows. */
  rows: number;
  /** True if the whole window was read. */
  isWhole: boolean;
  /** Start of the part that was read, which is the newest part of the window. */
  lookedFrom: Date;
}

/** Limits for a dashboard request. A few hundred thousand rows take about a second. */
export const simulationBounds = { rows: 300_000, pageRows: 25_000 } as const;

/**
 * Calculates what a schedule would have cost in a past window. Recalculates each row's share from the offers stored
 * with the row, replacing the offer of the schedule that applied at the time with this schedule's. Reads the newest
 * rows first, so if the window is too large, the result covers its newest part.
 */
export async function simulateSchedule(
  db: Db,
  schedule: SimulatedSchedule,
  { rows: maxRows, pageRows, mayContinue }: SimulationBounds,
): Promise<Simulation> {
  const cells = new Map<string, SimulatedCell>();
  const seen = { rows: 0, reversedRows: 0 };
  let after: RowKey | null = null;
  for (let readCount = 0; readCount < maxRows && mayContinue(); ) {
    const { kinds, last, count } = await readPage(
      db,
      schedule,
      after,
      Math.min(pageRows, maxRows - readCount),
    );
    for (const kind of kinds) addKind(kind, { schedule, cells, seen });
    readCount += count;
    if (last === null || count < Math.min(pageRows, maxRows - (readCount - count)))
      return { ...seen, cells: inOrder(cells), isWhole: true, lookedFrom: schedule.from };
    after = last;
  }
  const lookedFrom = after?.at ?? schedule.until;
  return { ...seen, cells: inOrder(cells), isWhole: false, lookedFrom };
}

interface RowKey {
  at: Date;
  attributionId: AttributionId;
}

/** Rows with the same offers, amount and state, which therefore earn the same amount. */
interface Kind {
  currency: string;
  subtotal_minor: bigint;
  tier_id: TierId | null;
  sent: number | null;
  sku: number | null;
  tier: number | null;
  group_share: number;
  share_minor: bigint;
  is_reversed: boolean;
  is_test: boolean;
  rows: bigint;
}

interface Page {
  kinds: Kind[];
  last: RowKey | null;
  count: number;
}

/** Reads one page of rows, grouped by kind in the database so that each kind's share is calculated only once. */
async function readPage(
  db: Db,
  { publisherId, groupId, from, until }: SimulatedSchedule,
  after: RowKey | null,
  limit: number,
): Promise<Page> {
  const beyond =
    after === null
      ? sql``
      : sql`and (a.transaction_date, a.attribution_id) < (${after.at}, ${after.attributionId}::uuid)`;
  const { rows } = await sql<
    Kind & { last_at: Date | null; last_id: AttributionId | null; page_rows: bigint | null }
  >`
    with page as materialized (
      select a.attribution_id, a.transaction_date, a.currency, a.subtotal_minor, a.tier_id,
             a.sent_share_millionths as sent, a.sku_share_millionths as sku, a.tier_share_millionths as tier,
             a.group_share_millionths as group_share, a.share_minor, a.status <> 'Normal' as is_reversed, a.is_test
      from attribution a
      where a.publisher_id = ${publisherId} and a.group_id = ${groupId}
        and a.transaction_date >= ${from} and a.transaction_date < ${until} ${beyond}
      order by a.transaction_date desc, a.attribution_id desc
      limit ${limit}
    ),
    last as (
      select attribution_id, transaction_date from page order by transaction_date, attribution_id limit 1
    )
    select kind.*, last.transaction_date as last_at, last.attribution_id as last_id,
           (select count(*) from page) as page_rows
    from (
      select currency, subtotal_minor, tier_id, sent, sku, tier, group_share, share_minor, is_reversed, is_test,
             count(*) as rows
      from page
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    ) kind
    cross join last`.execute(db);
  const [first] = rows;
  if (first?.last_at == null || first.last_id === null) return { kinds: [], last: null, count: 0 };
  return {
    kinds: rows,
    last: { at: first.last_at, attributionId: first.last_id },
    count: Number(first.page_rows),
  };
}

interface Sums {
  schedule: SimulatedSchedule;
  cells: Map<string, SimulatedCell>;
  seen: { rows: number; reversedRows: number };
}

function addKind(kind: Kind, { schedule, cells, seen }: Sums): void {
  if (kind.is_test) return;
  const rows = Number(kind.rows);
  seen.rows += rows;
  if (kind.is_reversed) {
    seen.reversedRows += rows;
    return;
  }
  const { currency, tier_id: tierId } = kind;
  const key = `${currency} ${tierId}`;
  const cell = cells.get(key) ?? emptyCell(currency, tierId);
  cells.set(key, cell);
  const { rule, shareMinor } = decide(kind, schedule);
  cell.rows += rows;
  cell.grossMinor += kind.subtotal_minor * kind.rows;
  cell.beforeMinor += kind.share_minor * kind.rows;
  cell.afterMinor += shareMinor * kind.rows;
  if (rule === 'sent') cell.sentRows += rows;
  if (rule === 'sku') cell.skuRows += rows;
}

/** Calculates the share from the stored offers, with this schedule's offer in place of the stored schedule's. */
function decide(kind: Kind, schedule: SimulatedSchedule): { rule: ShareRule; shareMinor: bigint } {
  const { rule, shareMillionths } = resolveShare({
    sent: kind.sent,
    sku: kind.sku,
    'scheduled-tier': kind.tier_id === null ? null : (schedule.tierShares.get(kind.tier_id) ?? null),
    'scheduled-group': schedule.shareMillionths,
    tier: kind.tier,
    group: kind.group_share,
  });
  return { rule, shareMinor: roundShare(kind.subtotal_minor, shareMillionths) };
}

const emptyCell = (currency: string, tierId: TierId | null): SimulatedCell => ({
  currency,
  tierId,
  rows: 0,
  grossMinor: 0n,
  beforeMinor: 0n,
  afterMinor: 0n,
  sentRows: 0,
  skuRows: 0,
});

const inOrder = (cells: ReadonlyMap<string, SimulatedCell>): SimulatedCell[] =>
  [...cells].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, cell]) => cell);
