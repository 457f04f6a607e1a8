import type { CreatorGroup, ShareSchedule, ShareTier } from '../../../client/types.gen.ts';
import { formatPercent } from '../../../ui/percent.tsx';
import type { Preferences } from '../../../ui/preferences.ts';
import { t } from '../../../ui/text.ts';
import type { TimelineBar, TimelineLane } from '../../../ui/timeline.tsx';
import { formatWhen } from '../../../ui/when.tsx';
import type { Clash, Terms } from './schedule-draft.ts';

interface Drawn {
  group: CreatorGroup;
  tiers: readonly ShareTier[];
  schedules: readonly ShareSchedule[];
  zone: Preferences['zone'];
  /** Schedule being edited, shown in place of its saved version. */
  draft?: { terms: Terms; clashes: readonly Clash[]; ownId: string | null } | undefined;
}

/** Returns a lane for all creators and a lane for each tier. */
export function lanesOf({ group, tiers, schedules, zone, draft }: Drawn): TimelineLane[] {
  const kept = schedules.filter(({ scheduleId }) => scheduleId !== draft?.ownId);
  const bars = (tierId: string | null): TimelineBar[] => [
    ...kept.flatMap((schedule) => barOf(schedule, schedule.scheduleId, tierId, zone)),
    ...(draft === undefined ? [] : barOf(draft.terms, 'draft', tierId, zone)).map(
      (bar): TimelineBar => ({ ...bar, look: 'draft' }),
    ),
    ...(draft?.clashes ?? []).map(
      ({ schedule, from, until }): TimelineBar => ({
        key: schedule.scheduleId,
        from,
        until,
        percent: 0,
        look: 'clash',
        title: t('Overlaps {window}', { window: windowText(schedule, zone) }),
      }),
    ),
  ];
  return [
    { key: '', name: t('All creators'), baseline: group.revShare, bars: bars(null) },
    ...tiers.map(({ tierId, name, revShare }) => ({
      key: tierId,
      name,
      baseline: revShare,
      bars: bars(tierId),
    })),
  ];
}

export const windowText = (
  { startsAt, endsAt }: Pick<Terms, 'startsAt' | 'endsAt'>,
  zone: Preferences['zone'],
): string =>
  t('{from} to {until}', {
    from: formatWhen(startsAt, zone),
    until: formatWhen(endsAt, zone),
  });

/**
 * Returns a schedule's bars for a tier: a single bar for the tier's share or the share for all creators, or
 * no bar.
 */
function barOf(terms: Terms, key: string, tierId: string | null, zone: Preferences['zone']): TimelineBar[] {
  const own =
    tierId === null
      ? terms.revShare
      : (terms.tierShares.find((share) => share.tierId === tierId)?.revShare ?? null);
  const percent = own ?? terms.revShare;
  if (percent === null) return [];
  return [
    {
      key,
      from: Date.parse(terms.startsAt),
      until: Date.parse(terms.endsAt),
      percent,
      look: own === null ? 'inherited' : 'own',
      title: `${formatPercent(percent)}: ${windowText(terms, zone)}`,
    },
  ];
}
