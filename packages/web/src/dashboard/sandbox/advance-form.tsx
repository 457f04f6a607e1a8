import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { announce } from '../../ui/announce.tsx';
import { DateInput, hasCompleteDates } from '../../ui/dates/date-input.tsx';
import { fromField, toField } from '../../ui/dates/datetime-field.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { usePreferences } from '../../ui/preferences.ts';
import { t } from '../../ui/text.ts';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { useFormErrors } from '../../ui/use-form-errors.ts';
import { formatWhen } from '../../ui/when.tsx';
import { ZoneChoice } from '../../ui/zone-choice.tsx';
import { usePublisher } from '../session/session.ts';
import { groupsOptions } from '../shell/groups.ts';
import { dayMs, useAdvance } from './use-clock.ts';

const dayChoices = [1, 7, 30] as const;

export function AdvanceForm({ onDone }: { onDone?(): void }) {
  const { nowMs } = usePublisher();
  const { zone } = usePreferences();
  const { advance, isPending } = useAdvance();
  const [typed, setTyped] = useState('');
  useUnsaved(typed);
  const [error, setError] = useState<unknown>(null);
  const toMs = fromField(typed, zone);
  const { errors, check } = useFormErrors({
    to: toMs === null || toMs < nowMs() ? t('Enter a later date and time.') : null,
  });
  const go = async (ms: number): Promise<void> => {
    setError(null);
    try {
      await advance(ms);
      setTyped('');
      // The banner shows the clock, so a message over the screen's last rows would only repeat it.
      announce(t('The clock is now at {when}', { when: formatWhen(new Date(ms).toISOString(), zone) }));
      onDone?.();
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <Stack gap="sm">
      <Text size="sm">
        {t(
          'Hold periods, schedules, and bounties advance as if this time had passed. The clock can’t go back. To start over, copy the live program again.',
        )}
      </Text>
      <HoldPeriods />
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t advance the clock')} />}
      <Group gap="xs">
        {dayChoices.map((days) => (
          <Button
            key={days}
            variant="default"
            disabled={isPending}
            onClick={() => void go(nowMs() + days * dayMs)}
          >
            {t('{days, plural, one {+ # day} other {+ # days}}', { days })}
          </Button>
        ))}
      </Group>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (hasCompleteDates(event.currentTarget) && check(event.currentTarget) && toMs !== null)
            void go(toMs);
        }}
      >
        <Group gap="xs" align="flex-end">
          <DateInput
            withTime
            label={t('Or choose a date')}
            name="to"
            minDay={toField(nowMs(), zone).slice(0, 10)}
            value={typed}
            error={errors.to}
            onChange={setTyped}
          />
          <ZoneChoice />
        </Group>
        <Group gap="xs" mt="md" justify="flex-end">
          {onDone !== undefined && (
            <Button variant="default" onClick={onDone}>
              {t('Cancel')}
            </Button>
          )}
          <Button type="submit" loading={isPending}>
            {t('Advance')}
          </Button>
        </Group>
      </form>
    </Stack>
  );
}

/** Maximum number of groups that are named because their hold period differs from the default group's. */
const maxNamed = 3;

/** Says how long the hold periods are, so that the reader knows how far to advance. */
function HoldPeriods() {
  const { publisherId } = usePublisher();
  const { data: groups = [] } = useQuery(groupsOptions(publisherId));
  const usual = groups.find(({ isDefault }) => isDefault) ?? groups[0];
  if (usual === undefined) return null;
  const others = groups.filter(({ holdDays }) => holdDays !== usual.holdDays);
  const allDays = groups.map(({ holdDays }) => holdDays);
  const { holdDays: days } = usual;
  return (
    <Text size="sm">
      {others.length > maxNamed
        ? t('Hold period: {min} to {max} days, depending on the group', {
            min: Math.min(...allDays),
            max: Math.max(...allDays),
          })
        : others.length > 0
          ? t('Hold period: {days, plural, one {# day} other {# days}} ({others})', {
              days,
              others: others
                .map(({ name, holdDays }) =>
                  t('{name}: {days, plural, one {# day} other {# days}}', { name, days: holdDays }),
                )
                .join(', '),
            })
          : t('Hold period: {days, plural, one {# day} other {# days}}', { days })}
    </Text>
  );
}
