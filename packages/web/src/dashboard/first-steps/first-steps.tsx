import { Anchor, Button, Divider, Group, List, Paper, SimpleGrid, Text, Title } from '@mantine/core';
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
  /** Form to open in place; absent for a step on another screen, and for one with several ways. */
  form?: FormName;
  screen?: { screen: string; query?: Readonly<Record<string, string>> };
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
  source: {
    title: msg('Connect your shop or back end'),
    about: msg('Choose the one that reports your purchases. You can add the other one later.'),
  },
  purchase: {
    title: msg('Record a first purchase'),
    about: msg('Run a snippet, or send a sample from your connector. A Test purchase is never paid out.'),
    screen: { screen: 'developers', query: { tab: 'snippets' } },
  },
  portal: {
    title: msg('Invite a creator to the portal'),
    about: msg('Open a creator, and send an invitation. In the portal, creators see what they earn and why.'),
    screen: { screen: 'creators' },
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
      <List listStyleType="none" spacing="xs" styles={{ itemWrapper: { alignItems: 'flex-start' } }}>
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
            {!isDone && step === 'source' && <Sources onOpen={inPlace.open} />}
          </List.Item>
        ))}
      </List>
      {inPlace.form}
    </Paper>
  );
}

interface StartProps {
  place: Place;
  onOpen(form: FormName): void;
}

function Start({ place: { title, form, screen }, onOpen }: StartProps) {
  if (screen !== undefined)
    return (
      <ScreenLink isInText {...screen}>
        {t(title)}
      </ScreenLink>
    );
  if (form === undefined) return t(title);
  return <OpenForm onClick={() => onOpen(form)}>{t(title)}</OpenForm>;
}

const OpenForm = ({ onClick, children }: { onClick(): void; children: string }) => (
  <Anchor
    component="button"
    type="button"
    inherit
    underline="always"
    ta="start"
    // On the baseline, a button would make its line higher than that of a link.
    style={{ verticalAlign: 'top' }}
    onClick={onClick}
  >
    {children}
  </Anchor>
);

/** The two ways to report purchases, side by side. The step is done once either of them is used. */
function Sources({ onOpen }: Pick<StartProps, 'onOpen'>) {
  const { may } = usePublisher();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt={6} maw={640}>
      {may('webhooks') && (
        <Paper withBorder px="sm" py="xs">
          <Text lh="24px">
            <ScreenLink isInText screen="connectors" query={{ do: 'add' }}>
              {t('Connect your shop')}
            </ScreenLink>
          </Text>
          <Text size="sm" c="dimmed">
            {t('For Stripe, Xsolla, Paddle, FastSpring, Tebex, Steam, and other shops.')}
          </Text>
        </Paper>
      )}
      <Paper withBorder px="sm" py="xs">
        <Text lh="24px">
          <OpenForm onClick={() => onOpen('key')}>{t('Create an API key')}</OpenForm>
        </Text>
        <Text size="sm" c="dimmed">
          {t('For your own back end, which then sends a request with the key.')}
        </Text>
      </Paper>
    </SimpleGrid>
  );
}
