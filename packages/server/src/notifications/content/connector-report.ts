import { type Connector, readConnector } from '../../connectors/connector-record.ts';
import { countFailed } from '../../connectors/events/count-failed.ts';
import { providerOf } from '../../connectors/providers/all-providers.ts';
import type { Db } from '../../platform/database/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type ConnectorProblem, eventsForMs, readConnectorTarget } from '../incidents/failing-connectors.ts';
import { plural } from './content.ts';
import type { Report, StoredIncident } from './report.ts';

interface ConnectorReader {
  db: Db;
  publisherId: string;
  /** Formats a time for the reader. */
  time(at: Date): string;
}

/** Describes a problem of a connector, or its end. */
export async function reportConnector(
  { db, publisherId, time }: ConnectorReader,
  { target, name, beganAt, endedAt }: StoredIncident,
): Promise<Report> {
  const { problem, connectorId } = readConnectorTarget(target);
  const connector = await find(db, { publisherId, connectorId });
  if (connector === null)
    return {
      path: 'connectors',
      label: 'Open Connectors',
      headline: `the connector ${name} was removed`,
      text: `The connector ${name} was removed. Its problem was reported on ${time(beganAt)}.`,
    };
  const where = { path: `connectors/${connectorId}`, label: 'Open the connector' };
  if (endedAt === null)
    return { ...where, ...(await begun(db, { connector, problem, beganAt, since: time(beganAt) })) };
  return {
    ...where,
    headline: connector.pausedAt === null ? ends[problem](name) : `the connector ${name} was paused`,
    text: `${connector.pausedAt === null ? sentences[problem](name) : `The connector ${name} was paused.`} The problem was reported on ${time(beganAt)}.`,
  };
}

const find = (db: Db, key: { publisherId: string; connectorId: string }): Promise<Connector | null> =>
  readConnector(db, key).catch((error) => {
    if (error instanceof Refusal && error.code === 'NotFound') return null;
    throw error;
  });

interface Begun {
  connector: Connector;
  problem: ConnectorProblem;
  beganAt: Date;
  /** Time formatted for the reader. */
  since: string;
}

async function begun(
  db: Db,
  { connector, problem, beganAt, since }: Begun,
): Promise<Pick<Report, 'headline' | 'text'>> {
  const { name, provider, poll } = connector;
  const shop = providerOf(provider).name;
  switch (problem) {
    case 'signature':
      return {
        headline: `the connector ${name} rejects what ${shop} sends`,
        text: `The connector ${name} has rejected every request, because the signatures are not valid. This was noticed on ${since}. Enter the secret of ${shop} again. Providers send rejected events again for some days at most.`,
      };
    case 'polling':
      return {
        headline: `the connector ${name} can’t read the report of ${shop}`,
        text: `The connector ${name} can’t read the report of ${shop}. This was noticed on ${since}. ${poll?.failing?.problem ?? ''} Once it can, it continues where it stopped.`,
      };
    case 'events': {
      const count = await countFailed(db, connector, new Date(beganAt.getTime() - eventsForMs));
      return {
        headline: `${plural(count, 'event', 'events')} of the connector ${name} failed`,
        text: `${plural(count, 'event', 'events')} of the connector ${name} failed, and credited no creator. This was noticed on ${since}. Each event says why. Change the settings, and replay the events.`,
      };
    }
  }
}

const ends: Readonly<Record<ConnectorProblem, (name: string) => string>> = {
  signature: (name) => `the connector ${name} accepts requests again`,
  polling: (name) => `the connector ${name} reads its report again`,
  events: (name) => `the connector ${name} has no failed events of the last seven days`,
};

const sentences: Readonly<Record<ConnectorProblem, (name: string) => string>> = {
  signature: (name) => `The connector ${name} accepts requests again.`,
  polling: (name) => `The connector ${name} reads its report again. It has continued where it stopped.`,
  events: (name) => `The connector ${name} has no failed events of the last seven days.`,
};
