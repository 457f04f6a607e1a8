import { completeReward } from '../bounties/complete/complete-reward.ts';
import { endBounty } from '../bounties/define/end-bounty.ts';
import type { BountyRecord, ProgressRecord } from '../bounties/read/bounty-record.ts';
import { getBounty, listBounties } from '../bounties/read/read-bounties.ts';
import { readBountyProgress } from '../bounties/read/read-progress.ts';
import type { Db } from '../platform/database/database.ts';
import type { BountyId } from '../platform/database/tables.generated.ts';
import { formatMinorUnits } from '../platform/money.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { addBounty } from '../program-file/add-bounty.ts';
import type { ProgramFile } from '../program-file/read-program.ts';
import { findGroup } from '../publishers/find-group.ts';
import { printTable } from './print-table.ts';
import { printableLine } from './printable.ts';

type Print = (line: string) => void;

interface Options {
  publisher: string;
  json?: boolean;
}

/** Read at once by a command; the API pages. */
const pageSize = 1_000;

export async function listBountiesCommand(
  db: Db,
  { publisher, group, json }: Options & { group: string },
  now: Date,
  print: Print,
): Promise<void> {
  const groupId = await findGroup(db, publisher, group);
  const { bounties } = await listBounties(db, publisher, groupId, 1, pageSize);
  if (json) print(JSON.stringify({ bounties }));
  else if (bounties.length === 0) print(`The group ${group} has no bounties.`);
  else {
    printTable(
      ['BOUNTY', 'NAME', 'STATE', 'STARTS', 'ENDS', 'LIMIT'],
      bounties.map((bounty) => [
        bounty.id,
        bounty.name,
        stateOf(bounty, now),
        bounty.startsAt,
        bounty.endsAt ?? '-',
        bounty.limit === undefined ? 'none' : String(bounty.limit),
      ]),
      print,
    );
  }
}

export async function showBountyCommand(
  db: Db,
  { publisher, json }: Options,
  bountyId: BountyId,
  now: Date,
  print: Print,
): Promise<void> {
  const bounty = await getBounty(db, publisher, null, bountyId);
  const progress: ProgressRecord[] = [];
  for (let page = 1; progress.length === (page - 1) * pageSize; page += 1)
    progress.push(...(await readBountyProgress(db, publisher, bountyId, false, page, pageSize)).progress);
  if (json) {
    print(JSON.stringify({ bounty, progress }));
    return;
  }
  const { startsAt, endsAt, limit } = bounty;
  print(
    `${printableLine(bounty.name)} (${bounty.id}): ${stateOf(bounty, now)}, from ${startsAt}${endsAt ? ` to ${endsAt}` : ''}`,
  );
  print(`  ${limit === undefined ? 'as often as a member likes' : `${limit} time(s) for each member`}`);
  for (const { name } of bounty.prerequisites) print(`  after ${printableLine(name)}`);
  for (const objective of bounty.objectives) print(`  asks for  ${describeObjective(objective)}`);
  for (const reward of bounty.rewards) print(`  gives     ${describeReward(reward)}`);
  print('');
  if (progress.length === 0) print('No member has begun it.');
  else {
    printTable(
      ['MEMBER', 'NAME', 'COMPLETED', 'TOWARDS THE NEXT', 'REWARDS TO DELIVER'],
      progress.map(({ member, completionCount, completed, currentObjectives, completedObjectives }) => [
        member.id,
        member.name,
        String(completionCount),
        completed
          ? '-'
          : currentObjectives
              .map(({ count, objective }) => `${objective.name} ${count}/${objective.count}`)
              .join(', '),
        completedObjectives
          .flatMap(({ rewards }) => rewards)
          .filter(({ rewardCompleted }) => !rewardCompleted)
          .map(({ id }) => id)
          .join(' ') || '-',
      ]),
      print,
    );
  }
}

export async function addBountyCommand(
  db: Db,
  file: ProgramFile,
  json: boolean,
  print: Print,
): Promise<void> {
  const bountyId = await addBounty(db, file);
  print(json ? JSON.stringify({ bountyId }) : `The bounty ${bountyId} is as the file says.`);
}

export async function endBountyCommand(
  db: Db,
  { publisher, json }: Options,
  bountyId: BountyId,
  now: Date,
  print: Print,
): Promise<void> {
  const endsAt = (await endBounty(db, publisher, bountyId, now)).toISOString();
  print(json ? JSON.stringify({ bountyId, endsAt }) : `The bounty ${bountyId} ended at ${endsAt}.`);
}

export async function completeRewardCommand(
  db: Db,
  { publisher, group, reference, json }: Options & { group: string; reference?: string },
  rewardId: string,
  print: Print,
): Promise<void> {
  if (reference !== undefined && (reference.length < 1 || reference.length > 255))
    throw new OperatorError('--reference must have 1 to 255 characters.');
  const reward = await completeReward(db, publisher, group, rewardId, reference ?? null);
  const { rewardReferenceId } = reward;
  print(
    json
      ? JSON.stringify(reward)
      : `The reward ${reward.id} (${reward.name}) is complete${rewardReferenceId === undefined ? '' : `: ${rewardReferenceId}`}.`,
  );
}

function stateOf({ startsAt, endsAt }: BountyRecord, now: Date): string {
  if (endsAt !== undefined && endsAt <= now.toISOString()) return 'over';
  return startsAt > now.toISOString() ? 'to come' : 'open';
}

function describeObjective(objective: BountyRecord['objectives'][number]): string {
  const { name, type, condition, count, currency, eventCode, skus } = objective;
  const what = {
    Purchase: currency === undefined ? 'purchases' : `purchases in ${currency}`,
    NewPlayers: currency === undefined ? 'new players' : `new players paying in ${currency}`,
    Event: `events ${eventCode}`,
  }[type as 'Purchase' | 'NewPlayers' | 'Event'];
  const asked =
    condition === 'Amount' && currency !== undefined
      ? `purchases for ${formatMinorUnits(BigInt(count), currency)} ${currency}`
      : `${count} ${what}`;
  return `${printableLine(name)}: ${asked}${skus.length === 0 ? '' : ` of ${skus.map(({ id }) => id).join(', ')}`}`;
}

function describeReward({ name, type, amount, currency, sku }: BountyRecord['rewards'][number]): string {
  if (amount !== undefined && currency !== undefined)
    return `${printableLine(name)}: ${formatMinorUnits(BigInt(amount), currency)} ${currency}`;
  return `${printableLine(name)}: ${sku === undefined ? type : `SKU ${sku.id}`}`;
}
