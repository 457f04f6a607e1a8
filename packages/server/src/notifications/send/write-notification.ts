import { findPeople } from '../../accounts/people/find-people.ts';
import { permissionsOf, type Role } from '../../accounts/roles.ts';
import type { AnswerCache } from '../../platform/answer-cache.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Attention } from '../attention/find-attention.ts';
import { getChannel } from '../channels/list-channels.ts';
import { type Choice, permitted, readChoice } from '../choices/choice.ts';
import type { Content } from '../content/content.ts';
import { writeDigest } from '../content/digest-content.ts';
import { type DigestFacts, readDigestFacts } from '../content/digest-facts.ts';
import { readIncidents, writeIncidents } from '../content/incident-content.ts';
import { mayApprove } from '../incidents/conditions.ts';
import { type ReadRecipient, readRecipient } from '../recipients.ts';
import type { TakenNotification } from './take-notifications.ts';

/** Notification that is ready to be sent. */
export interface WrittenNotification {
  content: Content;
  to: { kind: 'staff'; userId: string; email: string } | { kind: 'channel'; channelId: string };
}

/** Writes one publisher's notifications. Digests written in the same round share the data they read. */
export function createWriter(
  db: Db,
  { dues, origin, now }: { dues: AnswerCache<Attention['due']>; origin: string; now: Date },
) {
  const read = new Map<string, Promise<DigestFacts>>();
  const factsOf = (publisherId: string, frequency: 'daily' | 'weekly', period: DigestFacts['period']) => {
    const key = JSON.stringify([publisherId, frequency, period]);
    const known = read.get(key) ?? readDigestFacts(db, { publisherId, frequency, period, now }, dues);
    read.set(key, known);
    return known;
  };

  /**
   * Checks the recipient again, and writes only what it still wants and may see.
   * @returns null if there is nothing to send
   */
  return async (taken: TakenNotification): Promise<WrittenNotification | null> => {
    const { publisherId, kind, period } = taken;
    const recipient = readRecipient(taken.recipient);
    const reader = await readReader(db, publisherId, recipient);
    if (reader === null) return null;
    const { choice, role, to } = reader;
    const { timeZone, daily, weekly, immediate } = permitted(choice, role);
    const userId = to.kind === 'staff' ? to.userId : null;
    if (kind === 'immediate') {
      const incidents = await readIncidents(db, publisherId, [...taken.began, ...taken.ended]);
      const content = await writeIncidents(db, publisherId, incidents, {
        subjects: immediate,
        timeZone,
        userId,
        origin,
      });
      return content && { content, to };
    }
    if (period === null) throw new Error('a digest has a period');
    const subjects = kind === 'daily' ? daily : weekly;
    if (subjects.length === 0) return null;
    const facts = await factsOf(publisherId, kind, period);
    const content = writeDigest(facts, {
      subjects,
      timeZone,
      awaitingCount: await countAwaiting(db, facts, userId, role),
      isChannel: userId === null,
      origin,
    });
    return content && { content, to };
  };
}

interface FoundReader {
  choice: Choice;
  /** Null for a channel. */
  role: Role | null;
  to: WrittenNotification['to'];
}

/** @returns null for a person who was removed from the staff or may not sign in, and for a disabled channel */
async function readReader(
  db: Db,
  publisherId: string,
  recipient: ReadRecipient,
): Promise<FoundReader | null> {
  if (recipient.kind === 'channel') {
    const { channelId } = recipient;
    const channel = await getChannel(db, { publisherId, channelId }).catch(() => null);
    return channel?.isEnabled ? { choice: channel.choice, role: null, to: recipient } : null;
  }
  const { userId } = recipient;
  const [person] = await findPeople(db, publisherId, userId);
  if (person === undefined) return null;
  const choice = await readChoice(db, publisherId, `staff:${userId}`);
  return { choice, role: person.role, to: { kind: 'staff', userId, email: person.email } };
}

/** Counts the payouts waiting for the reader. For a person, counts only those that the person may mark as paid. */
async function countAwaiting(
  db: Db,
  { publisherId, awaiting }: DigestFacts,
  userId: string | null,
  role: Role | null,
): Promise<number> {
  if (userId === null) return awaiting.length;
  if (role === null || !permissionsOf[role].has('payouts')) return 0;
  const approvable = await Promise.all(awaiting.map((payout) => mayApprove(db, publisherId, payout, userId)));
  return approvable.filter(Boolean).length;
}
