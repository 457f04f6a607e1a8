import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { PayoutBatchId, PayRunId } from '../../../platform/database/tables.generated.ts';
import { isRowId } from '../../../platform/ids.ts';
import type { Page, Pages } from '../../../platform/page.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { aheadMsAt, laterBy, serviceTimeOf } from '../../../publishers/publisher-time.ts';
import { type PayoutBatch, type PayoutPerson, readBatches } from '../read/read-payouts.ts';

export interface PayRun {
  payRunId: PayRunId;
  /** Cutoff on the publisher's clock, which `startedAt` also uses. */
  asOf: Date;
  startedAt: Date;
  startedBy: PayoutPerson;
  /** True if no line is waiting. */
  isDone: boolean;
  /** Line counts by status. A line with a payout has the payout's status. */
  counts: { waiting: number; failed: number; toPay: number; paid: number; canceled: number };
}

export interface PayRunLine {
  groupId: string;
  currency: string;
  /** Total confirmed when the run was started. */
  totalMinor: bigint;
  /** Null if the line is waiting or has failed. */
  payout: PayoutBatch | null;
  failure: { code: string; message: string; payoutChange: unknown } | null;
}

/** @throws Refusal when the run doesn't exist */
export async function getPayRun(db: Db, publisherId: string, named: string): Promise<PayRun> {
  const [run] = isRowId(named) ? await read(db, publisherId, sql`and pay_run_id = ${named}::uuid`) : [];
  if (run === undefined) throw new Refusal('NotFound', `Publisher ${publisherId} has no pay run ${named}.`);
  return run;
}

/** Finds a run by its cutoff on the publisher's clock; null if there is none. */
export async function findPayRunAt(db: Db, publisherId: string, asOf: Date): Promise<PayRun | null> {
  const cutoff = await serviceTimeOf(db, publisherId, asOf);
  const [run] = await read(db, publisherId, sql`and as_of = ${cutoff}`);
  return run ?? null;
}

/**
 * Lists one page of a publisher's pay runs, newest first.
 * @throws Refusal InvalidCursor
 */
export async function listPayRuns(
  db: Db,
  pages: Pages,
  publisherId: string,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<PayRun>> {
  const listing = ['pay runs', publisherId];
  const [before = null] = pages.after(listing, cursor) ?? [];
  const runs = await read(
    db,
    publisherId,
    sql`
      ${before === null ? sql`` : sql`and pay_run_id < ${before}::uuid`}
      order by pay_run_id desc
      limit ${size + 1}`,
  );
  return pages.cut(listing, runs, size, ({ payRunId }) => [payRunId]);
}

/** Reads a run's lines (at most `maxRunLines`) with their payouts, sorted by group and currency. */
export async function readRunLines(db: Db, publisherId: string, payRunId: PayRunId): Promise<PayRunLine[]> {
  const { rows } = await sql<{
    group_id: string;
    currency: string;
    total_minor: string;
    payout_batch_id: PayoutBatchId | null;
    failure_code: string | null;
    failure_message: string | null;
    payout_change: unknown;
  }>`
    select group_id, currency, total_minor, payout_batch_id, failure_code, failure_message, payout_change
    from pay_run_line
    where publisher_id = ${publisherId} and pay_run_id = ${payRunId}::uuid
    order by group_id, currency`.execute(db);
  const ids = rows.flatMap(({ payout_batch_id }) => payout_batch_id ?? []);
  const payouts = await readBatches(db, publisherId, sql`and batch_id = any(${ids}::uuid[])`);
  const byId = new Map(payouts.map((payout) => [payout.batchId, payout]));
  return rows.map((row) => ({
    groupId: row.group_id,
    currency: row.currency,
    totalMinor: BigInt(row.total_minor),
    payout: (row.payout_batch_id && byId.get(row.payout_batch_id)) ?? null,
    failure:
      row.failure_code === null
        ? null
        : {
            code: row.failure_code,
            message: row.failure_message ?? '',
            payoutChange: row.payout_change ?? null,
          },
  }));
}

/** Returns the run that created a payout; null if the payout wasn't part of a run. */
export async function runOfPayout(
  db: Db,
  publisherId: string,
  batchId: PayoutBatchId,
): Promise<PayRunId | null> {
  const line = await db
    .selectFrom('pay_run_line')
    .select('pay_run_id')
    .where('publisher_id', '=', publisherId)
    .where('payout_batch_id', '=', batchId)
    .executeTakeFirst();
  return line?.pay_run_id ?? null;
}

interface RunRow {
  pay_run_id: PayRunId;
  as_of: Date;
  started_at: Date;
  started_by_kind: string;
  started_by_id: string;
  started_by_name: string;
  ended_at: Date | null;
  ahead_ms: bigint;
  waiting: bigint;
  failed: bigint;
  to_pay: bigint;
  paid: bigint;
  canceled: bigint;
}

async function read(db: Db, publisherId: string, rest: RawBuilder<unknown>): Promise<PayRun[]> {
  const { rows } = await sql<RunRow>`
    select r.*, ${aheadMsAt(publisherId, sql`r.as_of`)} as ahead_ms,
           n.waiting, n.failed, n.to_pay, n.paid, n.canceled
    from (
      select pay_run_id, as_of, started_at, started_by_kind, started_by_id, started_by_name, ended_at
      from pay_run
      where publisher_id = ${publisherId}
      ${rest}
    ) r
    cross join lateral (
      select count(*) filter (where l.payout_batch_id is null and l.failure_code is null) as waiting,
             count(*) filter (where l.failure_code is not null) as failed,
             count(*) filter (where b.status in ('Preparing', 'Created')) as to_pay,
             count(*) filter (where b.status = 'Paid') as paid,
             count(*) filter (where b.status in ('Cancelling', 'Cancelled')) as canceled
      from pay_run_line l
      left join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = l.payout_batch_id
      where l.publisher_id = ${publisherId} and l.pay_run_id = r.pay_run_id
    ) n
    order by r.pay_run_id desc`.execute(db);
  return rows.map((row) => ({
    payRunId: row.pay_run_id,
    asOf: laterBy(row.as_of, Number(row.ahead_ms)),
    startedAt: laterBy(row.started_at, Number(row.ahead_ms)),
    startedBy: { kind: row.started_by_kind, id: row.started_by_id, name: row.started_by_name },
    isDone: row.ended_at !== null,
    counts: {
      waiting: Number(row.waiting),
      failed: Number(row.failed),
      toPay: Number(row.to_pay),
      paid: Number(row.paid),
      canceled: Number(row.canceled),
    },
  }));
}
