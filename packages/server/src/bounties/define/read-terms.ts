import { CollectedRefusals } from '../../platform/collect-refusals.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import type { BountyInput, ObjectiveInput, RewardInput } from './bounty-input.ts';
import type { BountyTerms, ObjectiveTerms, RewardTerms, Sku } from './bounty-terms.ts';
import { rejectDuplicates } from './reject-duplicates.ts';

/**
 * Converts input to the terms of a bounty and checks the rules that the schema can't express.
 * @throws Refusal that lists every problem: InvalidInput, InvalidDate
 */
export function readTerms(bounty: BountyInput): BountyTerms {
  const { prerequisites = [], objectives, rewards } = bounty;
  const refusals = new CollectedRefusals();
  rejectDuplicates(refusals, 'bounty', prerequisites, ['prerequisites']);
  rejectDuplicates(refusals, 'objective', objectives.map(idOf), ['objectives']);
  rejectDuplicates(refusals, 'reward', rewards.map(idOf), ['rewards']);
  const startsAt = readTimestamp(bounty.startsAt);
  const endsAt = bounty.endsAt === undefined ? null : readTimestamp(bounty.endsAt);
  if (endsAt !== null && endsAt <= startsAt)
    refusals.add(new Refusal('InvalidDate', 'endsAt must be after startsAt', { path: ['endsAt'] }));
  const terms = {
    id: bounty.id ?? null,
    name: bounty.name,
    description: bounty.description ?? null,
    imageSrc: bounty.imageSrc ?? null,
    rewardDescription: bounty.rewardDescription ?? null,
    limit: bounty.limit === undefined ? 1 : bounty.limit,
    startsAt,
    endsAt,
    prerequisites,
    objectives: objectives.map((each, index) => readObjective(refusals, each, index)),
    rewards: rewards.map((each, index) => readReward(refusals, each, index)),
  };
  refusals.throwAny();
  return terms;
}

const idOf = ({ id }: { id?: string }): string | undefined => id;

function readObjective(
  refusals: CollectedRefusals,
  objective: ObjectiveInput,
  index: number,
): ObjectiveTerms {
  const { id = null, name, type, condition = 'Count', count, currency, skus = [], eventCode } = objective;
  const refuse = refusing(refusals, 'objectives', index);
  if (condition === 'Amount' && type !== 'Purchase')
    refuse('condition', 'can be Amount only for the type Purchase');
  if (condition === 'Amount' && currency === undefined) refuse('currency', 'is required for an Amount');
  if (type === 'Event' && eventCode === undefined) refuse('eventCode', 'is required for the type Event');
  if (type !== 'Event' && eventCode !== undefined) refuse('eventCode', 'is only for the type Event');
  if (type === 'Event' && currency !== undefined) refuse('currency', 'is not allowed for the type Event');
  if (type === 'Event' && skus.length > 0) refuse('skus', 'is not allowed for the type Event');
  rejectDuplicates(refusals, 'SKU', skus.map(idOf), ['objectives', index, 'skus']);
  return {
    id,
    name,
    type,
    condition,
    target: BigInt(count),
    currency: currency ?? null,
    eventCode: eventCode ?? null,
    skus: skus.map(readSku),
  };
}

function readReward(refusals: CollectedRefusals, reward: RewardInput, index: number): RewardTerms {
  const { id = null, name, type, amount, currency, sku, externalId } = reward;
  const refuse = refusing(refusals, 'rewards', index);
  const needs = { amount: 'Payment', currency: 'Payment', sku: 'Sku' } as const;
  for (const [property, owner] of Object.entries(needs)) {
    const isThere = reward[property as keyof typeof needs] !== undefined;
    if (isThere && type !== owner) refuse(property, `is only for the type ${owner}`);
    if (!isThere && type === owner) refuse(property, `is required for the type ${owner}`);
  }
  return {
    id,
    name,
    type,
    amountMinor: amount === undefined ? null : BigInt(amount),
    currency: currency ?? null,
    sku: sku === undefined ? null : readSku(sku),
    externalId: externalId ?? null,
  };
}

const refusing =
  (refusals: CollectedRefusals, list: string, index: number) =>
  (property: string, message: string): void =>
    refusals.add(
      new Refusal('InvalidInput', `${list}[${index}].${property} ${message}`, {
        path: [list, index, property],
      }),
    );

const readSku = ({ id, name = id }: { id: string; name?: string }): Sku => ({ id, name });
