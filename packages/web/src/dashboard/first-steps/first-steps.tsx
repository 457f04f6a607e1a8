import { Box, Button, Divider, Group, List, Paper, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dismissFirstStepsMutation, getFirstStepsQueryKey } from '../../client/@tanstack/react-query.gen.ts';
import type { FirstSteps as Steps } from '../../client/types.gen.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { t } from '../../ui/text.ts';
import { usePublisher } from '../session/session.ts';
import { Tick } from '../tick.tsx';
import { FirstCommand } from './first-command.tsx';
import { useInPlace } from './in-place.tsx';
import { LookAround } from './look-around.tsx';
import { StartButton, StartLink } from './start.tsx';
import { places } from './step-places.ts';
import { useCommand } from './use-command.tsx';
import { useUsableCode } from './use-usable-code.ts';

interface FirstStepsProps {
  steps: Steps['steps'];
  /** Notified when a dialog opens that shows a key, and when it closes. */
  onSecret(isShown: boolean): void;
}

/** Checklist for a new publisher. Each step is done in place or links to its screen, and only the next one stands out. */
export function FirstSteps({ steps, onSecret }: FirstStepsProps) {
  const { publisherId, may } = usePublisher();
  const client = useQueryClient();
  const { code, isKnown } = useUsableCode(undefined);
  const command = useCommand({ code, isFirst: true, onShown: onSecret });
  const inPlace = useInPlace();
  const { mutate, error, isPending } = useMutation({
    ...dismissFirstStepsMutation(),
    onSuccess: () => client.invalidateQueries({ queryKey: getFirstStepsQueryKey({ path: { publisherId } }) }),
  });
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone)?.step;
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
      <List listStyleType="none" spacing="sm" styles={{ itemWrapper: { alignItems: 'flex-start' } }}>
        {steps.map(({ step, isDone }) => (
          <List.Item
            key={step}
            icon={<Tick isDone={isDone} />}
            {...(step === next && { 'aria-current': 'step' })}
          >
            {isDone ? (
              <Text span td="line-through" c="dimmed">
                {t(places[step].title)}
              </Text>
            ) : (
              <>
                <StartLink step={step} isNext={step === next} onOpen={inPlace.open} />
                {step === next && (
                  <Box mt="xs">
                    <StartButton step={step} onOpen={inPlace.open} />
                  </Box>
                )}
                {step === 'purchase' && isKnown && (
                  <FirstCommand code={code} isNext={step === next} command={command} />
                )}
              </>
            )}
          </List.Item>
        ))}
      </List>
      {inPlace.form}
      {command.dialog}
    </Paper>
  );
}
