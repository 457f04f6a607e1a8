import { type RawBuilder, sql } from 'kysely';

/** Problems of a connector that a person has to solve. */
export const connectorProblems = ['signature', 'polling', 'events'] as const;
export type ConnectorProblem = (typeof connectorProblems)[number];

/** Minimum duration of rejected requests and failed polls. A provider's outage is mostly over sooner. */
const failingForMs = 5 * 60_000;
/** Minimum number of rejected requests in a row, because anyone who knows the address can send one. */
const minRefusals = 3;
/** Time for which a failed event counts. Otherwise, an event that can't be repaired would hide later ones forever. */
const eventsForMs = 7 * 86_400_000;

/** Target of an incident: the problem, and the id of the connector `c`. */
export const targetOf = (problem: ConnectorProblem): RawBuilder<unknown> =>
  sql`${`${problem} `}::text || c.connector_id`;

/**
 * Returns the condition that a publisher's connector `c` has a problem.
 * @param publisherId the publisher's id, or its column
 */
export function hasProblem(
  problem: ConnectorProblem,
  publisherId: RawBuilder<unknown>,
  now: Date,
): RawBuilder<unknown> {
  const failingSince = new Date(now.getTime() - failingForMs);
  const conditions: Readonly<Record<ConnectorProblem, RawBuilder<unknown>>> = {
    signature: sql`c.refused_since <= ${failingSince} and c.refusals >= ${minRefusals}`,
    polling: sql`c.poll_failing_since <= ${failingSince}`,
    events: sql`exists (
      select 1
      from connector_event e
      where e.publisher_id = ${publisherId} and e.connector_id = c.connector_id and e.status = 'Failed'
        and e.received_at >= ${new Date(now.getTime() - eventsForMs)}
    )`,
  };
  return sql`(
    c.publisher_id = ${publisherId} and c.removed_at is null and c.paused_at is null and ${conditions[problem]}
  )`;
}

/** Returns the problem and the connector's id of a target. */
export function readConnectorTarget(target: string): { problem: ConnectorProblem; connectorId: string } {
  const [problem = '', connectorId = ''] = target.split(' ');
  return { problem: problem as ConnectorProblem, connectorId };
}
