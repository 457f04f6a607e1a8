import { sql } from 'kysely';
import { type FoundPerson, findPeople } from '../../accounts/people/find-people.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { newRowId } from '../../platform/ids.ts';
import { listChannelIds } from '../channels/list-channels.ts';
import { defaultChoice, permitted, readChoices } from '../choices/choice.ts';
import { channelRecipient, personRecipient, type Recipient } from '../recipients.ts';
import type { ImmediateSubject } from '../subjects.ts';
import { type Condition, findConditions } from './conditions.ts';

interface Incident {
  incidentId: string;
  subject: ImmediateSubject;
}

/**
 * Records the incidents that have begun or ended at a publisher, and writes their notifications in the same commit.
 * Each incident begins and ends only once, even if several processes check at the same time, because only one of them
 * inserts or updates its row.
 * @param hasMail false if no mail server is configured, in which case only channels are notified
 * @returns the number of incidents that began or ended
 */
export const detectIncidents = (
  db: Db,
  publisherId: string,
  { now, hasMail }: { now: Date; hasMail: boolean },
): Promise<number> =>
  inTransaction(db, async (tx) => {
    const conditions = await findConditions(tx, publisherId, now);
    const began = await begin(tx, publisherId, conditions, now);
    const ended = await end(tx, publisherId, conditions, now);
    if (began.length + ended.length === 0) return 0;
    const people = hasMail ? await findPeople(tx, publisherId) : [];
    for (const { recipient, subjects } of await recipientsOf(tx, publisherId, people)) {
      const ofSubjects = (incidents: readonly Incident[]): string[] =>
        incidents.filter(({ subject }) => subjects.has(subject)).map(({ incidentId }) => incidentId);
      await enqueue(tx, publisherId, { recipient, began: ofSubjects(began), ended: ofSubjects(ended) }, now);
    }
    return began.length + ended.length;
  });

async function begin(
  tx: Tx,
  publisherId: string,
  conditions: readonly Condition[],
  now: Date,
): Promise<Incident[]> {
  if (conditions.length === 0) return [];
  const { rows } = await sql<Incident>`
    insert into notification_incident (publisher_id, incident_id, subject, target, name, began_at)
    select ${publisherId}, found.incident_id, found.subject, found.target, found.name, ${now}
    from unnest(${conditions.map(() => newRowId())}::uuid[], ${conditions.map(({ subject }) => subject)}::text[],
                ${conditions.map(({ target }) => target)}::text[], ${conditions.map(({ name }) => name)}::text[])
      as found (incident_id, subject, target, name)
    on conflict (publisher_id, subject, target) where ended_at is null do nothing
    returning incident_id as "incidentId", subject`.execute(tx);
  return rows;
}

async function end(
  tx: Tx,
  publisherId: string,
  conditions: readonly Condition[],
  now: Date,
): Promise<Incident[]> {
  const { rows } = await sql<Incident>`
    update notification_incident
    set ended_at = ${now}
    where publisher_id = ${publisherId} and ended_at is null
      and (subject, target) not in (
        select lasting.subject, lasting.target
        from unnest(${conditions.map(({ subject }) => subject)}::text[], ${conditions.map(({ target }) => target)}::text[])
          as lasting (subject, target)
      )
    returning incident_id as "incidentId", subject`.execute(tx);
  return rows;
}

interface Recipients {
  recipient: Recipient;
  subjects: ReadonlySet<ImmediateSubject>;
}

async function recipientsOf(
  tx: Tx,
  publisherId: string,
  people: readonly FoundPerson[],
): Promise<Recipients[]> {
  const channels = await listChannelIds(tx, publisherId);
  const all = [
    ...people.map(({ userId, role }) => ({ recipient: personRecipient(userId), role })),
    ...channels.map((channelId) => ({ recipient: channelRecipient(channelId), role: null })),
  ];
  const choices = await readChoices(
    tx,
    publisherId,
    all.map(({ recipient }) => recipient),
  );
  return all.map(({ recipient, role }) => ({
    recipient,
    subjects: new Set(permitted(choices.get(recipient) ?? defaultChoice, role).immediate),
  }));
}

/** Minimum time between two immediate notifications to the same recipient; longer after several in a day. */
const pauseMs = 10 * 60_000;
const longPauseMs = 60 * 60_000;
const fewInADay = 6;
const dayMs = 86_400_000;

/**
 * Writes an immediate notification, or adds to one that is waiting. If the recipient was notified only recently, the
 * new one waits, so that an endpoint with occasional failures doesn't fill a mailbox.
 */
async function enqueue(
  tx: Tx,
  publisherId: string,
  { recipient, began, ended }: { recipient: Recipient; began: string[]; ended: string[] },
  now: Date,
): Promise<void> {
  if (began.length + ended.length === 0) return;
  const { rows } = await sql<{ last: Date | null; n: number }>`
    select max(ended_at) as last, count(*)::int as n
    from notification
    where publisher_id = ${publisherId} and recipient = ${recipient} and kind = 'immediate' and status = 'Sent'
      and ended_at > ${new Date(now.getTime() - dayMs)}`.execute(tx);
  const { last = null, n = 0 } = rows[0] ?? {};
  const earliest = last === null ? 0 : last.getTime() + (n < fewInADay ? pauseMs : longPauseMs);
  const at = new Date(Math.max(now.getTime(), earliest));
  await sql`
    insert into notification
      (publisher_id, notification_id, recipient, kind, began, ended, status, created_at, next_attempt_at)
    values
      (${publisherId}, ${newRowId()}, ${recipient}, 'immediate', ${began}::uuid[], ${ended}::uuid[], 'Waiting', ${now}, ${at})
    on conflict (publisher_id, recipient) where kind = 'immediate' and status = 'Waiting' and attempt_count = 0
    do update set began = notification.began || excluded.began, ended = notification.ended || excluded.ended`.execute(
    tx,
  );
}
