import { sql } from 'kysely';
import type { Static } from 'typebox';
import { readProgress } from '../../bounties/read/progress-rows.ts';
import { readAuthCodeState } from '../../linking/read-auth-code-state.ts';
import { listClaims, listOtherGroups } from '../../members/read/list-claims.ts';
import { type ManagedCode, type MemberToRead, readManaged } from '../../members/read/read-managed.ts';
import type { Db } from '../../platform/database/database.ts';
import { laterBy, readAheadMs } from '../../publishers/publisher-time.ts';
import { readMemberMoney } from '../../settlement/read-member-money.ts';
import type { memberDetail } from './member-schemas.ts';

const dayMs = 86_400_000;
const daysShown = 30;
const bountiesShown = 20;

/**
 * Reads a creator in a group, with the creator's balances, bounties, claims and auth code.
 * @throws Refusal NotFound
 */
export async function readMember(
  db: Db,
  named: MemberToRead,
  now: Date,
): Promise<Static<typeof memberDetail>> {
  const { publisherId } = named;
  const { membershipId, ...member } = await readManaged(db, named);
  const { memberId: accountId, groupId } = member;
  const today = laterBy(now, await readAheadMs(db, publisherId));
  const since = new Date(today.getTime() - (daysShown - 1) * dayMs).toISOString().slice(0, 10);
  const [otherGroups, claims, money, progress, authCode] = await Promise.all([
    listOtherGroups(db, publisherId, { accountId, groupId }),
    listClaims(db, publisherId, { accountId, membershipId }),
    readMemberMoney(db, publisherId, membershipId, since),
    readProgress(
      db,
      publisherId,
      sql`p.membership_id = ${membershipId}::uuid`,
      sql`order by b.starts_at desc, b.bounty_id limit ${bountiesShown}`,
    ),
    readAuthCodeState(db, { publisherId, accountId, now }),
  ]);
  return {
    ...member,
    codes: withOnePrimary(member.codes),
    joinedAt: member.joinedAt,
    removedAt: isoOrNull(member.removedAt),
    otherGroups,
    claims: claims.map((claim) => ({ ...claim, claimedAt: claim.claimedAt.toISOString() })),
    money: money.map(({ currency, balanceMinor, purchases, grossMinor, shareMinor }) => ({
      currency,
      balanceMinor,
      purchases: Number(purchases),
      grossMinor,
      shareMinor,
    })),
    bounties: progress.map(({ record, currencyOf }) => ({
      name: record.name,
      limit: record.limit ?? null,
      isCompleted: record.completed,
      completionCount: record.completionCount,
      objectives: record.currentObjectives.map(({ count, objective }) => ({
        name: objective.name,
        count,
        target: objective.count,
        condition: objective.condition,
        currency: currencyOf.get(objective.id) ?? null,
      })),
    })),
    authCode: { mayIssue: authCode.mayIssue, goodUntil: isoOrNull(authCode.goodUntil) },
  };
}

const isoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;

/**
 * Returns the codes, with at most one primary code, which comes first. A primary group code takes precedence
 * over a primary global code.
 */
function withOnePrimary(codes: readonly ManagedCode[]): ManagedCode[] {
  const groupHasPrimary = codes.some(({ scope, isPrimary }) => scope === 'group' && isPrimary);
  const shown = codes.map((code) => ({
    ...code,
    isPrimary: code.isPrimary && !(groupHasPrimary && code.scope === 'global'),
  }));
  return shown.sort((one, other) => Number(other.isPrimary) - Number(one.isPrimary));
}
