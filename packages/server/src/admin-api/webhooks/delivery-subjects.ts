import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { EventId } from '../../platform/database/tables.generated.ts';
import type { DeliveryRecord } from '../../webhooks/delivery/read/list-deliveries.ts';

/** Kinds of things that events are about. */
export const subjectKinds = ['transaction', 'creator', 'payout', 'group'] as const;

export interface DeliverySubject {
  kind: (typeof subjectKinds)[number];
  id: string;
  /** Name of the creator or group, or number of the payout; null if there is none. */
  name: string | null;
}

/**
 * Adds what each delivery's event is about: the purchase, the creator, the payout, or the group of a schedule. A test event
 * is about nothing, because its ids are examples.
 */
export async function withSubjects<Row extends Pick<DeliveryRecord, 'eventId' | 'isTest'>>(
  db: Db,
  publisherId: string,
  rows: readonly Row[],
): Promise<(Row & { subject: DeliverySubject | null })[]> {
  const eventIds = rows.filter(({ isTest }) => !isTest).map(({ eventId }) => eventId);
  const found = eventIds.length === 0 ? [] : await readSubjects(db, publisherId, eventIds);
  const subjects = new Map(found.map(({ eventId, ...subject }) => [eventId, subject]));
  return rows.map((row) => ({ ...row, subject: subjects.get(row.eventId) ?? null }));
}

async function readSubjects(
  db: Db,
  publisherId: string,
  eventIds: readonly EventId[],
): Promise<(DeliverySubject & { eventId: EventId })[]> {
  const { rows } = await sql<DeliverySubject & { eventId: EventId }>`
    select s.event_id as "eventId", s.kind, s.id, coalesce(b.number::text, a.name, g.name) as name
    from (
      select e.event_id,
             case split_part(e.kind, '/', 1)
               when 'Attribution' then 'transaction'
               when 'GroupManagement' then 'creator'
               when 'Bounty' then 'creator'
               when 'Payout' then case e.kind when 'Payout/PayoutLineReturned' then 'creator' else 'payout' end
               when 'RevenueShare' then 'group'
             end as kind,
             case split_part(e.kind, '/', 1)
               when 'Attribution' then e.event::json ->> 'transactionId'
               when 'GroupManagement' then e.event::json ->> 'memberId'
               when 'Bounty' then e.event::json ->> 'creatorId'
               when 'Payout' then e.event::json ->> case e.kind when 'Payout/PayoutLineReturned' then 'memberId' else 'payoutId' end
               when 'RevenueShare' then e.event::json ->> 'groupId'
             end as id
      from webhook_event e
      where e.publisher_id = ${publisherId} and e.event_id = any(${[...eventIds]}::uuid[])
    ) s
    left join payout_batch b
      on b.publisher_id = ${publisherId} and b.batch_id = case s.kind when 'payout' then s.id::uuid end
    left join creator_account a on a.account_id = case s.kind when 'creator' then s.id end
    left join creator_group g on g.publisher_id = ${publisherId} and g.group_id = case s.kind when 'group' then s.id end
    where s.kind is not null and s.id is not null`.execute(db);
  return rows;
}
