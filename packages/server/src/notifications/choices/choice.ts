import type { Role } from '../../accounts/roles.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { versionOf } from '../../platform/version.ts';
import { nextOccurrence, type SendTime } from '../schedule/local-time.ts';
import {
  type DigestSubject,
  digestSubjectNames,
  digestSubjectsOf,
  type ImmediateSubject,
  immediateSubjectNames,
  immediateSubjectsOf,
} from '../subjects.ts';

/** Chosen subjects, and the time for digests. */
export interface Choice extends SendTime {
  daily: readonly DigestSubject[];
  weekly: readonly DigestSubject[];
  immediate: readonly ImmediateSubject[];
}

export interface StoredChoice extends Choice {
  nextDailyAt: Date | null;
  nextWeeklyAt: Date | null;
  version: string;
  /** True if the recipient has never chosen anything. */
  isDefault: boolean;
}

/** Default choice, for a recipient that hasn't chosen yet. Digests are off. */
export const defaultChoice: Choice = {
  timeZone: 'UTC',
  hour: 8,
  daily: [],
  weekly: [],
  immediate: immediateSubjectNames,
};

export async function readChoice(db: Db | Tx, publisherId: string, recipient: string): Promise<StoredChoice> {
  const saved = (await readChoices(db, publisherId, [recipient])).get(recipient);
  if (saved !== undefined) return saved;
  const version = versionOfChoice(defaultChoice);
  return { ...defaultChoice, nextDailyAt: null, nextWeeklyAt: null, version, isDefault: true };
}

/** Reads the saved choices of a publisher's recipients. */
export async function readChoices(
  db: Db | Tx,
  publisherId: string,
  recipients: readonly string[],
): Promise<ReadonlyMap<string, StoredChoice>> {
  if (recipients.length === 0) return new Map();
  const rows = await db
    .selectFrom('notification_choice')
    .select([
      'recipient',
      'time_zone',
      'send_hour',
      'daily',
      'weekly',
      'immediate',
      'next_daily_at',
      'next_weekly_at',
    ])
    .where('publisher_id', '=', publisherId)
    .where('recipient', 'in', recipients)
    .execute();
  return new Map(
    rows.map((row) => {
      const choice: Choice = {
        timeZone: row.time_zone,
        hour: row.send_hour,
        daily: among(digestSubjectNames, row.daily),
        weekly: among(digestSubjectNames, row.weekly),
        immediate: among(immediateSubjectNames, row.immediate),
      };
      return [
        row.recipient,
        {
          ...choice,
          nextDailyAt: row.next_daily_at,
          nextWeeklyAt: row.next_weekly_at,
          version: versionOfChoice(choice),
          isDefault: false,
        },
      ];
    }),
  );
}

/** Another version of the service may have stored subjects that this one doesn't know. */
const among = <Subject extends string>(known: readonly Subject[], stored: readonly string[]): Subject[] =>
  known.filter((subject) => stored.includes(subject));

export const versionOfChoice = ({ timeZone, hour, daily, weekly, immediate }: Choice): string =>
  versionOf([timeZone, hour, [...daily].sort(), [...weekly].sort(), [...immediate].sort()]);

/** Returns the part of a choice that a role may see. A channel's role is null, so it sees everything. */
export function permitted(choice: Choice, role: Role | null): Choice {
  const digests = new Set(digestSubjectsOf(role));
  const immediates = new Set(immediateSubjectsOf(role));
  return {
    ...choice,
    daily: choice.daily.filter((subject) => digests.has(subject)),
    weekly: choice.weekly.filter((subject) => digests.has(subject)),
    immediate: choice.immediate.filter((subject) => immediates.has(subject)),
  };
}

/** Saves a choice and the due times of its next digests. */
export async function writeChoice(
  tx: Tx,
  { publisherId, recipient }: { publisherId: string; recipient: string },
  choice: Choice,
  now: Date,
): Promise<void> {
  const { timeZone, hour, daily, weekly, immediate } = choice;
  const next = (frequency: 'daily' | 'weekly'): Date | null =>
    choice[frequency].length === 0 ? null : nextOccurrence(choice, frequency, now).at;
  const values = {
    time_zone: timeZone,
    send_hour: hour,
    daily: [...daily],
    weekly: [...weekly],
    immediate: [...immediate],
    next_daily_at: next('daily'),
    next_weekly_at: next('weekly'),
  };
  await tx
    .insertInto('notification_choice')
    .values({ publisher_id: publisherId, recipient, ...values })
    .onConflict((conflict) => conflict.columns(['publisher_id', 'recipient']).doUpdateSet(values))
    .execute();
}
