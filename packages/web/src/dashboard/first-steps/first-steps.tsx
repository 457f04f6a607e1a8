import { Button, Group, List, Paper, Text, ThemeIcon, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dismissFirstStepsMutation, getFirstStepsQueryKey } from '../../client/@tanstack/react-query.gen.ts';
import type { FirstSteps as Steps } from '../../client/types.gen.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { msg, t } from '../../ui/text.ts';
import { ScreenLink } from '../screen-link.tsx';
import { usePublisher } from '../session/session.ts';

interface Place {
  title: string;
  about: string;
  screen: string;
  query?: Readonly<Record<string, string>>;
}

const places: Readonly<Record<Steps['steps'][number]['step'], Place>> = {
  group: {
    title: msg('Create a creator group'),
    about: msg('The group sets what its creators earn.'),
    screen: 'shares',
    query: { tab: 'groups', open: 'new' },
  },
  creator: {
    title: msg('Add a creator with a code'),
    about: msg('Players enter the code, and their purchases credit the creator.'),
    screen: 'creators',
    query: { do: 'add' },
  },
  key: {
    title: msg('Use an API key'),
    about: msg('Create a key, and send a request with it.'),
    screen: 'developers',
  },
  purchase: {
    title: msg('Record a first purchase'),
    about: msg('Run a snippet. It records a Test purchase, which is never paid out.'),
    screen: 'developers',
    query: { tab: 'snippets' },
  },
  webhook: {
    title: msg('Receive a webhook'),
    about: msg('Add an endpoint, and send it a test.'),
    screen: 'webhooks',
  },
  colleague: {
    title: msg('Invite a colleague'),
    about: msg('By email, or with a link.'),
    screen: 'team',
    query: { do: 'add' },
  },
};

/** Checklist for a new publisher. Each step links to its screen and is checked off once it is done. */
export function FirstSteps({ steps }: { steps: Steps['steps'] }) {
  const { publisherId } = usePublisher();
  const client = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    ...dismissFirstStepsMutation(),
    onSuccess: () => client.invalidateQueries({ queryKey: getFirstStepsQueryKey({ path: { publisherId } }) }),
  });
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Paper withBorder p="md" mb="md" component="section" aria-label={t('First steps')}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t('First steps')}
        </Title>
        <Group gap="sm">
          <Text size="sm" c="dimmed" role="status">
            {t('{done} of {count} done', { done, count: steps.length })}
          </Text>
          <Button
            size="xs"
            variant="default"
            loading={isPending}
            onClick={() => mutate({ path: { publisherId }, body: {} })}
          >
            {t('Dismiss')}
          </Button>
        </Group>
      </Group>
      {error !== null && <ErrorNotice error={error} />}
      <List listStyleType="none" spacing="xs">
        {steps.map(({ step, isDone }) => (
          <List.Item key={step} icon={<Tick isDone={isDone} />}>
            {isDone ? (
              <Text span td="line-through" c="dimmed">
                {t(places[step].title)}
              </Text>
            ) : (
              <ScreenLink isInText screen={places[step].screen} query={places[step].query}>
                {t(places[step].title)}
              </ScreenLink>
            )}
            {!isDone && (
              <Text size="sm" c="dimmed">
                {t(places[step].about)}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}

function Tick({ isDone }: { isDone: boolean }) {
  return (
    <ThemeIcon
      size={24}
      radius="xl"
      variant={isDone ? 'light' : 'default'}
      color="green"
      role="img"
      aria-label={isDone ? t('Done') : t('To do')}
    >
      {isDone && <Icon name="check" size={14} />}
    </ThemeIcon>
  );
}
