import { sql } from 'kysely';
import type { Actor } from '../../../audit/actor.ts';
import { recordChange, storedActorId, storedActorName } from '../../../audit/record-change.ts';
import type { Db } from '../../../platform/database/database.ts';
import { violatedConstraint } from '../../../platform/database/database-errors.ts';
import { inTransaction, type Tx } from '../../../platform/database/in-transaction.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import type { PayRunId } from '../../../platform/database/tables.generated.ts';
import { newRowId } from '../../../platform/ids.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { serviceTimeOf } from '../../../publishers/publisher-time.ts';
import { endOfRunLease } from './run-lease.ts';

export interface RunLine {
  groupId: string;
  currency: string;
  /** Total the actor confirmed; greater than zero. */
  totalMinor: bigint;
}

export interface RunRequest {
  publisherId: string;
  /** Cutoff of the preview, on the publisher's clock. */
  asOf: Date;
  lines: readonly RunLine[];
  /** True if each payout must pay exactly the previewed amounts; false if it may pay less where amounts fell. */
  isExact: boolean;
}

export interface StartedRun {
  payRunId: PayRunId;
  /** Lease that allows the caller to create the payouts; null if another process is creating them. */
  leaseId: string | null;
}

/** Maximum number of payouts in a run. A run is displayed, exported and marked as paid as a whole. */
export const maxRunLines = 1_000;
const maxAttempts = 3;

/**
 * Starts a run for the previewed payouts of several groups and currencies. Calling this again with the same cutoff
 * continues the same run: it adds new lines and retries failed ones. The payouts are created one by one afterward
 * (`workPayRun`).
 * @throws Refusal when a group doesn't exist, a line is listed twice, the run would have too many lines, the cutoff is
 * in the future, or another of the publisher's runs is in progress
 */
export async function startPayRun(db: Db, actor: Actor, request: RunRequest): Promise<StartedRun> {
  requireDistinct(request.lines);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(db, (tx) => start(tx, actor, request));
    } catch (error) {
      if (violatedConstraint(error) !== 'pay_run_unfinished') throw error;
      const other = await readUnfinished(db, request);
      // Another request may have just started this run, or the other run may have ended.
      if (other !== null && !other.isSame) throw stillInProgress(other);
      if (attempt === maxAttempts) throw error;
    }
  }
}

async function start(tx: Tx, actor: Actor, request: RunRequest): Promise<StartedRun> {
  const { publisherId, lines } = request;
  await requireGroups(tx, publisherId, lines);
  const asOf = await serviceTimeOf(tx, publisherId, request.asOf);
  const now = await readMoment(tx);
  if (asOf > now)
    throw new Refusal('InvalidInput', "The run's cutoff (asOf) can't be in the future.", { path: ['asOf'] });
  const { payRunId, isLeased, hasEnded } = await insertRun(tx, actor, { publisherId, asOf, now });
  const changed = await insertLines(tx, actor, { publisherId, payRunId, lines, isExact: request.isExact });
  if (changed.length > 0)
    await recordChange(tx, actor, {
      publisherId,
      action: 'pay-run.start',
      target: `pay-run:${payRunId}`,
      after: {
        asOf: request.asOf.toISOString(),
        payoutCount: changed.length,
        totals: totalsOf(changed),
        ...(request.isExact && { isExact: true }),
      },
    });
  if (changed.length === 0 && hasEnded) return { payRunId, leaseId: null };
  const leaseId = isLeased ? null : newRowId();
  await sql`
    update pay_run
    set ended_at = null,
        lease_id = coalesce(${leaseId}::uuid, lease_id),
        worked_until = case when ${leaseId}::uuid is null then worked_until else ${endOfRunLease(now)}::timestamptz end
    where publisher_id = ${publisherId} and pay_run_id = ${payRunId}::uuid`.execute(tx);
  return { payRunId, leaseId };
}

function requireDistinct(lines: readonly RunLine[]): void {
  const seen = new Set<string>();
  for (const [index, { groupId, currency }] of lines.entries()) {
    const key = `${currency} ${groupId}`;
    if (seen.has(key))
      throw new Refusal('InvalidInput', `Group ${groupId} is named twice in ${currency}.`, {
        path: ['payouts', index],
      });
    seen.add(key);
  }
}

async function requireGroups(tx: Tx, publisherId: string, lines: readonly RunLine[]): Promise<void> {
  const groupIds = [...new Set(lines.map(({ groupId }) => groupId))];
  const found = await tx
    .selectFrom('creator_group')
    .select('group_id')
    .where('publisher_id', '=', publisherId)
    .where(sql<boolean>`group_id = any(${groupIds}::text[])`)
    .execute();
  const known = new Set(found.map(({ group_id }) => group_id));
  const missing = groupIds.find((groupId) => !known.has(groupId));
  if (missing !== undefined)
    throw new Refusal('NotFound', `Publisher ${publisherId} has no group ${missing}.`);
}

