import { Stack, Text } from '@mantine/core';
import { locales } from '../../../ui/locale.ts';
import { setPreference, usePreferences } from '../../../ui/preferences.ts';
import { t } from '../../../ui/text.ts';
import { Select } from '../../select.tsx';

/** Time zone and language of this browser. */
export function Display() {
  const { zone, locale } = usePreferences();
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ');
  return (
    <Stack component="section" aria-label={t('Display')}>
      <Select
        label={t('Time zone')}
        value={zone}
        data={[
          { value: 'viewer', label: t('This device’s time zone: {zone}', { zone: own }) },
          { value: 'utc', label: 'UTC' },
        ]}
        onChange={({ currentTarget: { value } }) => setPreference('zone', value === 'utc' ? 'utc' : 'viewer')}
      />
      {locales.length > 1 && (
        <Select
          label={t('Language')}
          value={locale ?? ''}
          data={[
            { value: '', label: t('The browser’s language') },
            ...locales.map((each) => ({
              value: each,
              label: new Intl.DisplayNames([each], { type: 'language' }).of(each) ?? each,
            })),
          ]}
          onChange={({ currentTarget: { value } }) => {
            setPreference('locale', value === '' ? null : value);
            window.location.reload();
          }}
        />
      )}
      <Text size="sm" c="dimmed">
        {t('Saved in this browser. Monthly statements are always in UTC.')}
      </Text>
    </Stack>
  );
}
