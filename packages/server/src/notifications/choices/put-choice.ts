import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { refuseStaleEdit } from '../../platform/version.ts';
import { liveOf } from '../../publishers/sandboxes.ts';
import { personRecipient } from '../recipients.ts';
import { isTimeZone } from '../schedule/local-time.ts';
import type { NotificationKind } from '../subjects.ts';
import { type Choice, readChoice, versionOfChoice, writeChoice } from './choice.ts';

interface OwnChoice extends Choice {
  publisherId: string;
  userId: string;
  version: string;
}

/**
 * Saves a person's choice of notifications. An unchanged choice keeps the time of its next digest.
 * @throws Refusal InvalidInput, Stale; Conflict for a sandbox; NotFound for a person who was just removed
 */
export const putChoice = (
  db: Db,
  actor: Actor,
  { publisherId, userId, version, ...choice }: OwnChoice,
  now: Date,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    requireSendable(choice);
    if ((await liveOf(tx, publisherId)) !== null)
      throw new Refusal(
        'Conflict',
        'A sandbox sends no notifications. Choose notifications for the live publisher.',
      );
    if (!(await lockPerson(tx, publisherId, userId)))
      throw new Refusal('NotFound', `You’re no longer on the team of publisher ${publisherId}.`);
    const recipient = personRecipient(userId);
    const before = await readChoice(tx, publisherId, recipient);
    refuseStaleEdit('Your notification settings', version, before.version);
    if (versionOfChoice(choice) === before.version) return;
    await writeChoice(tx, { publisherId, recipient }, choice, now);
    await recordChange(tx, actor, {
      publisherId,
      action: 'notifications.put',
      target: `staff:${userId}`,
      before: factsOf(before),
      after: factsOf(choice),
    });
  });

/** Turns off one kind of notification for a person. Calling it again has no effect. */
export const turnOff = (
  db: Db,
  actor: Actor,
  { publisherId, userId, kind }: { publisherId: string; userId: string; kind: NotificationKind },
  now: Date,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    if (!(await lockPerson(tx, publisherId, userId))) return;
    const recipient = personRecipient(userId);
    const before = await readChoice(tx, publisherId, recipient);
    if (before[kind].length === 0) return;
    const choice: Choice = { ...before, [kind]: [] };
    await writeChoice(tx, { publisherId, recipient }, choice, now);
    await recordChange(tx, actor, {
      publisherId,
      action: 'notifications.put',
      target: `staff:${userId}`,
      before: factsOf(before),
      after: factsOf(choice),
    });
  });

/** @throws Refusal InvalidInput */
export function requireSendable({ timeZone, daily, weekly }: Choice): void {
  if (!isTimeZone(timeZone))
    throw new Refusal('InvalidInput', 'The time zone must be an IANA name, such as Europe/Berlin.', {
      path: ['timeZone'],
    });
  const both = daily.find((subject) => weekly.includes(subject));
  if (both !== undefined)
    throw new Refusal('InvalidInput', `The subject ${both} can be in one digest only: daily or weekly.`, {
      path: ['weekly'],
    });
}

export const factsOf = ({ timeZone, hour, daily, weekly, immediate }: Choice) => ({
  timeZone,
  hour,
  daily,
  weekly,
  immediate,
});

/** Locks a person's staff membership, so that concurrent saves are compared one at a time. */
async function lockPerson(tx: Tx, publisherId: string, userId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('staff')
    .select('user_id')
    .where('publisher_id', '=', publisherId)
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return found !== undefined;
}
