import {
  Button,
  Checkbox,
  Group,
  ScrollArea,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { BountyDetail } from '../../../client/types.gen.ts';
import { DateInput } from '../../../ui/dates/date-input.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { WholeInput } from '../../../ui/number-input.tsx';
import { t } from '../../../ui/text.ts';
import { ZoneChoice } from '../../../ui/zone-choice.tsx';
import { type BountyDraft, limitBounds, newObjective, newReward } from './bounty-draft.ts';
import { ObjectiveFields } from './objective-fields.tsx';
import { RewardFields } from './reward-fields.tsx';

interface BountyFieldsProps {
  draft: BountyDraft;
  onChange(changes: Partial<BountyDraft>): void;
  locked: BountyDetail['locked'];
  /** Bounties in the group that can be chosen as prerequisites. */
  others: readonly { bountyId: string; name: string }[];
  isOff: boolean;
}

const maxParts = 20;

/** Fields of a bounty. Fields that can no longer be changed are disabled, with the reason. */
export function BountyFields({ draft, onChange, locked, others, isOff }: BountyFieldsProps) {
  const isLocked = (field: string): boolean => isOff || (locked?.fields.includes(field) ?? false);
  return (
    <Stack>
      <TextInput
        label={t('Name')}
        value={draft.name}
        maxLength={255}
        disabled={isOff}
        data-autofocus
        onChange={({ currentTarget: { value } }) => onChange({ name: value })}
      />
      <Textarea
        label={t('Description for creators')}
        value={draft.description}
        maxLength={2_000}
        autosize
        minRows={2}
        disabled={isOff}
        onChange={({ currentTarget: { value } }) => onChange({ description: value })}
      />
      <Group justify="space-between" align="center">
        <Text fw={600}>{t('Dates')}</Text>
        <ZoneChoice />
      </Group>
      {locked !== null && (
        <Text size="sm" c="dimmed">
          {locked.reason}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DateInput
          withTime
          label={t('Starts at')}
          value={draft.startsAt}
          disabled={isLocked('startsAt')}
          onChange={(startsAt) => onChange({ startsAt })}
        />
        <DateInput
          withTime
          label={t('Ends at')}
          description={t('Leave empty for no end.')}
          inputWrapperOrder={['label', 'input', 'description']}
          value={draft.endsAt}
          disabled={isLocked('endsAt')}
          onChange={(endsAt) => onChange({ endsAt })}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <WholeInput
          label={t('Completions per creator')}
          description={t('Leave empty for no limit.')}
          value={draft.limit}
          bounds={limitBounds}
          disabled={isOff}
          onChange={(limit) => onChange({ limit })}
        />
      </SimpleGrid>
      {others.length > 0 && (
        <Checkbox.Group
          label={t('Prerequisites')}
          description={t('Bounties that a creator must complete first')}
          value={[...draft.prerequisites]}
          onChange={(prerequisites) => onChange({ prerequisites: prerequisites.slice(0, maxParts) })}
        >
          <ScrollArea.Autosize mah="10rem" mt="xs" type="auto">
            <Stack gap="xs">
              {others.map(({ bountyId, name }) => (
                <Checkbox key={bountyId} value={bountyId} label={name} disabled={isOff} />
              ))}
            </Stack>
          </ScrollArea.Autosize>
        </Checkbox.Group>
      )}
      {draft.objectives.map((objective, index) => (
        <ObjectiveFields
          key={objective.key}
          objective={objective}
          place={index + 1}
          isOff={isOff}
          onChange={(changes) =>
            onChange({
              objectives: draft.objectives.map((each) =>
                each.key === objective.key ? { ...each, ...changes } : each,
              ),
            })
          }
          onRemove={
            draft.objectives.length === 1
              ? null
              : () => onChange({ objectives: draft.objectives.filter(({ key }) => key !== objective.key) })
          }
        />
      ))}
      {!isOff && draft.objectives.length < maxParts && (
        <Add
          label={t('Add objective')}
          onAdd={() => onChange({ objectives: [...draft.objectives, newObjective()] })}
        />
      )}
      {draft.rewards.map((reward, index) => (
        <RewardFields
          key={reward.key}
          reward={reward}
          place={index + 1}
          isOff={isOff}
          onChange={(changes) =>
            onChange({
              rewards: draft.rewards.map((each) =>
                each.key === reward.key ? { ...each, ...changes } : each,
              ),
            })
          }
          onRemove={
            draft.rewards.length === 1
              ? null
              : () => onChange({ rewards: draft.rewards.filter(({ key }) => key !== reward.key) })
          }
        />
      ))}
      {!isOff && draft.rewards.length < maxParts && (
        <Add label={t('Add reward')} onAdd={() => onChange({ rewards: [...draft.rewards, newReward()] })} />
      )}
    </Stack>
  );
}

const Add = ({ label, onAdd }: { label: string; onAdd(): void }) => (
  <Group>
    <Button size="xs" variant="default" leftSection={<Icon name="plus" size={14} />} onClick={onAdd}>
      {label}
    </Button>
  </Group>
);
