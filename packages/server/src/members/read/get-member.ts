import { sql } from 'kysely';
import type { LRUCache } from 'lru-cache';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { toAccountId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { CreatorGroup, Program } from '../../publishers/programs.ts';
import { type MemberRecord, readMembers, withGroupDefaults } from './member-record.ts';
import { foldCode, resolveCodes } from './resolve-codes.ts';

const codeShape = /^[A-Za-z0-9_-]{2,32}$/;
/** What an account id may be: text that PostgreSQL can compare with. */
const idShape = /^[^\0\p{Surrogate}]{1,255}$/u;
const maxRecordsKept = 20_000;

// Kept per program, like codes: whatever changes a member record makes a new version.
const keptRecords = new WeakMap<Program, LRUCache<string, MemberRecord>>();

/**
 * The Approved member that a code credits in a group. Games ask while players type, so a found member is
 * answered from memory.
 * @throws Refusal CodeNotInGroup
 */
export async function getMemberByCode(
  db: Db,
  program: Program,
  group: CreatorGroup,
  code: string,
): Promise<MemberRecord> {
  if (!codeShape.test(code)) throw codeNotInGroup();
  const folded = foldCode(code);
  const kept = keptRecords.get(program) ?? boundedCache<MemberRecord>(maxRecordsKept);
  keptRecords.set(program, kept);
  const place = `${group.groupId}\0${folded}`;
  const known = kept.get(place);
  if (known !== undefined) return known;
  const member = (await resolveCodes(db, program, group.groupId, new Set([folded]))).get(folded);
  if (member === undefined) throw codeNotInGroup();
  const [found] = await readMembers(db, {
    publisherId: program.publisherId,
    group,
    condition: sql`m.membership_id = ${member.membershipId}::uuid`,
  });
  if (found === undefined) throw codeNotInGroup();
  const record = withGroupDefaults(found, group);
  kept.set(place, record);
  return record;
}

/**
 * The Approved member with an account id.
 * @throws Refusal CodeNotInGroup, for an account that does not exist and for one of another publisher alike
 */
export async function getMemberById(
  db: Db,
  publisherId: string,
  group: CreatorGroup,
  memberId: AccountId,
): Promise<MemberRecord> {
  const [found] = await readMembers(db, {
    publisherId,
    group,
    condition: sql`m.account_id = ${memberId} and m.status = 'Approved'`,
  });
  if (found === undefined) throw codeNotInGroup();
  return withGroupDefaults(found, group);
}

/**
 * The Approved member that the publisher knows by a player id.
 * @throws Refusal PlayerNotInGroup
 */
export async function getMemberByPlayer(
  db: Db,
  publisherId: string,
  group: CreatorGroup,
  playerId: string,
): Promise<MemberRecord> {
  const [found] = await readMembers(db, {
    publisherId,
    group,
    condition: sql`m.player_id = ${playerId} and m.status = 'Approved'`,
  });
  if (found === undefined)
    throw new Refusal('PlayerNotInGroup', 'No member of the creator group has this playerId.');
  return withGroupDefaults(found, group);
}

/**
 * The Approved member that a code credits in a group, or else the one with this account id: published SDKs send ids
 * where a code is asked for. A code of that text wins.
 * @throws Refusal CodeNotInGroup
 */
export async function getMemberByCodeOrId(
  db: Db,
  program: Program,
  group: CreatorGroup,
  codeOrId: string,
): Promise<MemberRecord> {
  try {
    return await getMemberByCode(db, program, group, codeOrId);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'CodeNotInGroup' || !idShape.test(codeOrId))
      throw error;
    return getMemberById(db, program.publisherId, group, toAccountId(codeOrId));
  }
}

const codeNotInGroup = (): Refusal =>
  new Refusal('CodeNotInGroup', 'The code or account is not an approved member of the creator group.');
