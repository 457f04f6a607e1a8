import type { BountyDetail, CreateBountyData } from '../../../client/types.gen.ts';
import { fromField, toField } from '../../../ui/dates/datetime-field.ts';
import type { Preferences } from '../../../ui/preferences.ts';
import { amountText, readAmount, readWhole } from '../../../ui/read-number.ts';

type Zone = Preferences['zone'];
type Body = CreateBountyData['body'];
type Objective = BountyDetail['objectives'][number];
type Reward = BountyDetail['rewards'][number];
type Locked = BountyDetail['locked'];

export interface ObjectiveDraft {
  /** React key, which keeps this part's input in place when other parts are removed. */
  key: string;
  id: string | null;
  name: string;
  type: Objective['type'];
  condition: Objective['condition'];
  /** A whole number or an amount in the currency, as text. */
  count: string;
  currency: string;
  eventCode: string;
  /** SKU ids, one per line. */
  skuText: string;
  /** SKUs whose names are known. */
  skus: readonly { id: string; name: string }[];
  locked: Locked;
}

export interface RewardDraft {
  key: string;
  id: string | null;
  name: string;
  type: Reward['type'];
  amount: string;
  currency: string;
  skuId: string;
  skuName: string;
  externalId: string;
  locked: Locked;
}

export interface BountyDraft {
  name: string;
  description: string;
  imageSrc: string;
  rewardDescription: string;
  /** Completions per creator; empty if unlimited. */
  limit: string;
  startsAt: string;
  /** Empty if there is no end. */
  endsAt: string;
  prerequisites: readonly string[];
  objectives: readonly ObjectiveDraft[];
  rewards: readonly RewardDraft[];
}

/** Bounds of the completions per creator. */
export const limitBounds = { min: 1n, max: 1_000_000n };

/** Bounds of an objective's target (minor units, purchases, players or events) and of a reward's minor units. */
export const countBounds = { min: 1n, max: 10n ** 16n - 1n };

/** @returns null if unlimited; undefined for an invalid number */
export function readLimit(typed: string): number | null | undefined {
  const { value, problem } = readWhole(typed, limitBounds);
  if (problem === 'empty') return null;
  return value === null ? undefined : Number(value);
}

export const isOfMoney = ({ type, condition }: Pick<ObjectiveDraft, 'type' | 'condition'>): boolean =>
  type === 'Purchase' && condition === 'Amount';

/** @returns minor units or a count; null if invalid */
export const readCount = (draft: ObjectiveDraft): bigint | null =>
  (isOfMoney(draft)
    ? readAmount(draft.count, draft.currency, countBounds)
    : readWhole(draft.count, countBounds)
  ).value;

/** @returns minor units; null if invalid */
export const readReward = ({ amount, currency }: RewardDraft): bigint | null =>
  readAmount(amount, currency, countBounds).value;

let keys = 0;
const newKey = (): string => {
  keys += 1;
  return `part-${keys}`;
};

export const newObjective = (): ObjectiveDraft => ({
  key: newKey(),
  id: null,
  name: '',
  type: 'Purchase',
  condition: 'Count',
  count: '10',
  currency: '',
  eventCode: '',
  skuText: '',
  skus: [],
  locked: null,
});

export const newReward = (): RewardDraft => ({
  key: newKey(),
  id: null,
  name: '',
  type: 'External',
  amount: '',
  currency: '',
  skuId: '',
  skuName: '',
  externalId: '',
  locked: null,
});

/** @param nowMs default start, rounded down to the minute */
export const emptyDraft = (nowMs: number, zone: Zone): BountyDraft => ({
  name: '',
  description: '',
  imageSrc: '',
  rewardDescription: '',
  limit: '1',
  startsAt: toField(nowMs - (nowMs % 60_000), zone),
  endsAt: '',
  prerequisites: [],
  objectives: [newObjective()],
  rewards: [newReward()],
});

