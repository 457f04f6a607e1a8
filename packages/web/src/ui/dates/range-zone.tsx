import { Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { usePreferences } from '../preferences.ts';
import { t } from '../text.ts';
import { useUrlState } from '../url-state.ts';
import { ownTime, ShownZone, useZone, type Zone } from '../zone.ts';
import { periodsOf, rangeOf } from './filter-period.ts';
import { moveDays, type Range, zoneOfRange } from './zoned-days.ts';

/** List with `FilterDays`, whose days and times are in the same zone. */
export function RangeZone({ children }: { children: ReactNode }) {
  const { query, setQuery } = useUrlState();
  const { zone } = usePreferences();
  const shown = useRef(zone);
  useEffect(() => {
    if (shown.current === zone) return;
    shown.current = zone;
    if (query.from === undefined && query.until === undefined) return;
    const { from, until } = rangeIn(zone, query);
    setQuery({ from: from ?? null, until: until ?? null }, 'replace');
  }, [zone, query, setQuery]);
  return <ShownZone value={zoneOfRange(query, zone)}>{children}</ShownZone>;
}

/** Returns the same period or the same days in the zone that the reader changed to. */
function rangeIn(zone: Zone, range: Range): Range {
  const before = zoneOfRange(range, zone === 'utc' ? 'viewer' : 'utc');
  // Today stays today, even where it is another day.
  const [period] = periodsOf(range, before);
  return period === undefined ? moveDays(range, before, zone) : rangeOf(period, zone);
}

/** Names the zone of a list's days and times if it isn't the reader's, as behind a sum of UTC days. */
export function ZoneNote() {
  const { zone: preferred } = usePreferences();
  const zone = useZone();
  const own = ownTime();
  if (zone === preferred || own === null) return null;
  return (
    <Text size="sm" c="dimmed" lh="2.25rem">
      {zone === 'utc' ? t('Times in UTC') : t('Times in {zone}', { zone: own })}
    </Text>
  );
}
