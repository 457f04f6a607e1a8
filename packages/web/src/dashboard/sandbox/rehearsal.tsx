import { ActionIcon, Anchor, Button, Group, List, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useId, useState } from 'react';
import { getRehearsalOptions, hideRehearsalMutation } from '../../client/@tanstack/react-query.gen.ts';
import type { Rehearsal as Answer } from '../../client/types.gen.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { msg, t } from '../../ui/text.ts';
import { toast } from '../../ui/toast.ts';
import { useNarrow } from '../../ui/use-narrow.ts';
import { ScreenLink } from '../screen-link.tsx';
import { meOptions, usePublisher } from '../session/session.ts';
import { Tick } from '../tick.tsx';
import classes from './rehearsal.module.css';

type Step = Answer['steps'][number]['step'];

const titles: Readonly<Record<Step, string>> = {
  advance: msg('Advance the clock past the hold period'),
  preview: msg('Preview the payout'),
  create: msg('Create the payout'),
  export: msg('Download the file for your bank'),
  pay: msg('Mark the payout as paid'),
  'claw-back': msg('Claw back a refunded purchase'),
  carry: msg('See it deducted from the next payout'),
};

const abouts: Readonly<Record<Step, string>> = {
  advance: msg('Purchases start with a hold period, in case of a refund. Here, you can skip a month.'),
  preview: msg('It shows who is due a payout, and why others wait.'),
  create: msg('It pays exactly the amounts in the preview. No money moves yet.'),
  export: msg('One line per creator. You send the money; this service doesn’t.'),
  pay: msg('Do this once the money is sent. It can’t be undone.'),
  'claw-back': msg('A buyer gets a refund after the payout. The creator now owes you that amount.'),
  carry: msg('The next preview shows the creator with the amount deducted.'),
};

const pollMs = 4_000;

/**
 * Guide to the first payout in a sandbox. Each step is checked off based on the sandbox's own data, so users can
 * leave the guide at any time and continue on another computer.
 */
