import { fromField } from '../../../ui/dates/datetime-field.ts';
import type { Preferences } from '../../../ui/preferences.ts';
import { t } from '../../../ui/text.ts';
import {
  type BountyDraft,
  isOfMoney,
  type ObjectiveDraft,
  type RewardDraft,
  readCount,
  readLimit,
  readReward,
} from './bounty-draft.ts';

/** Returns the first problem that makes `bodyOf` return null. */
export function problemOf(draft: BountyDraft, zone: Preferences['zone']): string {
  const startsAt = fromField(draft.startsAt, zone);
  const endsAt = draft.endsAt === '' ? null : fromField(draft.endsAt, zone);
  if (draft.name.trim() === '') return t('Name is required');
  if (startsAt === null) return t('Start is required');
  if (endsAt !== null && endsAt <= startsAt) return t('The end must be after the start');
  if (readLimit(draft.limit) === undefined) return t('Enter a valid number of completions per creator');
  return (
    first(draft.objectives, objectiveProblem) ??
    first(draft.rewards, rewardProblem) ??
    t('Fill in all fields')
  );
}

function first<Part>(
  parts: readonly Part[],
  describe: (part: Part, place: number) => string | null,
): string | null {
  for (const [index, part] of parts.entries()) {
    const problem = describe(part, index + 1);
    if (problem !== null) return problem;
  }
  return null;
}

function objectiveProblem(draft: ObjectiveDraft, place: number): string | null {
  const { name, type, currency, eventCode } = draft;
  if (name.trim() === '') return t('Objective {place} needs a name', { place });
  if (type === 'Event' && eventCode.trim() === '')
    return t('Objective {place} needs an event code', { place });
  const isAmount = isOfMoney(draft);
  if (isAmount && currency === '') return t('Objective {place} needs a currency', { place });
  if (readCount(draft) === null)
    return isAmount
      ? t('Objective {place} needs an amount', { place })
      : t('Objective {place} needs a count', { place });
  return null;
}

function rewardProblem(draft: RewardDraft, place: number): string | null {
  const { name, type, currency, skuId } = draft;
  if (name.trim() === '') return t('Reward {place} needs a name', { place });
  if (type === 'Payment' && currency === '') return t('Reward {place} needs a currency', { place });
  if (type === 'Payment' && readReward(draft) === null) return t('Reward {place} needs an amount', { place });
  if (type === 'Sku' && skuId.trim() === '') return t('Reward {place} needs a SKU', { place });
  return null;
}
