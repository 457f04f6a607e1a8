import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { setPreference, usePreferences } from '../preferences.ts';
import { t } from '../text.ts';
import { useUrlState } from '../url-state.ts';
import { ownZone, ShownZone, useZone } from '../zone.ts';
import { periodsOf, rangeOf } from './filter-period.ts';
import { moveDays, zoneOfRange } from './zoned-days.ts';

/** List with `FilterDays`, whose days and times are in the same zone. */
export function RangeZone({ children }: { children: ReactNode }) {
  const { query } = useUrlState();
  const { zone } = usePreferences();
  return <ShownZone value={zoneOfRange(query, zone)}>{children}</ShownZone>;
}

/** Selector for the zone of a list's days and times. Hidden if the reader's own zone is UTC. */
export function ZoneFilter() {
  const { query, setQuery } = useUrlState();
  const zone = useZone();
  const own = ownZone();
  if (own === null) return null;
  const change = (next: 'viewer' | 'utc'): void => {
    setPreference('zone', next);
    if (query.from === undefined && query.until === undefined) return;
    // Today stays today, even where it is another day.
    const [period] = periodsOf(query, zone);
    const { from, until } = period === undefined ? moveDays(query, zone, next) : rangeOf(period, next);
    setQuery({ from: from ?? null, until: until ?? null }, 'replace');
  };
  return (
    <NativeSelect
      label={t('Time zone')}
      value={zone}
      data={[
        { value: 'viewer', label: t('{city} time', { city: own.split('/').at(-1) ?? own }) },
        { value: 'utc', label: 'UTC' },
      ]}
      onChange={({ currentTarget: { value } }) => change(value === 'utc' ? 'utc' : 'viewer')}
    />
  );
}
