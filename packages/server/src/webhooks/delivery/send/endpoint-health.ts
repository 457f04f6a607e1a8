import { sql } from 'kysely';
import { serviceActor } from '../../../audit/actor.ts';
import { recordChange } from '../../../audit/record-change.ts';
import type { Db } from '../../../platform/database/database.ts';
import { inTransaction } from '../../../platform/database/in-transaction.ts';
import { type EndpointKey, endpointTarget } from '../../endpoints/endpoint-record.ts';

const failingForMs = 5 * 86_400_000; // D39
const reason = 'every attempt failed for 5 days';

const longAgo = (at: Date): Date => new Date(at.getTime() - failingForMs);

/**
 * Returns whether to record a failure. The first failure is recorded, and so is every failure after five days of
 * failing.
 */
export const shouldRecordFailure = (failingSince: Date | null, at: Date): boolean =>
  failingSince === null || failingSince <= longAgo(at);

export async function recordSuccess(db: Db, { publisherId, endpointId }: EndpointKey): Promise<void> {
  await sql`
    update webhook_endpoint
    set failing_since = null
    where publisher_id = ${publisherId} and endpoint_id = ${endpointId} and failing_since is not null`.execute(
    db,
  );
}

/**
 * Records when an endpoint began to fail, and switches the endpoint off after five days of failures. An endpoint with a
 * successful delivery in the meantime stays on, even if that attempt began before the failure was recorded.
 * @returns true if this call switched the endpoint off
 */
export function recordFailure(db: Db, key: EndpointKey, at: Date): Promise<boolean> {
  const { publisherId, endpointId } = key;
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ is_enabled: boolean; failing_since: Date }>`
      with known as (
        select failing_since <= ${longAgo(at)} as is_long,
               -- Evaluated only for an endpoint about to be switched off, because it reads all attempts.
               case when failing_since is null then false else exists (
                 select 1 from webhook_attempt a
                 where a.publisher_id = ${publisherId} and a.endpoint_id = ${endpointId} and a.status_code = 200
                   and a.started_at > p.failing_since
               ) end as has_delivered
        from webhook_endpoint p
        where publisher_id = ${publisherId} and endpoint_id = ${endpointId} and is_enabled
          and (failing_since is null or failing_since <= ${longAgo(at)})
        for update
      )
      update webhook_endpoint
      set failing_since = case when is_long and not has_delivered then failing_since else ${at} end,
          is_enabled = not coalesce(is_long and not has_delivered, false),
          disabled_reason = case when is_long and not has_delivered then ${reason} end
      from known
      where publisher_id = ${publisherId} and endpoint_id = ${endpointId} and is_enabled
      returning is_enabled, failing_since`.execute(tx);
    const [kept] = rows;
    if (kept === undefined || kept.is_enabled) return false;
    await recordChange(tx, serviceActor, {
      publisherId,
      action: 'webhook-endpoint.disable',
      target: endpointTarget(key),
      before: { enabled: true },
      after: { enabled: false, failingSince: kept.failing_since },
      reason,
    });
    return true;
  });
}
