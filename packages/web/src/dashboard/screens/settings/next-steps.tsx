import { Anchor, Code, Group, List, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { t } from '../../../ui/text.ts';
import { usePublisher } from '../../session/session.ts';
import { Section } from './section.tsx';

export function NextSteps() {
  const { publisherId, may } = usePublisher();
  const to = (screen: string): string => `/p/${encodeURIComponent(publisherId)}/${screen}`;
  const command = 'npx attribution provision my-program.yaml';
  return (
    <Section
      title={t('First steps')}
      about={t('This publisher is new. Follow these steps to record its first purchase:')}
    >
      <List type="ordered" spacing="sm">
        <List.Item>
          <Anchor component={Link} to={to('shares')}>
            {t('Create a creator group')}
          </Anchor>{' '}
          <Text span c="dimmed" size="sm">
            {t('and set what its creators earn.')}
          </Text>
        </List.Item>
        <List.Item>
          <Anchor component={Link} to={to('creators')}>
            {t('Add creators')}
          </Anchor>{' '}
          <Text span c="dimmed" size="sm">
            {t('one by one, or from a CSV file.')}
          </Text>
        </List.Item>
        {may('keys') && (
          <List.Item>
            <Anchor component={Link} to={to('overview')}>
              {t('Record your first purchase')}
            </Anchor>{' '}
            <Text span c="dimmed" size="sm">
              {t('from a terminal, your back end, or your shop.')}
            </Text>
          </List.Item>
        )}
        <List.Item>
          <Anchor component={Link} to={to('team')}>
            {t('Invite your colleagues')}
          </Anchor>{' '}
          <Text span c="dimmed" size="sm">
            {t('each with a role.')}
          </Text>
        </List.Item>
      </List>
      <Stack gap={4} mt="md">
        <Text size="sm">{t('Or describe everything in one file, and apply it:')}</Text>
        <Group gap="xs">
          <Code>{command}</Code>
          <CopyButton value={command} label={t('Copy command')} />
        </Group>
      </Stack>
    </Section>
  );
}