/** Inserts the run for a cutoff, or locks it if it exists. */
async function insertRun(
  tx: Tx,
  actor: Actor,
  { publisherId, asOf, now }: { publisherId: string; asOf: Date; now: Date },
): Promise<{ payRunId: PayRunId; isLeased: boolean; hasEnded: boolean }> {
  await sql`
    insert into pay_run (publisher_id, pay_run_id, as_of, started_at, started_by_kind, started_by_id, started_by_name)
    values (${publisherId}, ${newRowId<PayRunId>()}, ${asOf}, ${now}, ${actor.kind}, ${storedActorId(actor.id)},
            ${storedActorName(actor.name)})
    on conflict (publisher_id, as_of) do nothing`.execute(tx);
  const run = await tx
    .selectFrom('pay_run')
    .select(['pay_run_id', 'worked_until', 'ended_at'])
    .where('publisher_id', '=', publisherId)
    .where('as_of', '=', asOf)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return {
    payRunId: run.pay_run_id,
    isLeased: run.worked_until !== null && run.worked_until > now,
    hasEnded: run.ended_at !== null,
  };
}

interface InsertedLine {
  currency: string;
  total_minor: string;
}

/** @returns the new lines, plus the failed lines that are waiting again */
async function insertLines(
  tx: Tx,
  actor: Actor,
  { publisherId, payRunId, lines, isExact }: Omit<RunRequest, 'asOf'> & { payRunId: PayRunId },
): Promise<InsertedLine[]> {
  const { rows } = await sql<InsertedLine>`
    insert into pay_run_line as l (publisher_id, pay_run_id, group_id, currency, total_minor, is_exact, requested_by_kind,
                                   requested_by_id, requested_by_name)
    select ${publisherId}, ${payRunId}::uuid, group_id, currency, total_minor, ${isExact}, ${actor.kind},
           ${storedActorId(actor.id)}, ${storedActorName(actor.name)}
    from unnest(
      ${lines.map(({ groupId }) => groupId)}::text[],
      ${lines.map(({ currency }) => currency)}::text[],
      ${lines.map(({ totalMinor }) => String(totalMinor))}::numeric[]
    ) as given (group_id, currency, total_minor)
    on conflict (publisher_id, pay_run_id, group_id, currency) do update
    set total_minor = excluded.total_minor, is_exact = excluded.is_exact, requested_by_kind = excluded.requested_by_kind,
        requested_by_id = excluded.requested_by_id, requested_by_name = excluded.requested_by_name,
        failure_code = null, failure_message = null, payout_change = null
    where l.failure_code is not null
    returning currency, total_minor`.execute(tx);
  const { count } = await tx
    .selectFrom('pay_run_line')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('publisher_id', '=', publisherId)
    .where('pay_run_id', '=', payRunId)
    .executeTakeFirstOrThrow();
  if (Number(count) > maxRunLines)
    throw new Refusal(
      'InvalidInput',
      `A pay run has at most ${maxRunLines} payouts. Leave some out, and pay them in another run.`,
      { path: ['payouts'] },
    );
  return rows;
}

/** Returns the total in each currency as text, because it may be too large for an exact JSON number. */
function totalsOf(lines: readonly InsertedLine[]): Record<string, string> {
  const totals = new Map<string, bigint>();
  for (const { currency, total_minor } of lines)
    totals.set(currency, (totals.get(currency) ?? 0n) + BigInt(total_minor));
  return Object.fromEntries([...totals].sort().map(([currency, total]) => [currency, String(total)]));
}

interface UnfinishedRun {
  payRunId: PayRunId;
  startedBy: string;
  /** True if its cutoff is the same as the request's. */
  isSame: boolean;
}

async function readUnfinished(
  db: Db,
  { publisherId, asOf }: Pick<RunRequest, 'publisherId' | 'asOf'>,
): Promise<UnfinishedRun | null> {
  const run = await db
    .selectFrom('pay_run')
    .select(['pay_run_id', 'started_by_name', 'as_of'])
    .where('publisher_id', '=', publisherId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (run === undefined) return null;
  const cutoff = await serviceTimeOf(db, publisherId, asOf);
  return {
    payRunId: run.pay_run_id,
    startedBy: run.started_by_name,
    isSame: run.as_of.getTime() === cutoff.getTime(),
  };
}

const stillInProgress = ({ payRunId, startedBy }: UnfinishedRun): Refusal =>
  new Refusal(
    'Conflict',
    `Pay run ${payRunId}, which ${startedBy} started, is still in progress. Wait until it ends, and then preview the payouts again.`,
  );