export function Rehearsal({ onAdvance }: { onAdvance(): void }) {
  const { publisherId } = usePublisher();
  const isNarrow = useNarrow();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [isUnfinished, setUnfinished] = useState<boolean | null>(null);
  const listId = useId();
  const path = useLocation({ select: ({ pathname }) => pathname });
  // On a phone, the open list would fill the screen that a step opens.
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes on each new screen
  useEffect(() => {
    if (isNarrow) setChosen(null);
  }, [path, isNarrow]);
  const { data, error, refetch } = useQuery({
    ...getRehearsalOptions({ path: { publisherId } }),
    refetchInterval: ({ state }) =>
      state.data?.steps.every(({ isDone }) => isDone) === true ? false : pollMs,
  });
  const steps = data?.steps ?? [];
  const next = steps.find(({ isDone }) => !isDone);
  // The list also stays open when its last step is finished, so that its tick is seen.
  if (data !== undefined && isUnfinished === null) setUnfinished(next !== undefined);
  const isOpen = chosen ?? (!isNarrow && isUnfinished === true);
  const toggle = {
    'aria-expanded': isOpen,
    'aria-controls': listId,
    onClick: () => setChosen(!isOpen),
  };
  return (
    <section aria-label={t('Payout rehearsal')} className={classes.guide}>
      <Group
        gap="xs"
        mih={28}
        wrap="nowrap"
        align={isNarrow ? 'center' : 'flex-start'}
        justify="space-between"
      >
        <Text size="sm" component="p" m={0} pt={isNarrow ? 0 : 4} miw={0} role="status" truncate={isNarrow}>
          {(!isNarrow || data === undefined) && (
            <Text span inherit fw={600}>
              {t('Payout rehearsal')}
            </Text>
          )}{' '}
          {data !== undefined &&
            (next === undefined ? (
              t('Complete. A live payout works the same way.')
            ) : (
              <>
                {t('Step {step} of {count}:', { step: steps.indexOf(next) + 1, count: steps.length })}{' '}
                <Action step={next.step} answer={data} onAdvance={onAdvance} />
              </>
            ))}
        </Text>
        <Group gap={4} wrap="nowrap" flex="none">
          {isNarrow ? (
            <ActionIcon size={26} variant="subtle" color="gray" aria-label={t('Steps')} {...toggle}>
              <Icon name={isOpen ? 'up' : 'down'} size={16} />
            </ActionIcon>
          ) : (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              rightSection={<Icon name={isOpen ? 'up' : 'down'} size={14} />}
              {...toggle}
            >
              {t('Steps')}
            </Button>
          )}
          {(!isNarrow || isOpen || next === undefined) && <Hide />}
        </Group>
      </Group>
      {error !== null && (
        <ErrorNotice error={error} title={t('Couldn’t load the rehearsal')} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && !isNarrow && <Space />}
      {data !== undefined && isOpen && (
        <div id={listId}>
          {next !== undefined && <Text size="sm">{t(abouts[next.step])}</Text>}
          <List listStyleType="none" size="sm" className={classes.steps}>
            {steps.map(({ step, isDone }) => (
              <List.Item
                key={step}
                icon={<Tick isDone={isDone} />}
                {...(step === next?.step && { 'aria-current': 'step', fw: 600 })}
              >
                {isDone ? (
                  <s>{t(titles[step])}</s>
                ) : (
                  <Action step={step} answer={data} onAdvance={onAdvance} />
                )}
              </List.Item>
            ))}
          </List>
        </div>
      )}
    </section>
  );
}

/** Invisible list, so that the screen below doesn't move when the steps arrive. */
const Space = () => (
  <div aria-hidden style={{ visibility: 'hidden' }}>
    <Text size="sm">{t(abouts.advance)}</Text>
    <List listStyleType="none" size="sm" className={classes.steps}>
      {Object.values(titles).map((title) => (
        <List.Item key={title} icon={<Tick isDone={false} />}>
          {t(title)}
        </List.Item>
      ))}
    </List>
  </div>
);

interface ActionProps {
  step: Step;
  answer: Answer;
  onAdvance(): void;
}

/** Link or button that starts a step; plain text while an earlier step is missing. */
function Action({ step, answer, onAdvance }: ActionProps) {
  const title = t(titles[step]);
  if (step === 'advance')
    return (
      <Anchor
        component="button"
        type="button"
        inherit
        underline="always"
        c="inherit"
        ta="start"
        onClick={onAdvance}
      >
        {title}
      </Anchor>
    );
  const place = placeOf(step, answer);
  const isWaiting =
    step === 'carry' && answer.steps.some((each) => each.step === 'claw-back' && !each.isDone);
  if (place === null || isWaiting) return title;
  return (
    <ScreenLink isInText isPlain screen={place.screen} query={place.query}>
      {title}
    </ScreenLink>
  );
}

interface Place {
  screen: string;
  query?: Readonly<Record<string, string | undefined>>;
}

function placeOf(step: Step, { groupId, currency, payoutId, transactionId }: Answer): Place | null {
  const due = { group: groupId ?? undefined, currency: currency ?? undefined };
  switch (step) {
    case 'advance':
      return null;
    case 'preview':
    case 'carry':
      return { screen: 'payouts', query: due };
    case 'create':
      return { screen: 'payouts', query: { ...due, do: 'create' } };
    case 'export':
    case 'pay':
      return payoutId === null ? null : { screen: `payouts/${payoutId}`, query: { do: step } };
    case 'claw-back':
      return transactionId === null
        ? null
        : { screen: 'payouts/taken-back', query: { transaction: transactionId } };
  }
}

function Hide() {
  const { publisherId } = usePublisher();
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    ...hideRehearsalMutation(),
    async onSuccess() {
      toast(t('Rehearsal hidden. You can show it again on the Sandbox screen.'));
      await client.fetchQuery({ ...meOptions, staleTime: 0 });
    },
    onError: () => toast(t('Couldn’t hide the rehearsal. Try again.')),
  });
  return (
    <ActionIcon
      size={26}
      variant="subtle"
      color="gray"
      aria-label={t('Hide rehearsal')}
      loading={isPending}
      onClick={() => mutate({ path: { publisherId }, body: { isHidden: true } })}
    >
      <Icon name="cross" size={16} />
    </ActionIcon>
  );
}
