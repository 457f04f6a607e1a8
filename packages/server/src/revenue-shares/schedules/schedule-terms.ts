import type { Facts } from '../../audit/record-change.ts';
import type { ScheduleId, TierId } from '../../platform/database/tables.generated.ts';
import { millionthsToPercent } from '../../platform/percent.ts';
import { Refusal } from '../../platform/refusal.ts';
import { versionOf } from '../../platform/version.ts';

/** What a schedule says; times are half-open, [startsAt, endsAt). */
export interface ScheduleTerms {
  startsAt: Date;
  endsAt: Date;
  /** Group-wide share, 10_000 … 1_000_000 of the whole; null when only tiers have one. */
  shareMillionths: number | null;
  tierShares: readonly { tierId: TierId; shareMillionths: number }[];
}

export interface Schedule extends ScheduleTerms {
  /** 21 characters. */
  scheduleId: ScheduleId;
  tierShares: readonly { tierId: TierId; tierName: string; shareMillionths: number }[];
}

/** Tiers of one schedule: it is written and shown in one piece. */
export const maxTiers = 1_000;

/**
 * @param instantAllowed whether the window may be a point of time
 * @throws Refusal InvalidInput for terms without any share, InvalidDate for a window that ends too soon
 */
export function refuseEmptyTerms(
  { startsAt, endsAt, shareMillionths, tierShares }: ScheduleTerms,
  { instantAllowed = false } = {},
): void {
  if (shareMillionths === null && tierShares.length === 0)
    throw new Refusal('InvalidInput', 'a schedule needs revShare, tiers or both');
  if (endsAt < startsAt || (!instantAllowed && endsAt.getTime() === startsAt.getTime()))
    throw new Refusal('InvalidDate', 'endDate must be after startDate', { path: ['endDate'] });
}

/** As the audit log shows it. */
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

/** What two people who edit the same schedule are told apart by. */
export const scheduleVersion = (groupId: string, terms: ScheduleTerms): string =>
  versionOf(scheduleFacts(groupId, terms));
