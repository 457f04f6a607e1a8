import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { storedActorId, storedActorName } from '../../audit/record-change.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { readMoment } from '../../platform/database/moment.ts';
import type { AccountId, AttributionId, HoldId } from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { laterBy, readAheadMs } from '../../publishers/publisher-time.ts';
import { isOpenAt, joinRelease } from './held.ts';

/** Maximum length of the reasons for placing and releasing a hold, in characters. */
export const maxHoldReason = 500;

export interface HoldTerms {
  publisherId: string;
  /** Reason in the actor's own words, 1 to 500 characters. */
  reason: string;
  /** Time on the publisher's clock at which the hold ends automatically; null for a hold that must be released. */
  endsAt: Date | null;
}

/** Subject of a hold: a row of a purchase, or a creator in one group or in all groups (`groupId` null). */
export type HoldSubject =
  | { attributionId: AttributionId; groupId: string }
  | { accountId: AccountId; groupId: string | null };

export interface HoldTimes {
  /** Time on the service's clock. */
  now: Date;
  /** Same time on the publisher's clock. */
  clockAt: Date;
}

/** Reads the current time. The caller holds a lock that payouts take exclusively when they set their cutoff. */
export async function readHoldTimes(tx: Tx, publisherId: string): Promise<HoldTimes> {
  const now = await readMoment(tx);
  return { now, clockAt: laterBy(now, await readAheadMs(tx, publisherId)) };
}

/**
 * @param name input that contains the text
 * @throws Refusal InvalidInput
 */
export function requireReason(typed: string, name: 'reason' | 'note' = 'reason'): string {
  const reason = typed.trim();
  if (reason === '' || [...reason].length > maxHoldReason)
    throw new Refusal('InvalidInput', `A ${name} of 1 to ${maxHoldReason} characters is required.`, {
      path: [name],
    });
  return reason;
}

/** @throws Refusal InvalidInput */
export function requireFutureEnd(endsAt: Date | null, { clockAt }: HoldTimes): void {
  if (endsAt !== null && endsAt <= clockAt)
    throw new Refusal('InvalidInput', 'The end of a hold must be in the future.', { path: ['endsAt'] });
}

const subjectOf = (subject: HoldSubject): string =>
  'attributionId' in subject
    ? `row:${subject.attributionId}`
    : subject.groupId === null
      ? `creator:${subject.accountId}`
      : `creator:${subject.accountId}/${subject.groupId}`;

/** Returns which of the subjects have an open hold, by index. The caller has locked their members. */
export async function findHeld(
  tx: Tx,
  publisherId: string,
  subjects: readonly HoldSubject[],
  { clockAt }: HoldTimes,
): Promise<ReadonlySet<number>> {
  const names = subjects.map(subjectOf);
  const { rows } = await sql<{ subject: string }>`
    select h.subject
    from payment_hold h
    ${joinRelease(publisherId)}
    where h.publisher_id = ${publisherId} and h.subject = any(${names}::text[]) and ${isOpenAt(clockAt)}`.execute(
    tx,
  );
  const held = new Set(rows.map(({ subject }) => subject));
  return new Set([...names.keys()].filter((index) => held.has(names[index] ?? '')));
}

/**
 * Inserts a hold for each subject, none of which has an open hold. The caller has locked the subjects' members.
 * @returns the ids of the holds, in the order of the subjects
 */
export async function saveHolds(
  tx: Tx,
  actor: Pick<Actor, 'kind' | 'id' | 'name'>,
  { publisherId, reason, endsAt, now }: HoldTerms & Pick<HoldTimes, 'now'>,
  subjects: readonly HoldSubject[],
): Promise<HoldId[]> {
  const ids = subjects.map(() => newRowId<HoldId>());
  await sql`
    insert into payment_hold (publisher_id, hold_id, subject, number, attribution_id, account_id, group_id, reason, ends_at,
                              placed_at, placed_by_kind, placed_by_id, placed_by_name)
    select ${publisherId}, s.hold_id, s.subject, coalesce(earlier.number, 0) + 1, s.attribution_id, s.account_id, s.group_id,
           ${reason}, ${endsAt}::timestamptz, ${now}::timestamptz, ${actor.kind}, ${storedActorId(actor.id)},
           ${storedActorName(actor.name)}
    from unnest(
      ${ids}::uuid[],
      ${subjects.map(subjectOf)}::text[],
      ${subjects.map((subject) => ('attributionId' in subject ? subject.attributionId : null))}::uuid[],
      ${subjects.map((subject) => ('accountId' in subject ? subject.accountId : null))}::text[],
      ${subjects.map(({ groupId }) => groupId)}::text[]
    ) as s (hold_id, subject, attribution_id, account_id, group_id)
    left join lateral (
      select max(number) as number
      from payment_hold
      where publisher_id = ${publisherId} and subject = s.subject
    ) earlier on true`.execute(tx);
  return ids;
}

/**
 * Ends a hold by inserting its release.
 * @returns false when the hold was already released
 */
export async function saveRelease(
  tx: Tx,
  actor: Pick<Actor, 'kind' | 'id' | 'name'>,
  { publisherId, holdId, reason }: { publisherId: string; holdId: HoldId; reason: string },
  { now }: HoldTimes,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into payment_hold_release (publisher_id, hold_id, reason, released_at, released_by_kind, released_by_id,
                                      released_by_name)
    values (${publisherId}, ${holdId}, ${reason}, ${now}, ${actor.kind}, ${storedActorId(actor.id)},
            ${storedActorName(actor.name)})
    on conflict (publisher_id, hold_id) do nothing`.execute(tx);
  return numAffectedRows === 1n;
}
