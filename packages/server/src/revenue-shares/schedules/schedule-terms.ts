import type { Facts } from '../../audit/record-change.ts';
import type { ScheduleId, TierId } from '../../platform/database/tables.generated.ts';
import { millionthsToPercent } from '../../platform/percent.ts';
import { Refusal } from '../../platform/refusal.ts';
import { versionOf } from '../../platform/version.ts';

/** Terms of a schedule. The window is half-open, [startsAt, endsAt). */
export interface ScheduleTerms {
  startsAt: Date;
  endsAt: Date;
  /** Share for all members, in millionths, 10_000 … 1_000_000; null if only tiers have a share. */
  shareMillionths: number | null;
  tierShares: readonly { tierId: TierId; shareMillionths: number }[];
}

export interface Schedule extends ScheduleTerms {
  /** Id with 21 characters. */
  scheduleId: ScheduleId;
  tierShares: readonly { tierId: TierId; tierName: string; shareMillionths: number }[];
}

/** Maximum number of tiers in a schedule, because it is saved and displayed as a whole. */
export const maxTiers = 1_000;

/**
 * Rejects terms without a share or with an invalid window.
 * @param instantAllowed whether the window may be an instant (start = end)
 * @throws Refusal InvalidInput for terms without any share; InvalidDate for a window that ends before it starts
 */
export function refuseEmptyTerms(
  { startsAt, endsAt, shareMillionths, tierShares }: ScheduleTerms,
  { instantAllowed = false } = {},
): void {
  if (shareMillionths === null && tierShares.length === 0)
    throw new Refusal('InvalidInput', 'revShare or tiers is required');
  if (endsAt < startsAt || (!instantAllowed && endsAt.getTime() === startsAt.getTime()))
    throw new Refusal('InvalidDate', 'endDate must be after startDate', { path: ['endDate'] });
}

export const scheduleFacts = (groupId: string, terms: ScheduleTerms): Facts => ({
  group: groupId,
  startDate: terms.startsAt.toISOString(),
  endDate: terms.endsAt.toISOString(),
  revShare: terms.shareMillionths === null ? null : millionthsToPercent(terms.shareMillionths),
  tiers: terms.tierShares.map(({ tierId, shareMillionths }) => ({
    tier: tierId,
    revShare: millionthsToPercent(shareMillionths),
  })),
});

/** Returns the version of a schedule, which is used to detect stale edits. */
export const scheduleVersion = (groupId: string, terms: ScheduleTerms): string =>
  versionOf(scheduleFacts(groupId, terms));
