import { Group, SimpleGrid, Stack, Title } from '@mantine/core';
import type { CreatorGroup, ShareTier } from '../../../client/types.gen.ts';
import { DateInput } from '../../../ui/dates/date-input.tsx';
import { PercentInput } from '../../../ui/number-input.tsx';
import { formatPercent } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import { ZoneChoice } from '../../../ui/zone-choice.tsx';
import { type ScheduleDraft, scheduleBounds } from './schedule-draft.ts';

interface ScheduleFieldsProps {
  draft: ScheduleDraft;
  change(changes: Partial<ScheduleDraft>): void;
  tiers: readonly ShareTier[];
  group: CreatorGroup;
  isOff: boolean;
}

export function ScheduleFields({ draft, change, tiers, group, isOff }: ScheduleFieldsProps) {
  const percent = { bounds: scheduleBounds, disabled: isOff };
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="center">
        <Title order={3} size="h5">
          {t('Dates')}
        </Title>
        <ZoneChoice />
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DateInput
          withTime
          label={t('Starts at')}
          value={draft.startsAt}
          disabled={isOff}
          onChange={(startsAt) => change({ startsAt })}
          data-autofocus
        />
        <DateInput
          withTime
          label={t('Ends at')}
          value={draft.endsAt}
          disabled={isOff}
          onChange={(endsAt) => change({ endsAt })}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <PercentInput
          {...percent}
          label={t('Share for all creators')}
          description={t('Regular share: {share}', { share: formatPercent(group.revShare) })}
          value={draft.revShare}
          onChange={(revShare) => change({ revShare })}
        />
        {tiers.map(({ tierId, name, revShare }) => (
          <PercentInput
            key={tierId}
            {...percent}
            label={t('Share for {tier}', { tier: name })}
            description={t('Regular share: {share}', { share: formatPercent(revShare) })}
            placeholder={t('Same as all creators')}
            value={draft.tiers[tierId] ?? ''}
            onChange={(typed) => change({ tiers: { ...draft.tiers, [tierId]: typed } })}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}
