import { SegmentedControl } from '@mantine/core';
import { setPreference, usePreferences } from './preferences.ts';
import { t } from './text.ts';

/**
 * Selector for the time zone in which times are shown and entered. Hidden if the reader's own zone is UTC.
 */
export function ZoneChoice() {
  const { zone } = usePreferences();
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (['UTC', 'Etc/UTC', 'Etc/GMT', 'GMT'].includes(own)) return null;
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('Time zone')}
      data={[
        { value: 'viewer', label: own.replaceAll('_', ' ') },
        { value: 'utc', label: 'UTC' },
      ]}
      value={zone}
      onChange={(value) => setPreference('zone', value === 'utc' ? 'utc' : 'viewer')}
    />
  );
}
