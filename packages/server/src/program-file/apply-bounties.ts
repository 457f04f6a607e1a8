import type {
  BountyTerms,
  Condition,
  ObjectiveTerms,
  ObjectiveType,
  RewardTerms,
  RewardType,
} from '../bounties/define/bounty-terms.ts';
import { areDefined, defineBounties } from '../bounties/define/define-bounties.ts';
import { DefinitionProblem } from '../bounties/define/definition-problem.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { parseTimestamp } from '../platform/timestamps.ts';
import { lockGroup } from '../publishers/lock-group.ts';
import { lockOutSettling } from '../settlement/settlement-lock.ts';
import type { ProgramBounty, ProgramObjective, ProgramReward } from './bounty-schema.ts';
import type { ProgramFile } from './read-program.ts';

type Path = readonly (string | number)[];

/**
 * Called before anything is locked: when the file brings a bounty that is not there yet, or another one than is
 * there, no set is settled until the commit. Applied again, the same file keeps nobody waiting.
 */
export async function lockForBounties(tx: Tx, file: ProgramFile): Promise<void> {
  const { publisher, groups = [] } = file.program;
  for (const [index, { id, bounties = [] }] of groups.entries()) {
    const terms = bounties.map((bounty, place) => readTerms(file, bounty, placeOf(index, place)));
    if (await areDefined(tx, publisher.id, id, terms)) continue;
    await lockOutSettling(tx, publisher.id);
    return;
  }
}

/** Makes or replaces the bounties that a group of the file names. @returns their ids */
export async function applyBounties(tx: Tx, file: ProgramFile, groupIndex: number): Promise<string[]> {
  const { publisher, groups = [] } = file.program;
  const group = groups[groupIndex];
  if (group === undefined) throw new Error('no such group in the file');
  const { bounties = [] } = group;
  if (bounties.length === 0) return [];
  const terms = bounties.map((bounty, place) => readTerms(file, bounty, placeOf(groupIndex, place)));
  if (!(await areDefined(tx, publisher.id, group.id, terms))) await lockOutSettling(tx, publisher.id);
  await lockGroup(tx, publisher.id, group.id);
  return defineBounties(tx, publisher.id, group.id, terms).catch((error) => {
    if (!(error instanceof DefinitionProblem)) throw error;
    throw file.errorAt(['groups', groupIndex, 'bounties', ...error.path], error.message);
  });
}

const placeOf = (groupIndex: number, index: number): Path => ['groups', groupIndex, 'bounties', index];

function readTerms(file: ProgramFile, bounty: ProgramBounty, path: Path): BountyTerms {
  const startsAt = readTime(bounty.startsAt);
  const endsAt = bounty.endsAt === undefined ? null : readTime(bounty.endsAt);
  if (endsAt !== null && endsAt <= startsAt)
    throw file.errorAt([...path, 'endsAt'], 'endsAt must be after startsAt');
  return {
    id: bounty.id ?? null,
    name: bounty.name,
    description: bounty.description ?? null,
    imageSrc: bounty.imageSrc ?? null,
    rewardDescription: bounty.rewardDescription ?? null,
    limit: bounty.limit === undefined ? 1 : bounty.limit,
    startsAt,
    endsAt,
    prerequisites: bounty.prerequisites ?? [],
    objectives: bounty.objectives.map((each, index) =>
      readObjective(file, each, [...path, 'objectives', index]),
    ),
    rewards: bounty.rewards.map((each, index) => readReward(file, each, [...path, 'rewards', index])),
  };
}

function readObjective(file: ProgramFile, objective: ProgramObjective, path: Path): ObjectiveTerms {
  const { id = null, name, type, condition = 'Count', count, currency, skus = [], eventCode } = objective;
  const refuse = (property: keyof ProgramObjective, message: string): never => {
    throw file.errorAt(
      [...path, property],
      `${[...path.slice(-2), property].join('.').replace(/\.(\d+)\./, '[$1].')} ${message}`,
    );
  };
  if (condition === 'Amount' && type !== 'Purchase')
    refuse('condition', 'can be Amount for the type Purchase only');
  if (condition === 'Amount' && currency === undefined) refuse('currency', 'is required for an Amount');
  if (type === 'Event' && eventCode === undefined) refuse('eventCode', 'is required for the type Event');
  if (type !== 'Event' && eventCode !== undefined) refuse('eventCode', 'is for the type Event only');
  if (type === 'Event' && currency !== undefined) refuse('currency', 'is not for the type Event');
  if (type === 'Event' && skus.length > 0) refuse('skus', 'is not for the type Event');
  return {
    id,
    name,
    type: type as ObjectiveType,
    condition: condition as Condition,
    target: BigInt(count),
    currency: currency ?? null,
    eventCode: eventCode ?? null,
    skus: skus.map((sku) => ({ id: sku.id, name: sku.name ?? sku.id })),
  };
}

function readReward(file: ProgramFile, reward: ProgramReward, path: Path): RewardTerms {
  const { id = null, name, type, amount, currency, sku, externalId } = reward;
  const needs = { amount: 'Payment', currency: 'Payment', sku: 'Sku' } as const;
  for (const [property, owner] of Object.entries(needs)) {
    const isThere = reward[property as keyof typeof needs] !== undefined;
    if (isThere === (type === owner)) continue;
    const place = `rewards[${path.at(-1)}].${property}`;
    throw file.errorAt(
      [...path, property],
      isThere ? `${place} is for the type ${owner} only` : `${place} is required for the type ${owner}`,
    );
  }
  return {
    id,
    name,
    type: type as RewardType,
    amountMinor: amount === undefined ? null : BigInt(amount),
    currency: currency ?? null,
    sku: sku === undefined ? null : { id: sku.id, name: sku.name ?? sku.id },
    externalId: externalId ?? null,
  };
}

function readTime(text: string): Date {
  const ms = parseTimestamp(text);
  if (ms === null) throw new Error('a timestamp passed its schema and cannot be read');
  return new Date(ms);
}
