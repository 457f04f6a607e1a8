import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ListedConnector } from '../../../../client/types.gen.ts';
import { Facts } from '../../../../ui/facts.tsx';
import { Icon } from '../../../../ui/icons.tsx';
import { t } from '../../../../ui/text.ts';
import { useGroupNames } from '../../../group-name.tsx';
import { ReplayFailed } from '../replay-failed.tsx';
import { SettingsDialog } from './settings-form.tsx';
import { describeSettings, fieldsOf } from './settings-input.ts';

/** Settings of a connector that differ from their defaults, and their form. */
export function SettingsTab({ connector }: { connector: ListedConnector }) {
  const [isOpen, setOpen] = useState(false);
  const groupName = useGroupNames();
  const usual = new Map(describeSettings(fieldsOf({ ...connector, name: '', settings: {} }), groupName));
  const group = t('Creator group');
  const facts = describeSettings(fieldsOf(connector), groupName).filter(
    ([name, value]) => name === group || value !== usual.get(name),
  );
  const { failed } = connector.counts;
  return (
    <Stack align="flex-start">
      <Facts facts={facts} />
      <Text size="sm" c="dimmed">
        {t('All other settings have their default values.')}
      </Text>
      <Button leftSection={<Icon name="edit" size={16} />} variant="default" onClick={() => setOpen(true)}>
        {t('Edit settings')}
      </Button>
      {failed > 0 && (
        <Group gap="xs">
          <Text size="sm">
            {t(
              '{count, plural, one {# event} other {# events}} failed. Replay them after a change to apply the new settings.',
              { count: failed },
            )}
          </Text>
          <ReplayFailed connector={connector} />
        </Group>
      )}
      <SettingsDialog opened={isOpen} onClose={() => setOpen(false)} connector={connector} />
    </Stack>
  );
}
