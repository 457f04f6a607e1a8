import type { Command } from 'commander';
import { completeReward } from '../bounties/complete/complete-reward.ts';
import { endBounty } from '../bounties/define/end-bounty.ts';
import type { BountyRecord, ProgressRecord } from '../bounties/read/bounty-record.ts';
import { getBounty } from '../bounties/read/get-bounty.ts';
import { listBounties } from '../bounties/read/list-bounties.ts';
import { listProgress } from '../bounties/read/list-progress.ts';
import { systemClock } from '../platform/clock.ts';
import type { BountyId } from '../platform/database/tables.generated.ts';
import { toBountyId } from '../platform/ids.ts';
import { formatMinorUnits } from '../platform/money.ts';
import { findGroup } from '../publishers/find-group.ts';
import { nowAt } from '../publishers/publisher-time.ts';
import {
  cursorOption,
  type GroupOptions,
  groupOption,
  inDatabase,
  jsonOption,
  limitOption,
  type PageOptions,
  type PublisherOptions,
  pageOf,
  publisherOption,
  type Work,
} from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { printList } from './print/print-list.ts';
import { printableLine } from './print/printable.ts';

const maxListed = 1_000;

export function addBountyCommands(program: Command, tools: CommandTools): void {
  const bounties = program.command('bounties').description("Define bounties, and show members' progress.");
  const command = (name: string, description: string): Command =>
    bounties.command(name).description(description).addOption(publisherOption()).addOption(jsonOption());
  const list = (name: string, description: string): Command =>
    command(name, description).addOption(limitOption(maxListed, 100)).addOption(cursorOption());

  list('list', "List a group's bounties, ordered by start.")
    .addOption(groupOption())
    .action(inDatabase(tools, (work, options: GroupOptions & PageOptions) => listAll(work, tools, options)));
  list('show', "Show a bounty and its members' progress.")
    .argument('<bountyId>', '', toBountyId)
    .action(
      inDatabase(tools, (work, bountyId: BountyId, options: PublisherOptions & PageOptions) =>
        show(work, tools, bountyId, options),
      ),
    );
  command('add', 'Create or replace a bounty. Purchases and events since its start count.')
    .argument(
      '<file>',
      'file with one bounty, in program-file format (see docs/bounties.md); - reads standard input',
    )
    .addOption(groupOption())
    .action(
      inDatabase(tools, (work, file: string, options: GroupOptions) => add(work, tools, file, options)),
    );
  command('end', 'End a bounty permanently.')
    .argument('<bountyId>', '', toBountyId)
    .action(
      inDatabase(tools, (work, bountyId: BountyId, options: PublisherOptions) =>
        end(work, tools, bountyId, options),
      ),
    );
  command('complete-reward', 'Confirm that an External reward was delivered.')
    .argument('<rewardId>', 'id of the reward, from `bounties show` or its event')
    .addOption(groupOption())
    .option('--reference <text>', 'your own reference; it cannot be changed later')
    .action(
      inDatabase(tools, (work, rewardId: string, options: CompleteOptions) =>
        complete(work, tools, rewardId, options),
      ),
    );
}

async function listAll(
  { db, pages }: Work,
  tools: CommandTools,
  options: GroupOptions & PageOptions,
): Promise<void> {
  const { publisher, group } = options;
  const groupId = await findGroup(db, publisher, group);
  const of = { publisherId: publisher, groupId };
  const { rows, nextCursor } = await listBounties(db, await pages(), of, pageOf(options));
  const now = await nowAt(db, systemClock, publisher);
  printList(tools, options, {
    rows,
    nextCursor,
    json: { bounties: rows, nextCursor },
    columns: {
      BOUNTY: ({ id }) => id,
      NAME: ({ name }) => name,
      STATE: (bounty) => stateOf(bounty, now),
      STARTS: ({ startsAt }) => startsAt,
      ENDS: ({ endsAt }) => endsAt ?? '-',
      LIMIT: ({ limit }) => (limit === undefined ? 'none' : String(limit)),
    },
    empty: `Group ${groupId} has no bounties.`,
  });
}

async function show(
  { db, pages }: Work,
  tools: CommandTools,
  bountyId: BountyId,
  options: PublisherOptions & PageOptions,
): Promise<void> {
  const { publisher, cursor } = options;
  const bounty = await getBounty(db, { publisherId: publisher, groupId: null, bountyId });
  const of = { publisherId: publisher, bountyId };
  const { rows, nextCursor } = await listProgress(db, await pages(), of, pageOf(options));
  const now = await nowAt(db, systemClock, publisher);
  printList(tools, options, {
    rows,
    nextCursor,
    json: { bounty, progress: rows, nextCursor },
    above: cursor === undefined ? describe(bounty, now) : [],
    columns: {
      MEMBER: ({ member }) => member.id,
      NAME: ({ member }) => member.name,
      COMPLETED: ({ completionCount }) => String(completionCount),
      'TOWARD NEXT': towardNext,
      'REWARDS TO DELIVER': rewardsToDeliver,
    },
    empty: 'No member has made progress yet.',
  });
}

