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
/** Pattern for an account id. PostgreSQL can't store U+0000 or surrogates. */
const idShape = /^[^\0\p{Surrogate}]{1,255}$/u;
const maxCachedRecords = 20_000;

// Cached per program, like codes, because every change to a member record creates a new version of the
// program.
const recordCaches = new WeakMap<Program, LRUCache<string, MemberRecord>>();

/**
 * Returns the Approved member that a code credits in a group. Found members are cached, because games look up codes while
 * players type.
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
  const cache = recordCaches.get(program) ?? boundedCache<MemberRecord>(maxCachedRecords);
  recordCaches.set(program, cache);
  const key = `${group.groupId}\0${folded}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const member = (await resolveCodes(db, program, group.groupId, new Set([folded]))).get(folded);
  if (member === undefined) throw codeNotInGroup();
  const [found] = await readMembers(db, {
    publisherId: program.publisherId,
    group,
    condition: sql`m.membership_id = ${member.membershipId}::uuid`,
  });
  if (found === undefined) throw codeNotInGroup();
  const record = withGroupDefaults(found, group);
  cache.set(key, record);
  return record;
}

/**
 * Returns the Approved member with an account id.
 * @throws Refusal CodeNotInGroup, including for another publisher's account
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
 * Returns the Approved member with a player id.
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
 * Returns the Approved member that a code credits in a group, or else the member with this account id, because released
 * SDKs send ids in place of codes. A code with the same text takes precedence.
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
  new Refusal('CodeNotInGroup', "The code or account isn't an approved member of the creator group.");
