import { type RawBuilder, sql } from 'kysely';
import { needsAnotherPerson } from '../../accounts/needs-another-person.ts';
import { getStaffRules } from '../../accounts/staff-rules.ts';
import { urlInAudit } from '../../audit/url-in-audit.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { type PayoutBatch, readBatches } from '../../settlement/payouts/read/read-payouts.ts';
import { readLastVerdict } from '../../settlement/verify/jobs/read-last-verdict.ts';
import { switchedOffByHand } from '../../webhooks/endpoints/switch-endpoint.ts';
import type { ImmediateSubject } from '../subjects.ts';
import { failingConnectors } from './failing-connectors.ts';

/** Ongoing state that staff are notified of. */
export interface Condition {
  subject: ImmediateSubject;
  /** Id of the endpoint, payout or channel; problem and id of a connector; empty for the ledger. */
  target: string;
  name: string;
}

/**
 * Minimum duration of an endpoint's failure before staff are notified. Most failures are over by the second retry.
 * Once an endpoint has failed for this long, those that have failed for a minute are reported along with it.
 */
const failingForMs = 5 * 60_000;
const alsoFailingForMs = 60_000;
/** Equal to the maximum number of endpoints per publisher. */
const maxConditions = 1_000;

const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms);

/**
 * Builds the condition that an incident has begun or ended at any live publisher since the last check. Each part reads
 * a few index entries or a small table.
 */
const hasChanged = (now: Date): RawBuilder<unknown> => sql`
  p.sandbox_of is null and (
    exists (
      select 1
      from webhook_endpoint e
      where e.publisher_id = p.publisher_id and e.listener_seen_at is null
        and (e.failing_since <= ${before(now, failingForMs)} or e.disabled_reason <> ${switchedOffByHand})
        and not exists (
          select 1
          from notification_incident i
          where i.publisher_id = p.publisher_id and i.subject = 'webhooks' and i.target = e.endpoint_id and i.ended_at is null
        )
    )
    or not ${failingConnectors(sql`p.publisher_id`, now)} <@ array(
      select i.target
      from notification_incident i
      where i.publisher_id = p.publisher_id and i.subject = 'connectors' and i.ended_at is null
    )
    or exists (
      select 1
      from payout_batch b
      join staff_rules r on r.publisher_id = p.publisher_id and r.four_eyes_payouts
      where b.publisher_id = p.publisher_id and b.status = 'Created'
        and not exists (
          select 1
          from notification_incident i
          where i.publisher_id = p.publisher_id and i.subject = 'payouts' and i.target = b.batch_id::text and i.ended_at is null
        )
    )
    or exists (
      select 1
      from (
        select v.status
        from ledger_verification v
        where v.publisher_id = p.publisher_id and v.status in ('Sound', 'NotExplained')
        order by v.ended_at desc
        limit 1
      ) last_proof
      where last_proof.status = 'NotExplained'
        and not exists (
          select 1
          from notification_incident i
          where i.publisher_id = p.publisher_id and i.subject = 'ledger' and i.ended_at is null
        )
    )
    or exists (
      select 1
      from notification_channel c
      where c.publisher_id = p.publisher_id and c.disabled_reason is not null
        and not exists (
          select 1
          from notification_incident i
          where i.publisher_id = p.publisher_id and i.subject = 'channels' and i.target = c.channel_id and i.ended_at is null
        )
    )
    or exists (
      select 1
      from notification_incident i
      where i.publisher_id = p.publisher_id and i.ended_at is null
        and case i.subject
          when 'webhooks' then not exists (
            select 1
            from webhook_endpoint e
            where e.publisher_id = p.publisher_id and e.endpoint_id = i.target
              and (e.failing_since is not null or e.disabled_reason <> ${switchedOffByHand})
          )
          when 'connectors' then i.target <> all(${failingConnectors(sql`p.publisher_id`, now)})
          when 'payouts' then not exists (
            select 1
            from payout_batch b
            join staff_rules r on r.publisher_id = p.publisher_id and r.four_eyes_payouts
            where b.publisher_id = p.publisher_id and b.batch_id::text = i.target and b.status = 'Created'
          )
          when 'ledger' then (
            select v.status
            from ledger_verification v
            where v.publisher_id = p.publisher_id and v.status in ('Sound', 'NotExplained')
            order by v.ended_at desc
            limit 1
          ) is distinct from 'NotExplained'
          when 'channels' then not exists (
            select 1
            from notification_channel c
            where c.publisher_id = p.publisher_id and c.channel_id = i.target and c.disabled_reason is not null
          )
          else false
        end
    )
  )`;