async function add(
  { db, actor }: Work,
  { print, readText }: CommandTools,
  file: string,
  { publisher, group, json }: GroupOptions,
): Promise<void> {
  const { readBountyFile } = await import('../program-file/read-program.ts');
  const { applyBountyFile } = await import('../program-file/apply-bounty-file.ts');
  const read = readBountyFile(await readText(file), file);
  const groupId = await findGroup(db, publisher, group);
  const { bountyId } = await applyBountyFile(db, actor, { publisherId: publisher, groupId }, read);
  print(json ? JSON.stringify({ bountyId }) : `Bounty ${bountyId} matches the file.`);
}

async function end(
  { db, actor }: Work,
  { print }: CommandTools,
  bountyId: BountyId,
  { publisher, json }: PublisherOptions,
): Promise<void> {
  const now = await nowAt(db, systemClock, publisher);
  const ended = await endBounty(db, actor, { publisherId: publisher, bountyId }, now);
  const endsAt = ended.toISOString();
  print(json ? JSON.stringify({ bountyId, endsAt }) : `Bounty ${bountyId} ended at ${endsAt}.`);
}

interface CompleteOptions extends GroupOptions {
  reference?: string;
}

async function complete(
  { db, actor }: Work,
  { print }: CommandTools,
  rewardId: string,
  { publisher, group, reference, json }: CompleteOptions,
): Promise<void> {
  const reward = await completeReward(db, actor, {
    publisherId: publisher,
    groupId: await findGroup(db, publisher, group),
    rewardId,
    referenceId: reference ?? null,
  });
  const { id, name, rewardReferenceId } = reward;
  print(
    json
      ? JSON.stringify(reward)
      : `Reward ${id} (${name}) is completed${rewardReferenceId === undefined ? '' : `: ${rewardReferenceId}`}.`,
  );
}

function describe(bounty: BountyRecord, now: Date): string[] {
  const { id, name, startsAt, endsAt, limit, prerequisites, objectives, rewards } = bounty;
  const window = `from ${startsAt}${endsAt ? ` to ${endsAt}` : ''}`;
  return [
    `${printableLine(name)} (${id}): ${stateOf(bounty, now)}, ${window}`,
    `  ${limit === undefined ? 'no limit per member' : `up to ${limit} time(s) per member`}`,
    ...prerequisites.map((each) => `  requires  ${printableLine(each.name)}`),
    ...objectives.map((each) => `  objective ${describeObjective(each)}`),
    ...rewards.map((each) => `  reward    ${describeReward(each)}`),
    '',
  ];
}

const towardNext = ({ completed, currentObjectives }: ProgressRecord): string =>
  completed
    ? '-'
    : currentObjectives
        .map(({ count, objective }) => `${objective.name} ${count}/${objective.count}`)
        .join(', ');

const rewardsToDeliver = ({ completedObjectives }: ProgressRecord): string =>
  completedObjectives
    .flatMap(({ rewards }) => rewards)
    .filter(({ rewardCompleted }) => !rewardCompleted)
    .map(({ id }) => id)
    .join(' ') || '-';

function stateOf({ startsAt, endsAt }: BountyRecord, now: Date): string {
  if (endsAt !== undefined && endsAt <= now.toISOString()) return 'over';
  return startsAt > now.toISOString() ? 'upcoming' : 'open';
}

function describeObjective(objective: BountyRecord['objectives'][number]): string {
  const { name, type, condition, count, currency, eventCode, skus } = objective;
  const counted = {
    Purchase: currency === undefined ? 'purchases' : `purchases in ${currency}`,
    NewPlayers: currency === undefined ? 'new players' : `new players paying in ${currency}`,
    Event: `events ${eventCode}`,
  }[type as 'Purchase' | 'NewPlayers' | 'Event'];
  const goal =
    condition === 'Amount' && currency !== undefined
      ? `purchases for ${formatMinorUnits(BigInt(count), currency)} ${currency}`
      : `${count} ${counted}`;
  return `${printableLine(name)}: ${goal}${skus.length === 0 ? '' : ` of ${skus.map(({ id }) => id).join(', ')}`}`;
}

function describeReward({ name, type, amount, currency, sku }: BountyRecord['rewards'][number]): string {
  if (amount !== undefined && currency !== undefined)
    return `${printableLine(name)}: ${formatMinorUnits(BigInt(amount), currency)} ${currency}`;
  return `${printableLine(name)}: ${sku === undefined ? type : `SKU ${sku.id}`}`;
}
