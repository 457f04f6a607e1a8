import { type RawBuilder, sql } from 'kysely';

/** Problem of a connector that a person has to solve. */
export type ConnectorProblem = 'signature' | 'polling' | 'events';

/** Minimum duration of rejected requests and failed polls. A provider's outage is mostly over sooner. */
const failingForMs = 5 * 60_000;
/** Minimum number of rejected requests in a row, because anyone who knows the address can send one. */
const minRefusals = 3;
/** Time for which a failed event counts. Otherwise, an event that can't be repaired would hide later ones forever. */
export const eventsForMs = 7 * 86_400_000;

/**
 * Returns the array of the targets of a publisher's connector incidents: each consists of the problem and the connector's id.
 * @param publisherId the publisher's id, or its column
 */
export function failingConnectors(publisherId: RawBuilder<unknown>, now: Date): RawBuilder<unknown> {
  const failingSince = new Date(now.getTime() - failingForMs);
  const isOn = sql`c.removed_at is null and c.paused_at is null`;
  return sql`(
    array(
      select 'signature ' || c.connector_id
      from connector c
      where c.publisher_id = ${publisherId} and ${isOn} and c.refused_since <= ${failingSince} and c.refusals >= ${minRefusals}
    )
    || array(
      select 'polling ' || c.connector_id
      from connector c
      where c.publisher_id = ${publisherId} and ${isOn} and c.poll_failing_since <= ${failingSince}
    )
    || array(
      select distinct 'events ' || e.connector_id
      from connector_event e
      join connector c on c.connector_id = e.connector_id
      where e.publisher_id = ${publisherId} and e.status = 'Failed' and ${isOn}
        and e.received_at >= ${new Date(now.getTime() - eventsForMs)}
    )
  )`;
}

/** Returns the problem and the connector's id of a target. */
export function readConnectorTarget(target: string): { problem: ConnectorProblem; connectorId: string } {
  const [problem = '', connectorId = ''] = target.split(' ');
  return { problem: problem as ConnectorProblem, connectorId };
}
