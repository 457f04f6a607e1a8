import { serviceActor } from '../../packages/server/src/audit/actor.ts';
import type { Database } from '../../packages/server/src/platform/database/database.ts';
import { createSealer } from '../../packages/server/src/platform/secrets/sealer.ts';
import { createEndpoint } from '../../packages/server/src/webhooks/endpoints/create-endpoint.ts';
import { eventKinds } from '../../packages/server/src/webhooks/event-kinds.ts';
import type { BenchService } from '../lib/bench-service.ts';
import type { Receivers } from '../lib/receivers.ts';
import { daysFilled, paidDays, publisherId } from './fill.ts';

const reversals = 300;

/** Creates the publisher's other data: refunds, webhooks with their deliveries, and audit entries. */
export async function makeHistory(
  service: BenchService,
  { db }: Database,
  { receivers, deliveries }: { receivers: Receivers; deliveries: number },
): Promise<void> {
  const { client, environment } = service;
  const sealer = createSealer([Buffer.from(environment.SECRETS_KEY ?? '', 'base64')]);
  const endpointIds: string[] = [];
  for (const behavior of ['ok', '500']) {
    const { endpointId } = await createEndpoint({ db, sealer, allowPrivateTargets: true }, serviceActor, {
      publisherId,
      url: receivers.url(behavior, 'web'),
      // Events for every purchase are measured by another benchmark.
      eventKinds: eventKinds.filter((kind) => kind !== 'Attribution/TransactionRecorded'),
    });
    endpointIds.push(endpointId);
  }
  await addDeliveries(client, endpointIds, deliveries);
  await addAudited(client, deliveries);
  await addRefused(client, Math.ceil(deliveries / 20));
  await reverseSome(service);
}

/** SQL expression for a UUIDv7 with the time `at`. */
const idAt = `(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(random, 1, 3) || '8' || substr(random, 4, 15))::uuid`;
/** Subquery that returns `count` times in the last three days, each with random text. */
const moments = `
  select n, date_trunc('milliseconds', now() - interval '3 days' * (1 - n / $2::float8)) as at, md5(random()::text || n) as random
  from generate_series(0, $2::int - 1) n`;

/** Adds deliveries. Every hundredth has failed. */
async function addDeliveries(
  client: BenchService['client'],
  endpointIds: readonly string[],
  count: number,
): Promise<void> {
  await client.query(
    `with made as materialized (
       select ${idAt} as event_id, at, n, ($3::text[])[1 + n % 2] as endpoint_id, case when n % 100 = 0 then 'Failed' else 'Delivered' end as status
       from (${moments}) m
     ), e as (
       insert into webhook_event (publisher_id, event_id, kind, created_at, event)
       select $1, event_id, 'Attribution/TransactionStatusChanged', at,
              json_build_object('eventType', 'Attribution/TransactionStatusChanged', 'event',
                json_build_object('transactionId', md5(n::text), 'status', 'Refund', 'about', repeat('x', 400)))::text
       from made
     ), d as (
       insert into webhook_delivery_end (publisher_id, endpoint_id, event_id, status, attempt_count, try_count, created_at, finished_at)
       select $1, endpoint_id, event_id, status, 1, 1, at, at from made
     )
     insert into webhook_attempt (publisher_id, endpoint_id, event_id, attempt_number, started_at, duration_ms, status_code, error, answer)
     select $1, endpoint_id, event_id, 1, at, 30, case status when 'Failed' then 500 else 200 end, null, 'no' from made`,
    [publisherId, count, endpointIds],
  );
}

async function addAudited(client: BenchService['client'], count: number): Promise<void> {
  await client.query(
    `insert into audit_entry (publisher_id, audit_id, at, actor_kind, actor_id, actor_name, action, target, before, after)
     select $1, ${idAt}, at, 'staff', 'staff-' || n % 20, 'Person ' || n % 20,
            (array['member.update', 'member.approve', 'transaction.reverse', 'payout.create'])[1 + n % 4],
            'member:acc_' || n % 1000, '{"tier": "Gold"}', '{"tier": "Silver"}'
     from (${moments}) m`,
    [publisherId, count],
  );
}

async function addRefused(client: BenchService['client'], count: number): Promise<void> {
  await client.query(
    `insert into refused_request (publisher_id, refused_id, at, key_id, method, route, status, code, message, request_id, address)
     select $1, ${idAt}, at, k.key_id, 'POST', '/v1/attributions/transactions', 400, 'InvalidInput', 'subtotal must be an integer', 'req-' || n, '127.0.0.1'
     from (${moments}) m, (select key_id from api_key where publisher_id = $1 limit 1) k`,
    [publisherId, count],
  );
}

/** Refunds some unpaid purchases, as a back end would. */
async function reverseSome({ client, url, key }: BenchService): Promise<void> {
  const chosen = await client.query<{ transaction_id: string }>(
    `select a.transaction_id
     from generate_series(0, $2::int - 1) n
     cross join lateral (
       select transaction_id
       from attribution
       where publisher_id = $1 and group_id = 'main' and not is_test and transaction_date <= now() - interval '1 day' * $3::int * n / $2::int
       order by transaction_date desc
       limit 1
     ) a`,
    [publisherId, reversals, daysFilled - paidDays - 2],
  );
  for (const { transaction_id: id } of chosen.rows) {
    const response = await fetch(`${url}/v1/attributions/transactions/${id}`, {
      method: 'PATCH',
      headers: { 'x-shared-secret': key, 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'Refund' }),
    });
    if (response.status !== 200)
      throw new Error(`reversing ${id}: ${response.status} ${await response.text()}`);
  }
}
