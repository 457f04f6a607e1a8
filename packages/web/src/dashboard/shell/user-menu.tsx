import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon } from '../../ui/icons.tsx';
import { locales } from '../../ui/locale.ts';
import { setPreference, usePreferences } from '../../ui/preferences.ts';
import { t } from '../../ui/text.ts';
import { ownTime } from '../../ui/zone.ts';
import { leave } from '../session/leave.ts';
import { useMe, usePublisher } from '../session/session.ts';

export function UserMenu({ onKeys }: { onKeys(): void }) {
  const me = useMe();
  const { publisherId, role, sandboxOf } = usePublisher();
  return (
    <Menu position="bottom-end" width={270} closeOnItemClick={false} withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('You: {name}', { name: me.name })}>
          <Icon name="person" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)">
            {me.name}
          </Text>
          {me.email !== null && <Text size="xs">{me.email}</Text>}
          <Text size="xs">{t('Role: {role}', { role })}</Text>
        </Menu.Label>
        <Menu.Divider />
        <ColorSchemeItems />
        <Menu.Divider />
        <PreferenceItems />
        <Menu.Item leftSection={<Icon name="keyboard" size={16} />} closeMenuOnClick onClick={onKeys}>
          {t('Keyboard shortcuts')}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="bell" size={16} />}
          closeMenuOnClick
          component={Link}
          {...({ to: '/account/notifications', search: { publisher: sandboxOf ?? publisherId } } as object)}
        >
          {t('Notifications')}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="lock" size={16} />}
          closeMenuOnClick
          component={Link}
          {...({ to: '/account' } as object)}
        >
          {t('Sign-in settings')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="external" size={16} />} onClick={() => void leave()}>
          {t('Sign out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Renders a menu item as a button with the given role, because the library overwrites a `role` property. */
const asRole = (role: string) => (props: object) => <button type="button" {...props} role={role} />;

function ColorSchemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const schemes = [
    ['auto', t('System theme'), 'globe'],
    ['light', t('Light theme'), 'sun'],
    ['dark', t('Dark theme'), 'moon'],
  ] as const;
  return schemes.map(([scheme, label, icon]) => (
    <Menu.Item
      key={scheme}
      renderRoot={asRole('menuitemradio')}
      aria-checked={colorScheme === scheme}
      leftSection={<Icon name={icon} size={16} />}
      rightSection={colorScheme === scheme ? <Icon name="check" size={14} /> : null}
      onClick={() => setColorScheme(scheme)}
    >
      {label}
    </Menu.Item>
  ));
}

function PreferenceItems() {
  const { zone, singleKeys, locale } = usePreferences();
  const own = ownTime();
  const zones = [
    ['viewer', own],
    ['utc', 'UTC'],
  ] as const;
  const check = (isOn: boolean) => (isOn ? <Icon name="check" size={14} /> : null);
  return (
    <>
      {own !== null && (
        <>
          <Menu.Label>{t('Time zone')}</Menu.Label>
          {zones.map(([value, label]) => (
            <Menu.Item
              key={value}
              renderRoot={asRole('menuitemradio')}
              aria-checked={zone === value}
              rightSection={check(zone === value)}
              onClick={() => setPreference('zone', value)}
            >
              {label}
            </Menu.Item>
          ))}
          <Menu.Divider />
        </>
      )}
      <Menu.Item
        renderRoot={asRole('menuitemcheckbox')}
        aria-checked={singleKeys}
        rightSection={check(singleKeys)}
        onClick={() => setPreference('singleKeys', !singleKeys)}
      >
        {t('Single-key shortcuts')}
      </Menu.Item>
      {locales.length > 1 &&
        locales.map((each) => (
          <Menu.Item
            key={each}
            renderRoot={asRole('menuitemradio')}
            aria-checked={locale === each}
            onClick={() => {
              setPreference('locale', each);
              window.location.reload();
            }}
          >
            {new Intl.DisplayNames([each], { type: 'language' }).of(each)}
          </Menu.Item>
        ))}
    </>
  );
}
