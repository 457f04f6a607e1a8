import { SegmentedControl } from '@mantine/core';
import { setPreference, usePreferences } from './preferences.ts';
import { t } from './text.ts';
import { ownTime } from './zone.ts';

/**
 * Selector for the time zone in which times are shown and entered. Hidden if the reader's own zone is UTC.
 */
export function ZoneChoice() {
  const { zone } = usePreferences();
  const own = ownTime();
  if (own === null) return null;
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('Time zone')}
      data={[
        { value: 'viewer', label: own },
        { value: 'utc', label: 'UTC' },
      ]}
      value={zone}
      onChange={(value) => setPreference('zone', value === 'utc' ? 'utc' : 'viewer')}
    />
  );
}
