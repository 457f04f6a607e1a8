import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { lockMemberships } from '../../members/lock-members.ts';
import { foldCode, resolveCodes } from '../../members/read/resolve-codes.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import { newDatedId } from '../../platform/dated-ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Program } from '../../publishers/programs.ts';
import { lockForPosting } from '../../settlement/settlement-lock.ts';
import { addContributions } from './add-contributions.ts';

export interface SentEvent {
  eventId: string;
  eventCode: string;
  member: { code: string } | { memberId: AccountId };
  playerId: string;
  occurredAt: Date;
}

export interface RecordedEvent {
  eventId: string;
  eventCode: string;
  memberId: AccountId;
  playerId: string;
  occurredAt: Date;
}

export interface EventToRecord {
  program: Program;
  groupId: string;
  event: SentEvent;
  /** True if the key is scoped to its group. Events of other groups are then not returned. */
  ownGroupOnly: boolean;
}

/**
 * Records and counts an event in one commit. An event with a known id is not counted again, and the stored
 * event is returned. Ids are stored forever, but events are stored for only a limited number of days
 * (docs/adr/0041-retention.md).
 * @throws Refusal CodeNotInGroup or MemberNotFound; InvalidEventCode when no objective in the group has the
 *   code; Conflict for the id of an event in another group, or of an event that is no longer stored
 */
export async function recordEvent(
  db: Db,
  { program, groupId, event, ownGroupOnly }: EventToRecord,
  now: Date,
): Promise<RecordedEvent> {
  const { publisherId } = program;
  const visibleGroupId = ownGroupOnly ? groupId : null;
  const known = await readEvent(db, publisherId, event.eventId, visibleGroupId);
  if (known !== null) return known;
  const membershipId = await membershipOf(db, program, groupId, event.member);
  return inTransaction(db, async (tx) => {
    await lockForPosting(tx, publisherId); // keeps bounties from being defined at the same time
    await lockApproved(tx, publisherId, membershipId, event.member);
    await requireEventCode(tx, publisherId, groupId, event.eventCode);
    const { rows } = await sql`
      with claimed as (
        insert into bounty_event_id (publisher_id, id_digest, record_id)
        values (${publisherId}, ${digestOf(event.eventId)}::uuid, ${newDatedId()}::uuid)
        on conflict (publisher_id, id_digest) do nothing
        returning record_id
      )
      insert into bounty_event (publisher_id, record_id, event_id, group_id, membership_id, event_code, player_id, occurred_at,
                                recorded_at)
      select ${publisherId}, record_id, ${event.eventId}, ${groupId}, ${membershipId}::uuid, ${event.eventCode}, ${event.playerId},
             ${event.occurredAt}, ${now}
      from claimed
      returning event_id`.execute(tx);
    if (rows.length > 0) {
      await addContributions(
        tx,
        publisherId,
        sql`
          select o.objective_id, ${membershipId}::uuid as membership_id, ${event.eventId}::text as source_id,
                 '{}'::uuid[] as row_ids, 1 as value, ${event.occurredAt}::timestamptz as occurred_at
          from bounty_objective o
          join bounty b
            on b.publisher_id = ${publisherId} and b.bounty_id = o.bounty_id and b.group_id = ${groupId}
           and ${event.occurredAt} >= b.starts_at and (b.ends_at is null or ${event.occurredAt} < b.ends_at)
          where o.publisher_id = ${publisherId} and o.event_code = ${event.eventCode} and o.removed_at is null`,
      );
    }
    const recorded = await readEvent(tx, publisherId, event.eventId, visibleGroupId);
    if (recorded === null) throw new Error("an event was recorded but can't be read");
    return recorded;
  });
}

/** Returns the form of an event id that is kept forever: half of its SHA-256 digest, as a UUID (migration 0026). */
const digestOf = (eventId: string): string => createHash('sha256').update(eventId).digest('hex').slice(0, 32);

/**
 * Reads an event by its id; null if the id is new.
 * @param groupId the only group whose events may be returned; null for any group
 * @throws Refusal Conflict
 */
async function readEvent(
  db: Db | Tx,
  publisherId: string,
  eventId: string,
  groupId: string | null,
): Promise<RecordedEvent | null> {
  const claim = await db
    .selectFrom('bounty_event_id')
    .select('record_id')
    .where('publisher_id', '=', publisherId)
    .where('id_digest', '=', digestOf(eventId))
    .executeTakeFirst();
  if (claim === undefined) return null;
  // The record id limits the lookup to one day's partition.
  const { rows } = await sql<{
    group_id: string;
    event_code: string;
    account_id: AccountId;
    player_id: string;
    occurred_at: Date;
  }>`
    select e.group_id, e.event_code, m.account_id, e.player_id, e.occurred_at
    from bounty_event e
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = e.membership_id
    where e.publisher_id = ${publisherId} and e.record_id = ${claim.record_id}::uuid and e.event_id = ${eventId}`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined)
    throw new Refusal('Conflict', 'The eventId was already recorded, and its event is no longer stored.');
  if (groupId !== null && row.group_id !== groupId)
    throw new Refusal('Conflict', 'The eventId was already used for another event. Send a new eventId.');
  return {
    eventId,
    eventCode: row.event_code,
    memberId: row.account_id,
    playerId: row.player_id,
    occurredAt: row.occurred_at,
  };
}

async function membershipOf(
  db: Db,
  program: Program,
  groupId: string,
  member: SentEvent['member'],
): Promise<MembershipId> {
  if ('code' in member) {
    const folded = foldCode(member.code);
    const found = await resolveCodes(db, program, groupId, new Set([folded]));
    const credited = found.get(folded);
    if (credited === undefined) throw notAMember(member);
    return credited.membershipId;
  }
  const found = await db
    .selectFrom('membership')
    .select('membership_id')
    .where('publisher_id', '=', program.publisherId)
    .where('group_id', '=', groupId)
    .where('account_id', '=', member.memberId)
    .executeTakeFirst();
  if (found === undefined) throw notAMember(member);
  return found.membership_id;
}

/** Locks the membership, and rejects a member who was removed since the lookup. */
async function lockApproved(
  tx: Tx,
  publisherId: string,
  membershipId: MembershipId,
  member: SentEvent['member'],
): Promise<void> {
  const [locked] = await lockMemberships(tx, publisherId, [membershipId]);
  if (locked?.status !== 'Approved') throw notAMember(member);
}

async function requireEventCode(
  tx: Tx,
  publisherId: string,
  groupId: string,
  eventCode: string,
): Promise<void> {
  const { rows } = await sql`
    select 1
    from bounty_objective o
    join bounty b on b.publisher_id = ${publisherId} and b.bounty_id = o.bounty_id and b.group_id = ${groupId}
    where o.publisher_id = ${publisherId} and o.event_code = ${eventCode} and o.removed_at is null
    limit 1`.execute(tx);
  if (rows.length === 0)
    throw new Refusal('InvalidEventCode', 'No bounty objective of the creator group has this eventCode.');
}

const notAMember = (member: SentEvent['member']): Refusal =>
  'code' in member
    ? new Refusal('CodeNotInGroup', 'No approved member of the creator group has this code.')
    : new Refusal('MemberNotFound', 'The creator group has no approved member with this id.');
