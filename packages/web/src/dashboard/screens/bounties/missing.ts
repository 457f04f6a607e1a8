import { fromField } from '../../../ui/moment-field.ts';
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

/** The first that a draft lacks, which bodyOf makes nothing of, in the words of its fields. */
export function missingOf(draft: BountyDraft, zone: Preferences['zone']): string {
  const startsAt = fromField(draft.startsAt, zone);
  const endsAt = draft.endsAt === '' ? null : fromField(draft.endsAt, zone);
  if (draft.name.trim() === '') return t('It has no name');
  if (startsAt === null) return t('Say when it begins');
  if (endsAt !== null && endsAt <= startsAt) return t('It ends before it begins');
  if (readLimit(draft.limit) === undefined) return t('Correct how many times each creator may complete it');
  return (
    first(draft.objectives, objectiveLacks) ?? first(draft.rewards, rewardLacks) ?? t('Something is missing')
  );
}

function first<Part>(
  parts: readonly Part[],
  lacks: (part: Part, place: number) => string | null,
): string | null {
  for (const [index, part] of parts.entries()) {
    const said = lacks(part, index + 1);
    if (said !== null) return said;
  }
  return null;
}

function objectiveLacks(draft: ObjectiveDraft, place: number): string | null {
  const { name, type, currency, eventCode } = draft;
  if (name.trim() === '') return t('Objective {place} has no name', { place });
  if (type === 'Event' && eventCode.trim() === '') return t('Objective {place} has no event code', { place });
  const isAmount = isOfMoney(draft);
  if (isAmount && currency === '') return t('Objective {place} has no currency', { place });
  if (readCount(draft) === null)
    return isAmount
      ? t('Objective {place} has no amount', { place })
      : t('Objective {place} does not say how many', { place });
  return null;
}

function rewardLacks(draft: RewardDraft, place: number): string | null {
  const { name, type, currency, skuId } = draft;
  if (name.trim() === '') return t('Reward {place} has no name', { place });
  if (type === 'Payment' && currency === '') return t('Reward {place} has no currency', { place });
  if (type === 'Payment' && readReward(draft) === null) return t('Reward {place} has no amount', { place });
  if (type === 'Sku' && skuId.trim() === '') return t('Reward {place} has no SKU', { place });
  return null;
}
