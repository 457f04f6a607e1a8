import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { amountText } from '../../platform/money.ts';
import { publisherNames } from '../../publishers/publisher-names.ts';
import { readGroups } from '../../publishers/read-groups.ts';
import { type PayoutBatch, readBatches } from '../../settlement/payouts/read/read-payouts.ts';
import { listEndpoints } from '../../webhooks/endpoints/list-endpoints.ts';
import { listChannels } from '../channels/list-channels.ts';
import { mayApprove } from '../incidents/conditions.ts';
import type { ImmediateSubject } from '../subjects.ts';
import { reportConnector } from './connector-report.ts';
import { type Content, pageUrl, plural, timeText } from './content.ts';
import type { Report, StoredIncident } from './report.ts';

/** Reads a notification's incidents, oldest first. */
export async function readIncidents(
  db: Db,
  publisherId: string,
  incidentIds: readonly string[],
): Promise<StoredIncident[]> {
  if (incidentIds.length === 0) return [];
  const { rows } = await sql<StoredIncident>`
    select incident_id as "incidentId", subject, target, name, began_at as "beganAt", ended_at as "endedAt"
    from notification_incident
    where publisher_id = ${publisherId} and incident_id = any(${incidentIds}::uuid[])
    order by began_at, incident_id`.execute(db);
  return rows;
}

interface Reader {
  /** Subjects of immediate notifications that the reader has chosen and may see. */
  subjects: readonly ImmediateSubject[];
  timeZone: string;
  /** Null for a channel. */
  userId: string | null;
  origin: string;
}

const maxReports = 20;

/**
 * Writes an immediate notification. An incident that ended while the notification was waiting is reported as over.
 * @returns null if the reader may not see any of the incidents
 */
export async function writeIncidents(
  db: Db,
  publisherId: string,
  incidents: readonly StoredIncident[],
  reader: Reader,
): Promise<Content | null> {
  const describe = await readTargets(db, publisherId, reader);
  const reports: Report[] = [];
  const reported: StoredIncident[] = [];
  for (const incident of incidents)
    if (reader.subjects.includes(incident.subject)) {
      const report = await describe(incident);
      if (report === null) continue;
      reports.push(report);
      reported.push(incident);
    }
  const [first] = reports;
  if (first === undefined) return null;
  const name = (await publisherNames(db, [publisherId])).get(publisherId) ?? publisherId;
  const places = new Set(reports.map(({ path }) => path));
  const [path, label] = places.size === 1 ? [first.path, first.label] : ['overview', 'Open Overview'];
  return {
    subject: `${name}: ${headlineOf(reported, reports, first)}`,
    blocks: [
      ...reports.slice(0, maxReports).map(({ text }) => text),
      ...(reports.length > maxReports ? [`And ${reports.length - maxReports} more.`] : []),
    ],
    link: { label, url: pageUrl(reader.origin, publisherId, path) },
  };
}

function headlineOf(incidents: readonly StoredIncident[], reports: readonly Report[], first: Report): string {
  if (reports.length === 1) return first.headline;
  const areEndpoints = incidents.every(({ subject }) => subject === 'webhooks');
  if (areEndpoints && incidents.every(({ endedAt }) => endedAt === null))
    return `${plural(reports.length, 'webhook endpoint is', 'webhook endpoints are')} failing`;
  if (areEndpoints && incidents.every(({ endedAt }) => endedAt !== null))
    return `${plural(reports.length, 'webhook endpoint has', 'webhook endpoints have')} stopped failing`;
  return `${reports.length} updates`;
}

