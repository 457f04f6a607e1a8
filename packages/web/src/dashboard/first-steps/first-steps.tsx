import { Anchor, Button, Divider, Group, List, Paper, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dismissFirstStepsMutation, getFirstStepsQueryKey } from '../../client/@tanstack/react-query.gen.ts';
import type { FirstSteps as Steps } from '../../client/types.gen.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { msg, t } from '../../ui/text.ts';
import { ScreenLink } from '../screen-link.tsx';
import { usePublisher } from '../session/session.ts';
import { Tick } from '../tick.tsx';
import type { FormName } from './forms.tsx';
import { useInPlace } from './in-place.tsx';
import { LookAround } from './look-around.tsx';

interface Place {
  title: string;
  about: string;
  /** Form to open in place; absent for the purchase, which is recorded with a snippet. */
  form?: FormName;
}

const places: Readonly<Record<Steps['steps'][number]['step'], Place>> = {
  group: {
    title: msg('Create a creator group'),
    about: msg('The group sets what its creators earn.'),
    form: 'group',
  },
  creator: {
    title: msg('Add a creator with a code'),
    about: msg('Players enter the code, and their purchases credit the creator.'),
    form: 'creator',
  },
  key: {
    title: msg('Use an API key'),
    about: msg('Create a key, and send a request with it.'),
    form: 'key',
  },
  purchase: {
    title: msg('Record a first purchase'),
    about: msg('Run a snippet. It records a Test purchase, which is never paid out.'),
  },
  webhook: {
    title: msg('Receive a webhook'),
    about: msg('Add an endpoint, and send it a test.'),
    form: 'endpoint',
  },
  colleague: {
    title: msg('Invite a colleague'),
    about: msg('By email, or with a link.'),
    form: 'invite',
  },
};

/** Checklist for a new publisher. Each step links to its screen and is checked off once it is done. */
export function FirstSteps({ steps }: { steps: Steps['steps'] }) {
  const { publisherId, may } = usePublisher();
  const client = useQueryClient();
  const inPlace = useInPlace();
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
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t dismiss the first steps')} />}
      {may('program') && (
        <>
          <LookAround />
          <Divider my="sm" />
        </>
      )}
      <List listStyleType="none" spacing="xs">
        {steps.map(({ step, isDone }) => (
          <List.Item key={step} icon={<Tick isDone={isDone} />}>
            {isDone ? (
              <Text span td="line-through" c="dimmed">
                {t(places[step].title)}
              </Text>
            ) : (
              <Start place={places[step]} onOpen={inPlace.open} />
            )}
            {!isDone && (
              <Text size="sm" c="dimmed">
                {t(places[step].about)}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
      {inPlace.form}
    </Paper>
  );
}

function Start({ place: { title, form }, onOpen }: { place: Place; onOpen(form: FormName): void }) {
  if (form === undefined)
    return (
      <ScreenLink isInText screen="developers" query={{ tab: 'snippets' }}>
        {t(title)}
      </ScreenLink>
    );
  return (
    <Anchor
      component="button"
      type="button"
      inherit
      underline="always"
      ta="start"
      onClick={() => onOpen(form)}
    >
      {t(title)}
    </Anchor>
  );
}
