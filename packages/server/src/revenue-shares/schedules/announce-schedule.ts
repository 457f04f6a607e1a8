import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { ScheduleId, TierId } from '../../platform/database/tables.generated.ts';
import { millionthsToPercent } from '../../platform/percent.ts';
import type { EventKind } from '../../webhooks/event-kinds.ts';
import type { EventPayload } from '../../webhooks/event-text.ts';
import { publishEvents } from '../../webhooks/publish-events.ts';

/** Publishes an event with a schedule in the API's format, in the commit that changes the schedule. */
export async function announceSchedule(
  tx: Tx,
  publisherId: string,
  scheduleId: ScheduleId,
  kind: EventKind & `RevenueShare/${string}`,
): Promise<void> {
  const { rows } = await sql<{
    group_id: string;
    group_name: string;
    starts_at: Date;
    ends_at: Date;
    share_millionths: number;
    tiers: { tierId: TierId; tierName: string; shareMillionths: number }[];
  }>`
    select s.group_id, g.name as group_name, s.starts_at, s.ends_at,
           coalesce(s.share_millionths, g.share_millionths) as share_millionths,
           (select coalesce(json_agg(json_build_object(
              'tierId', t.tier_id, 'tierName', t.name, 'shareMillionths', x.share_millionths) order by x.position), '[]')
            from scheduled_tier_share x
            join tier t on t.publisher_id = ${publisherId} and t.tier_id = x.tier_id
            where x.publisher_id = ${publisherId} and x.schedule_id = s.schedule_id) as tiers
    from scheduled_share s
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = s.group_id
    where s.publisher_id = ${publisherId} and s.schedule_id = ${scheduleId}`.execute(tx);
  const [schedule] = rows;
  if (schedule === undefined) throw new Error('a schedule to announce does not exist');
  const event: EventPayload = {
    id: scheduleId,
    revShare: millionthsToPercent(schedule.share_millionths),
    startDate: schedule.starts_at.toISOString(),
    endDate: schedule.ends_at.toISOString(),
    groupId: schedule.group_id,
    groupName: schedule.group_name,
    tierRevenueShares: schedule.tiers.map(({ tierId, tierName, shareMillionths }) => ({
      revShare: millionthsToPercent(shareMillionths),
      tierId,
      tierName,
    })),
  };
  await publishEvents(tx, publisherId, [{ kind, event }]);
}