/** Returns a function that describes an incident based on its target's current state. */
async function readTargets(db: Db, publisherId: string, { timeZone, userId }: Reader) {
  const time = (at: Date): string => timeText(at, timeZone);
  const endpoints = new Map(
    (await listEndpoints(db, publisherId, new Date(0))).map((endpoint) => [
      `${endpoint.endpointId}`,
      endpoint,
    ]),
  );
  const channels = new Map((await listChannels(db, publisherId)).map((each) => [each.channelId, each]));
  const groups = new Map((await readGroups(db, publisherId)).map(({ groupId, name }) => [groupId, name]));

  const describers: Readonly<
    Record<ImmediateSubject, (incident: StoredIncident) => Report | null | Promise<Report | null>>
  > = {
    webhooks({ target, name, beganAt, endedAt }) {
      const endpoint = endpoints.get(target);
      const where = { path: `webhooks/${encodeURIComponent(target)}`, label: 'Open the endpoint' };
      if (endedAt === null)
        return {
          ...where,
          headline: 'a webhook endpoint is failing',
          text:
            endpoint?.disabledReason != null
              ? `The webhook endpoint ${name} is off: ${endpoint.disabledReason}. New events are stored, and you can replay them.`
              : `The webhook endpoint ${name} has been failing since ${time(endpoint?.failingSince ?? beganAt)}. Deliveries are being retried.`,
        };
      const period = `It was reported as failing on ${time(beganAt)}.`;
      if (endpoint === undefined)
        return {
          path: 'webhooks',
          label: 'Open Webhooks',
          headline: 'a failing webhook endpoint was removed',
          text: `The webhook endpoint ${name} was removed. ${period}`,
        };
      return endpoint.isEnabled
        ? {
            ...where,
            headline: 'a webhook endpoint works again',
            text: `The webhook endpoint ${name} works again. ${period}`,
          }
        : {
            ...where,
            headline: 'a failing webhook endpoint was turned off',
            text: `The webhook endpoint ${name} was turned off. ${period}`,
          };
    },

    async payouts({ target, endedAt }) {
      const [payout] = await readBatches(db, publisherId, sql`and batch_id = ${target}::uuid`);
      if (payout === undefined) return null;
      // People aren't notified of payouts that they may not mark as paid or that they have marked as paid themselves.
      if (userId !== null && !(await mayApprove(db, publisherId, payout, userId))) return null;
      if (userId !== null && payout.paidBy?.kind === 'staff' && payout.paidBy.id === userId) return null;
      const amount = amountOf(payout);
      const what = `of ${amount} to ${plural(payout.memberCount, 'creator', 'creators')} in ${groups.get(payout.groupId) ?? payout.groupId}`;
      const where = { path: `payouts/${target}`, label: 'Open the payout' };
      const by = (name: string | undefined): string => (name === undefined ? '' : ` by ${name}`);
      if (payout.status === 'Created' && endedAt === null)
        return {
          ...where,
          headline: `a payout of ${amount} needs a second person`,
          text: `A payout ${what}, created${by(payout.createdBy?.name)} on ${time(payout.createdAt)}, needs a second person to check it and mark it as paid.`,
        };
      if (payout.status === 'Created')
        return {
          ...where,
          headline: `a payout of ${amount} no longer needs a second person`,
          text: `The payout ${what} no longer needs a second person, because the team’s rules changed.`,
        };
      const isPaid = payout.status === 'Paid';
      return {
        ...where,
        headline: `a payout of ${amount} was ${isPaid ? 'marked as paid' : 'canceled'}`,
        text: `The payout ${what} was ${isPaid ? `marked as paid${by(payout.paidBy?.name)}` : 'canceled'}. It no longer needs a second person.`,
      };
    },

    ledger({ beganAt, endedAt }) {
      const where = { path: 'ledger', label: 'Open Ledger' };
      return endedAt === null
        ? {
            ...where,
            headline: 'the ledger has an unexplained discrepancy',
            text: `A verification of the ledger found an unexplained discrepancy, reported on ${time(beganAt)}. Don’t create payouts until it’s resolved. The Ledger screen shows where it is.`,
          }
        : {
            ...where,
            headline: 'the ledger is sound again',
            text: `A verification on ${time(endedAt)} found that the ledger balances. The discrepancy was reported on ${time(beganAt)}.`,
          };
    },

    connectors: (incident) => reportConnector({ db, publisherId, time }, incident),

    channels({ target, name, endedAt }) {
      const where = { path: 'settings', label: 'Open Settings' };
      const channel = channels.get(target);
      if (endedAt === null)
        return {
          ...where,
          headline: `the channel ${name} was disabled`,
          text: `The channel ${name} was disabled: ${channel?.disabledReason ?? 'messages to it failed'}. Check its address, and enable it on the Settings screen.`,
        };
      return channel === undefined
        ? { ...where, headline: `the channel ${name} was removed`, text: `The channel ${name} was removed.` }
        : {
            ...where,
            headline: `the channel ${name} is enabled again`,
            text: `The channel ${name} is enabled again.`,
          };
    },
  };
  return async (incident: StoredIncident): Promise<Report | null> => describers[incident.subject](incident);
}

const amountOf = ({ totalMinor, currency }: PayoutBatch): string => amountText(totalMinor, currency);
