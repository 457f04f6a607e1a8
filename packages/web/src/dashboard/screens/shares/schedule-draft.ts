import type { CreatorGroup, ShareSchedule, ShareTier } from '../../../client/types.gen.ts';
import { fromField, toField } from '../../../ui/dates/datetime-field.ts';
import type { Preferences } from '../../../ui/preferences.ts';
import { readPercent } from '../../../ui/read-number.ts';
import { addDays, dayMs, overlapOf, type Span, startOfDay, weekdayOf } from '../../../ui/timeline-grid.ts';

type Zone = Preferences['zone'];

/** Bounds of a schedule's share, in percent. */
export const scheduleBounds = { min: 1n, max: 100n };

/** A schedule's fields, as text. Times have the form `2026-07-01T00:00`, in the chosen zone. */
export interface ScheduleDraft {
  startsAt: string;
  endsAt: string;
  /** Share for all creators; empty if only tiers have shares. */
  revShare: string;
  /** Share by tier. If a tier's share is empty, the share for all creators applies. */
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

/** Returns a draft of the most common schedule: double shares on the next unscheduled weekend. */
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

/** Doubles a share, within a schedule's bounds. */
const twice = (percent: number): string =>
  String(Math.min(100, Math.max(1, Math.round(percent * 20_000) / 10_000)));

export const draftOf = (schedule: ShareSchedule, zone: Zone, movedTo: Span | null = null): ScheduleDraft => ({
  startsAt: toField(movedTo?.from ?? Date.parse(schedule.startsAt), zone),
  endsAt: toField(movedTo?.until ?? Date.parse(schedule.endsAt), zone),
  revShare: schedule.revShare === null ? '' : String(schedule.revShare),
  tiers: Object.fromEntries(schedule.tierShares.map(({ tierId, revShare }) => [tierId, String(revShare)])),
});

/** @returns null while something is missing or invalid */
export function termsOf(draft: ScheduleDraft, zone: Zone): Terms | null {
  const from = fromField(draft.startsAt, zone);
  const until = fromField(draft.endsAt, zone);
  const revShare = readPercent(draft.revShare, scheduleBounds).value;
  const tierShares = Object.entries(draft.tiers).flatMap(([tierId, typed]) => {
    const share = readPercent(typed, scheduleBounds).value;
    return share === null ? [] : [{ tierId, revShare: share }];
  });
  if (from === null || until === null || until <= from || hasInvalidShare(draft)) return null;
  if (revShare === null && tierShares.length === 0) return null;
  return {
    startsAt: new Date(from).toISOString(),
    endsAt: new Date(until).toISOString(),
    revShare,
    tierShares,
  };
}

/** Returns whether the draft has an invalid share. An empty share is valid. */
export const hasInvalidShare = ({ revShare, tiers }: ScheduleDraft): boolean =>
  [revShare, ...Object.values(tiers)].some((typed) => {
    const { problem } = readPercent(typed, scheduleBounds);
    return problem !== null && problem !== 'empty';
  });

export interface Clash extends Span {
  schedule: ShareSchedule;
}

/** Returns the schedules that overlap a draft, each with its overlap. */
export function clashesOf(
  terms: Pick<Terms, 'startsAt' | 'endsAt'>,
  schedules: readonly ShareSchedule[],
  ownId: string | null,
): Clash[] {
  const window = spanOf(terms);
  return schedules.flatMap((schedule) => {
    if (schedule.scheduleId === ownId) return [];
    // A schedule with no duration is a point in time. It overlaps any window that contains it.
    const { from, until } = spanOf(schedule);
    const overlap = overlapOf({ from, until: Math.max(until, from + 1) }, window);
    return overlap === null ? [] : [{ schedule, ...overlap }];
  });
}

export type PastChoice = 'same' | '28' | '90';

/**
 * Returns the past window for estimating a cost: either the planned window moved back by whole weeks until it
 * is in the past, or the most recent days.
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
