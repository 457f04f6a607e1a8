import type { NamedStatements } from '../../../platform/database/connections/named-statements.ts';
import type { WorkerId } from '../../../platform/database/tables.generated.ts';
import type { DeliveryKey } from '../take/worker-lease.ts';
import type { Attempt } from './send-request.ts';

export interface SavedAttempt {
  delivery: DeliveryKey;
  attempt: Attempt;
  outcome: 'Delivered' | 'Failed' | 'Pending';
  /** Time of the next attempt; null unless the outcome is Pending. */
  nextAttemptAt: Date | null;
}

// Comparing the worker's id hides from the planner how few rows are taken. Otherwise, it would start from those rows,
// using an index full of dead entries, or read the whole table. The commit doesn't wait for the disk: an attempt lost
// in a database crash is repeated with the same eventId.
const statement = `
  with unhurried as materialized (select set_config('synchronous_commit', 'off', true)),
  ended as materialized (
    select *, to_timestamp(started_ms / 1000) as started_at,
           to_timestamp((started_ms + duration_ms) / 1000) as finished_at
    from unnest($3::text[], $4::uuid[], $5::text[], $6::timestamptz[], $7::float8[], $8::int[], $9::int[], $10::text[], $11::bytea[])
      as e (endpoint_id, event_id, outcome, next_attempt_at, started_ms, duration_ms, status_code, error, answer)
  ),
  kept as (
    update webhook_delivery d
    set attempt_count = d.attempt_count + 1,
        try_count = d.try_count + 1,
        next_attempt_at = e.next_attempt_at,
        worker_id = null
    from ended e, unhurried
    where e.outcome = 'Pending'
      and d.publisher_id = $1 and d.endpoint_id = e.endpoint_id and d.event_id = e.event_id
      and coalesce(d.worker_id = $2, false)
    returning d.endpoint_id, d.event_id, d.attempt_count
  ),
  gone as (
    delete from webhook_delivery d
    using ended e, unhurried
    where e.outcome <> 'Pending'
      and d.publisher_id = $1 and d.endpoint_id = e.endpoint_id and d.event_id = e.event_id
      and coalesce(d.worker_id = $2, false)
    returning d.endpoint_id, d.event_id, d.attempt_count + 1 as attempt_count, d.try_count + 1 as try_count,
              d.created_at, e.outcome, e.finished_at
  ),
  over as (
    insert into webhook_delivery_end (publisher_id, endpoint_id, event_id, status, attempt_count, try_count, created_at, finished_at)
    select $1, endpoint_id, event_id, outcome, attempt_count, try_count, created_at, finished_at
    from gone
  ),
  saved as (
    select endpoint_id, event_id, attempt_count from kept
    union all
    select endpoint_id, event_id, attempt_count from gone
  )
  insert into webhook_attempt (publisher_id, endpoint_id, event_id, attempt_number, started_at, duration_ms, status_code, error, answer)
  select $1, s.endpoint_id, s.event_id, s.attempt_count, e.started_at, e.duration_ms, e.status_code, e.error, e.answer
  from saved s
  join ended e using (endpoint_id, event_id)`;

/**
 * Saves one publisher's completed delivery attempts. Skips deliveries that this worker lost when its lease ended,
 * because the worker that now holds them resends them.
 */
export async function saveAttempts(
  statements: NamedStatements,
  workerId: WorkerId,
  publisherId: string,
  attempts: readonly SavedAttempt[],
): Promise<void> {
  await statements.query('save-attempts', statement, [
    publisherId,
    workerId,
    attempts.map(({ delivery }) => delivery.endpointId),
    plainArray(attempts, ({ delivery }) => delivery.eventId),
    plainArray(attempts, ({ outcome }) => outcome),
    plainArray(attempts, ({ nextAttemptAt }) => nextAttemptAt?.toISOString() ?? null),
    plainArray(attempts, ({ attempt }) => attempt.startedAt.getTime()),
    plainArray(attempts, ({ attempt }) => attempt.durationMs),
    plainArray(attempts, ({ attempt }) => attempt.statusCode),
    attempts.map(({ attempt }) => attempt.error),
    plainArray(attempts, ({ attempt }) => byteaOf(attempt.answer)),
  ]);
}

/** Returns bytes as an element of an array literal, in which the backslash is escaped. */
const byteaOf = (bytes: Buffer): string =>
  bytes.length === 0 ? '"\\\\x"' : `"\\\\x${bytes.toString('hex')}"`;

/**
 * Returns an array literal of values that don't need quotes. The driver would scan every value and write dates in local
 * time.
 */
const plainArray = (
  attempts: readonly SavedAttempt[],
  read: (attempt: SavedAttempt) => string | number | null,
): string => `{${attempts.map((each) => read(each) ?? 'NULL').join(',')}}`;
