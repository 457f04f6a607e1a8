import { SegmentedControl } from '@mantine/core';
import { setPreference, usePreferences } from './preferences.ts';
import { t } from './text.ts';

/** In which zone times are shown and typed. */
export function ZoneChoice() {
  const { zone } = usePreferences();
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
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
