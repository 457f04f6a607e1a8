import type { CreatorGroup, ShareSchedule, ShareTier } from '../../../client/types.gen.ts';
import { fromField, toField } from '../../../ui/moment-field.ts';
import type { Preferences } from '../../../ui/preferences.ts';
import { readPercent } from '../../../ui/read-number.ts';
import { addDays, dayMs, overlapOf, type Span, startOfDay, weekdayOf } from '../../../ui/timeline-grid.ts';

type Zone = Preferences['zone'];

/** Share that a schedule may give. */
export const scheduleBounds = { min: 1n, max: 100n };

/** Texts of a schedule's fields. Times are as their fields hold them: `2026-07-01T00:00`, in the chosen zone. */
export interface ScheduleDraft {
  startsAt: string;
  endsAt: string;
  /** Empty: only tiers have one. */
  revShare: string;
  /** By tier; empty: what is said for everybody. */
  tiers: Readonly<Record<string, string>>;
}

export interface Terms {
  startsAt: string;
  endsAt: string;
  revShare: number | null;
  tierShares: { tierId: string; revShare: number }[];
}

const spanOf = ({ startsAt, endsAt }: Pick<ShareSchedule, 'startsAt' | 'endsAt'>): Span => ({
  from: Date.parse(startsAt),
  until: Date.parse(endsAt),
});

/** The next weekend that no schedule is in the way of, and twice what everybody has: what is planned most. */
export function weekendDraft(
  {
    group,
    tiers,
    schedules,
  }: { group: CreatorGroup; tiers: readonly ShareTier[]; schedules: readonly ShareSchedule[] },
  nowMs: number,
  zone: Zone,
): ScheduleDraft {
  const today = startOfDay(nowMs, zone);
  let from = addDays(today, (6 - weekdayOf(today, zone) + 7) % 7 || 7, zone);
  const isFree = (): boolean => {
    const until = addDays(from, 2, zone);
    return schedules.every((schedule) => overlapOf(spanOf(schedule), { from, until }) === null);
  };
  for (let weeks = 0; weeks < 52 && !isFree(); weeks += 1) from = addDays(from, 7, zone);
  return {
    startsAt: toField(from, zone),
    endsAt: toField(addDays(from, 2, zone), zone),
    revShare: twice(group.revShare),
    tiers: Object.fromEntries(tiers.map(({ tierId, revShare }) => [tierId, twice(revShare)])),
  };
}

/** Doubles a share, within what a schedule may give. */
const twice = (percent: number): string =>
  String(Math.min(100, Math.max(1, Math.round(percent * 20_000) / 10_000)));

export const draftOf = (schedule: ShareSchedule, zone: Zone, movedTo: Span | null = null): ScheduleDraft => ({
  startsAt: toField(movedTo?.from ?? Date.parse(schedule.startsAt), zone),
  endsAt: toField(movedTo?.until ?? Date.parse(schedule.endsAt), zone),
  revShare: schedule.revShare === null ? '' : String(schedule.revShare),
  tiers: Object.fromEntries(schedule.tierShares.map(({ tierId, revShare }) => [tierId, String(revShare)])),
});

/** @returns null as long as something is missing or refused */
export function termsOf(draft: ScheduleDraft, zone: Zone): Terms | null {
  const from = fromField(draft.startsAt, zone);
  const until = fromField(draft.endsAt, zone);
  const revShare = readPercent(draft.revShare, scheduleBounds).value;
  const tierShares = Object.entries(draft.tiers).flatMap(([tierId, typed]) => {
    const share = readPercent(typed, scheduleBounds).value;
    return share === null ? [] : [{ tierId, revShare: share }];
  });
  if (from === null || until === null || until <= from || hasRefusedShare(draft)) return null;
  if (revShare === null && tierShares.length === 0) return null;
  return {
    startsAt: new Date(from).toISOString(),
    endsAt: new Date(until).toISOString(),
    revShare,
    tierShares,
  };
}

/** Tells a draft with a share that is no percentage; an empty one is none at all. */
export const hasRefusedShare = ({ revShare, tiers }: ScheduleDraft): boolean =>
  [revShare, ...Object.values(tiers)].some((typed) => {
    const { problem } = readPercent(typed, scheduleBounds);
    return problem !== null && problem !== 'empty';
  });

export interface Clash extends Span {
  schedule: ShareSchedule;
}

/** The schedules that a draft is in the way of, and where. */
export function clashesOf(
  terms: Pick<Terms, 'startsAt' | 'endsAt'>,
  schedules: readonly ShareSchedule[],
  itself: string | null,
): Clash[] {
  const window = spanOf(terms);
  return schedules.flatMap((schedule) => {
    if (schedule.scheduleId === itself) return [];
    // An instant is a point of the timeline: whoever covers it is in its way.
    const { from, until } = spanOf(schedule);
    const overlap = overlapOf({ from, until: Math.max(until, from + 1) }, window);
    return overlap === null ? [] : [{ schedule, ...overlap }];
  });
}

export type PastChoice = 'same' | '28' | '90';

/**
 * The past window that a cost is reckoned over: the planned one, as many whole weeks earlier as it takes to be over, or
 * some last days.
 */
export function pastWindow(choice: PastChoice, terms: Terms, nowMs: number): Span {
  if (choice !== 'same') {
    const until = nowMs - (nowMs % 60_000);
    return { from: until - Number(choice) * dayMs, until };
  }
  const { from, until } = spanOf(terms);
  const weeks = Math.max(0, Math.ceil((until - nowMs) / (7 * dayMs)));
  return { from: from - weeks * 7 * dayMs, until: until - weeks * 7 * dayMs };
}
