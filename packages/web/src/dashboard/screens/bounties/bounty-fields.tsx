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
import { DateInput } from '../../../ui/date-input.tsx';
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
  /** Bounties of the group that may be asked for before. */
  others: readonly { bountyId: string; name: string }[];
  isOff: boolean;
}

const most = 20;

/** All that a bounty says, in fields; what can change no more is switched off, and says why. */
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
        label={t('What creators read about it')}
        value={draft.description}
        maxLength={2_000}
        autosize
        minRows={2}
        disabled={isOff}
        onChange={({ currentTarget: { value } }) => onChange({ description: value })}
      />
      <Group justify="space-between" align="center">
        <Text fw={600}>{t('Window')}</Text>
        <ZoneChoice />
      </Group>
      {locked !== null && (
        <Text size="sm" c="dimmed">
          {locked.reason}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DateInput
          type="datetime-local"
          label={t('First moment')}
          value={draft.startsAt}
          disabled={isLocked('startsAt')}
          onChange={(startsAt) => onChange({ startsAt })}
        />
        <DateInput
          type="datetime-local"
          label={t('Until, not included')}
          description={t('Empty: without an end')}
          inputWrapperOrder={['label', 'input', 'description']}
          value={draft.endsAt}
          disabled={isLocked('endsAt')}
          onChange={(endsAt) => onChange({ endsAt })}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <WholeInput
          label={t('Times for each creator')}
          description={t('Empty: as often as they like')}
          value={draft.limit}
          bounds={limitBounds}
          disabled={isOff}
          onChange={(limit) => onChange({ limit })}
        />
      </SimpleGrid>
      {others.length > 0 && (
        <Checkbox.Group
          label={t('Only after')}
          description={t('Bounties that must be completed before')}
          value={[...draft.prerequisites]}
          onChange={(prerequisites) => onChange({ prerequisites: prerequisites.slice(0, most) })}
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
      {!isOff && draft.objectives.length < most && (
        <Add
          label={t('Add an objective')}
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
      {!isOff && draft.rewards.length < most && (
        <Add label={t('Add a reward')} onAdd={() => onChange({ rewards: [...draft.rewards, newReward()] })} />
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
