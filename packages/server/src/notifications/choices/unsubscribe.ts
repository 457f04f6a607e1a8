import { findPeople } from '../../accounts/people/find-people.ts';
import { actorOf, type RequestSource } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { publisherNames } from '../../publishers/publisher-names.ts';
import { personRecipient } from '../recipients.ts';
import type { NotificationKind } from '../subjects.ts';
import { readChoice } from './choice.ts';
import { turnOff } from './put-choice.ts';
import type { Subscription } from './unsubscribe-links.ts';

export interface ShownSubscription {
  publisherName: string;
  kind: NotificationKind;
  /** False if this kind of notification is off or the person is no longer on the staff. */
  isOn: boolean;
}

/** Describes the notifications that a link turns off. */
export async function showSubscription(
  db: Db,
  { publisherId, userId, kind }: Subscription,
): Promise<ShownSubscription> {
  const [person] = await findPeople(db, publisherId, userId);
  const choice = await readChoice(db, publisherId, personRecipient(userId));
  return {
    publisherName: (await publisherNames(db, [publisherId])).get(publisherId) ?? publisherId,
    kind,
    isOn: person !== undefined && choice[kind].length > 0,
  };
}

/** Turns off the notifications that a link is for. The audit log shows this as a change by the person. */
export async function unsubscribe(
  db: Db,
  subscription: Subscription,
  source: RequestSource,
  now: Date,
): Promise<ShownSubscription> {
  const { publisherId, userId } = subscription;
  const [person] = await findPeople(db, publisherId, userId);
  const name = person?.name ?? userId;
  const actor = actorOf({ kind: 'staff', staffId: userId, name, publisherId }, source);
  await turnOff(db, actor, subscription, now);
  return showSubscription(db, subscription);
}