const publishersAtOnce = 100;

/** Finds the publishers where an incident has begun or ended. */
export async function publishersWithChanges(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ publisher_id: string }>`
    select p.publisher_id from publisher p where ${hasChanged(now)} order by p.publisher_id limit ${publishersAtOnce}`.execute(
    db,
  );
  return rows.map(({ publisher_id }) => publisher_id);
}

/** Returns a publisher's current incidents. */
export async function findConditions(db: Db | Tx, publisherId: string, now: Date): Promise<Condition[]> {
  const [endpoints, connectors, payouts, ledger, channels] = [
    await failingEndpoints(db, publisherId, now),
    await troubledConnectors(db, publisherId, now),
    await awaitingPayouts(db, publisherId),
    await unsoundLedger(db, publisherId),
    await disabledChannels(db, publisherId),
  ];
  return [
    ...endpoints,
    ...connectors,
    ...payouts.map(
      ({ batchId, currency }): Condition => ({ subject: 'payouts', target: batchId, name: currency }),
    ),
    ...ledger,
    ...channels,
  ];
}

async function failingEndpoints(db: Db | Tx, publisherId: string, now: Date): Promise<Condition[]> {
  const { rows } = await sql<{ endpoint_id: string; url: string }>`
    with failing as materialized (
      select endpoint_id, url, coalesce(failing_since, '-infinity') as since
      from webhook_endpoint
      where publisher_id = ${publisherId} and listener_seen_at is null
        and (failing_since is not null or disabled_reason <> ${switchedOffByHand})
      order by since, endpoint_id
      limit ${maxConditions}
    )
    select endpoint_id, url
    from failing
    where since <= case
        when (select min(since) from failing) <= ${before(now, failingForMs)}::timestamptz
          then ${before(now, alsoFailingForMs)}::timestamptz
        else ${before(now, failingForMs)}::timestamptz
      end
      or exists (
        select 1
        from notification_incident i
        where i.publisher_id = ${publisherId} and i.subject = 'webhooks' and i.target = failing.endpoint_id and i.ended_at is null
      )
    order by since, endpoint_id`.execute(db);
  return rows.map(({ endpoint_id, url }) => ({
    subject: 'webhooks',
    target: endpoint_id,
    name: urlInAudit(url).slice(0, 300),
  }));
}

async function troubledConnectors(db: Db | Tx, publisherId: string, now: Date): Promise<Condition[]> {
  const { rows } = await sql<{ target: string; name: string }>`
    select failing.target, c.name
    from unnest(${failingConnectors(sql`${publisherId}`, now)}) as failing (target)
    join connector c on c.connector_id = split_part(failing.target, ' ', 2)
    order by failing.target`.execute(db);
  return rows.map(({ target, name }) => ({ subject: 'connectors', target, name }));
}

/**
 * Lists the payouts that a second person must mark as paid, oldest first; empty if the staff rules don't require one.
 */
export async function awaitingPayouts(db: Db | Tx, publisherId: string): Promise<PayoutBatch[]> {
  if (!(await getStaffRules(db, publisherId)).fourEyesPayouts) return [];
  return readBatches(db, publisherId, sql`and status = 'Created' order by batch_id limit ${maxConditions}`);
}

/** Returns whether someone may act as the second person for a payout. The permission is required in addition. */
export const mayApprove = async (
  db: Db,
  publisherId: string,
  { createdBy }: PayoutBatch,
  userId: string,
): Promise<boolean> => !(await needsAnotherPerson(db, publisherId, createdBy, { kind: 'staff', id: userId }));

async function unsoundLedger(db: Db | Tx, publisherId: string): Promise<Condition[]> {
  const last = await readLastVerdict(db, publisherId);
  return last === null || last.isSound ? [] : [{ subject: 'ledger', target: '', name: '' }];
}

async function disabledChannels(db: Db | Tx, publisherId: string): Promise<Condition[]> {
  const rows = await db
    .selectFrom('notification_channel')
    .select(['channel_id', 'name'])
    .where('publisher_id', '=', publisherId)
    .where('disabled_reason', 'is not', null)
    .orderBy('channel_id')
    .execute();
  return rows.map(({ channel_id, name }) => ({ subject: 'channels', target: channel_id, name }));
}
