import { describeField } from '../../../ui/dates/datetime-field.ts';
import type { Preferences } from '../../../ui/preferences.ts';
import { t } from '../../../ui/text.ts';
import type { Described } from '../../../ui/versioned-edit.ts';
import type { BountyDraft, ObjectiveDraft, RewardDraft } from './bounty-draft.ts';

interface Known {
  bounties: readonly { bountyId: string; name: string }[];
  zone: Preferences['zone'];
}

/** Describes all values of a bounty that a save replaces, including values that have no field. */
export const describeDraft = (draft: BountyDraft, { bounties, zone }: Known): Described => [
  [t('Name'), draft.name],
  [t('Description for creators'), draft.description],
  [t('Image'), draft.imageSrc],
  [t('Description of the reward'), draft.rewardDescription],
  [t('Starts at'), describeField(draft.startsAt, zone)],
  [t('Ends at'), describeField(draft.endsAt, zone)],
  [t('Completions per creator'), draft.limit],
  [
    t('Prerequisites'),
    draft.prerequisites
      .map((id) => bounties.find(({ bountyId }) => bountyId === id)?.name ?? id)
      .sort()
      .join(', '),
  ],
  ...draft.objectives.map(
    (each, index) => [t('Objective {place}', { place: index + 1 }), describeObjective(each)] as const,
  ),
  ...draft.rewards.map(
    (each, index) => [t('Reward {place}', { place: index + 1 }), describeReward(each)] as const,
  ),
];

const describeObjective = ({ name, type, condition, ...rest }: ObjectiveDraft): string =>
  listOf(
    name,
    {
      Purchase: condition === 'Amount' ? t('Total amount') : t('Number of purchases'),
      NewPlayers: t('New players'),
      Event: t('Custom events'),
    }[type],
    rest.count,
    rest.currency,
    rest.eventCode,
    ...rest.skuText.split('\n'),
  );

const describeReward = ({ name, type, ...rest }: RewardDraft): string =>
  listOf(
    name,
    { External: t('Delivered by you'), Payment: t('Money in the next payout'), Sku: t('SKU') }[type],
    rest.amount,
    rest.currency,
    rest.skuId,
    rest.skuName,
    rest.externalId,
  );

const listOf = (...parts: readonly string[]): string =>
  parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(', ');