export const draftOf = (bounty: BountyDetail, zone: Zone): BountyDraft => ({
  name: bounty.name,
  description: bounty.description ?? '',
  imageSrc: bounty.imageSrc ?? '',
  rewardDescription: bounty.rewardDescription ?? '',
  limit: bounty.limit === null ? '' : String(bounty.limit),
  startsAt: toField(Date.parse(bounty.startsAt), zone),
  endsAt: bounty.endsAt === null ? '' : toField(Date.parse(bounty.endsAt), zone),
  prerequisites: bounty.prerequisites.map(({ id }) => id),
  objectives: bounty.objectives.map((each) => ({
    ...each,
    key: each.id,
    count:
      each.condition === 'Amount' && each.currency !== null
        ? amountText(each.count, each.currency)
        : each.count,
    currency: each.currency ?? '',
    eventCode: each.eventCode ?? '',
    skuText: each.skus.map(({ id }) => id).join('\n'),
  })),
  rewards: bounty.rewards.map((each) => ({
    ...each,
    key: each.id,
    amount: each.amount !== null && each.currency !== null ? amountText(each.amount, each.currency) : '',
    currency: each.currency ?? '',
    skuId: each.sku?.id ?? '',
    skuName: each.sku?.name ?? '',
    externalId: each.externalId ?? '',
  })),
});

type Sent = Omit<Body, 'groupId' | 'version'>;

/** @returns null while something is missing or invalid */
export function bodyOf(draft: BountyDraft, zone: Zone): Sent | null {
  const startsAt = fromField(draft.startsAt, zone);
  const endsAt = draft.endsAt === '' ? null : fromField(draft.endsAt, zone);
  const objectives = draft.objectives.map(objectiveOf);
  const rewards = draft.rewards.map(rewardOf);
  const limit = readLimit(draft.limit);
  const isMissing =
    draft.name.trim() === '' ||
    startsAt === null ||
    limit === undefined ||
    (draft.endsAt !== '' && (endsAt === null || endsAt <= startsAt)) ||
    objectives.length === 0 ||
    rewards.length === 0 ||
    [...objectives, ...rewards].includes(null);
  if (isMissing || startsAt === null || limit === undefined) return null;
  return {
    name: draft.name.trim(),
    description: orNull(draft.description),
    imageSrc: orNull(draft.imageSrc),
    rewardDescription: orNull(draft.rewardDescription),
    limit,
    startsAt: new Date(startsAt).toISOString(),
    endsAt: endsAt === null ? null : new Date(endsAt).toISOString(),
    prerequisites: [...draft.prerequisites],
    objectives: objectives.filter((each) => each !== null),
    rewards: rewards.filter((each) => each !== null),
  };
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

function objectiveOf(draft: ObjectiveDraft): Sent['objectives'][number] | null {
  const { id, name, type, eventCode } = draft;
  const condition = type === 'Purchase' ? draft.condition : 'Count';
  const currency = type === 'Event' ? null : orNull(draft.currency);
  const count = readCount(draft);
  if (name.trim() === '' || count === null) return null;
  if (condition === 'Amount' && currency === null) return null;
  if (type === 'Event' && eventCode.trim() === '') return null;
  return {
    ...(id !== null && { id }),
    name: name.trim(),
    type,
    condition,
    count: String(count),
    currency: currency as Sent['objectives'][number]['currency'],
    eventCode: type === 'Event' ? eventCode.trim() : null,
    skus: type === 'Event' ? [] : skusOf(draft),
  };
}

function skusOf({ skuText, skus }: ObjectiveDraft): { id: string; name: string }[] {
  const ids = new Set(skuText.split('\n').map((line) => line.trim()));
  ids.delete('');
  return [...ids].map((id) => ({ id, name: skus.find((sku) => sku.id === id)?.name ?? id }));
}

function rewardOf(draft: RewardDraft): Sent['rewards'][number] | null {
  const { id, name, type, currency, skuId, skuName } = draft;
  const amount = type === 'Payment' ? readReward(draft) : null;
  if (name.trim() === '') return null;
  if (type === 'Payment' && (currency === '' || amount === null)) return null;
  if (type === 'Sku' && skuId.trim() === '') return null;
  return {
    ...(id !== null && { id }),
    name: name.trim(),
    type,
    amount: amount === null ? null : String(amount),
    currency: (type === 'Payment' ? currency : null) as Sent['rewards'][number]['currency'],
    sku: type === 'Sku' ? { id: skuId.trim(), name: orNull(skuName) ?? skuId.trim() } : null,
    externalId: orNull(draft.externalId),
  };
}
